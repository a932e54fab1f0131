import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline/promises"
import { createClient, type TokenStore } from "sallyport/client"

// Keep the token where only this user can read it. An app on a phone stores it in the system's keychain instead.
const file = process.env.TOKEN_FILE ?? ".token"
const token: TokenStore = {
  get: () => (existsSync(file) ? readFileSync(file, "utf8") : null),
  set: (value) => (value === null ? rmSync(file, { force: true }) : writeFileSync(file, value, { mode: 0o600 })),
}
const client = createClient({ baseUrl: process.env.AUTH_URL ?? "http://localhost:3000", token })

const credentials = async (email = "") => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const password = await terminal.question("Password: ")
  terminal.close()
  return { email, password }
}

const [command, email] = process.argv.slice(2)
const commands = {
  "sign-up": async () => client.signUp.email(await credentials(email)),
  "sign-in": async () => client.signIn.email(await credentials(email)),
  sessions: () => client.listSessions(),
  "sign-out": () => client.signOut(),
}

const run = commands[command as keyof typeof commands]
if (!run) throw new Error(`Commands: ${Object.keys(commands).join(", ")}`)
const { data, error } = await run()
console.log(JSON.stringify(data ?? error))
if (error) process.exitCode = 1
