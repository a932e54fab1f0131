import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { createClient } from "sallyport/client"

// Brings users into line with a file: creates those that are missing, and bans those that have left. Each line is
// {"email": "ada@example.com", "name": "Ada", "left": false}. It can run again after any failure: nothing happens twice.
//
// node sync-users.ts users.jsonl, with a key that has users:create and users:suspend in SALLYPORT_KEY
// node sync-users.ts --export ada@example.com prints a link to all data of a user, once; the key needs users:export

const { SALLYPORT_URL: baseUrl = "http://localhost:3000", SALLYPORT_KEY: key = "" } = process.env
const client = createClient({ baseUrl })
// A key has 1,200 requests a minute; what it sends beyond them waits for the next minute.
const asProgram = { headers: { "x-api-key": key }, retries: 10 }

interface Person {
  readonly email: string
  readonly name: string
  readonly left?: boolean
}

/** A request that can be sent again: the same key has the same effect once, for a day. */
const once = (what: string) => createHash("sha256").update(what).digest("hex")

const find = async (email: string) => {
  const { data, error } = await client.admin.users.list({ email, limit: 1 }, asProgram)
  if (error) throw new Error(`users/list: ${error.code}`)
  return data.users[0]
}

/** Whether the user was missing. */
const create = async ({ email, name }: Person) => {
  const input = { email, name, send: "none" as const, idempotency_key: once(`create ${email} ${name}`) }
  const { error, response } = await client.admin.users.create(input, asProgram)
  if (error?.code === "user_already_exists") return false
  if (error) throw new Error(`users/create ${email}: ${error.code}`)
  return !response.headers.has("idempotency-replayed")
}

/** Whether the user was not yet banned. */
const ban = async ({ email }: Person) => {
  const user = await find(email)
  if (user === undefined || user.banned) return false
  const { error } = await client.admin.banUser({ user_id: user.id, reason: "left" }, asProgram)
  if (error) throw new Error(`ban-user ${email}: ${error.code}`)
  return true
}

const exported = async (email: string) => {
  const user = await find(email)
  const { data, error } = await client.admin.users.export({ user_id: user?.id ?? "" }, asProgram)
  return error ? Promise.reject(new Error(`users/export: ${error.code}`)) : data.url
}

if (process.argv[2] === "--export") console.log(await exported(process.argv[3] ?? ""))
else {
  const counts = { created: 0, banned: 0, unchanged: 0 }
  for await (const line of createInterface({ input: createReadStream(process.argv[2] ?? "users.jsonl") })) {
    const person: Person = JSON.parse(line)
    const isChanged = await (person.left ? ban(person) : create(person))
    counts[isChanged ? (person.left ? "banned" : "created") : "unchanged"] += 1
  }
  console.log(JSON.stringify(counts))
}
