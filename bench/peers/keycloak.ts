// Keycloak as a side: userinfo, and sign-ins by the password grant. It has a database of its own with 256 users, and runs in production mode
// from a copy of the installation in KEYCLOAK_HOME, because its build writes there.

import type { ChildProcess } from "node:child_process"
import { execFileSync } from "node:child_process"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import type { Database } from "../databases.ts"
import { startProgram, until } from "../machine.ts"
import type { Request } from "../requests.ts"
import { client, eachOf, origin, password } from "../service.ts"
import { type Server, type Side, served } from "../sides.ts"

const administrator = { username: "admin", password: "the password of the administrator" }
const form = { "content-type": "application/x-www-form-urlencoded" }
const tokenPath = (realm: string) => `/realms/${realm}/protocol/openid-connect/token`
const userinfoPath = "/realms/bench/protocol/openid-connect/userinfo"

const users = Array.from({ length: 256 }, (_, index) => `user${index}`)

/** Sessions and tokens live as long as the run. */
const realm = {
  realm: "bench",
  enabled: true,
  sslRequired: "none",
  accessTokenLifespan: 36_000,
  ssoSessionIdleTimeout: 36_000,
  ssoSessionMaxLifespan: 36_000,
  clients: [{ clientId: client.client_id, secret: client.client_secret, publicClient: false, directAccessGrantsEnabled: true }],
  users: users.map((username) => ({
    username,
    email: `${username}@example.com`,
    emailVerified: true,
    enabled: true,
    firstName: "Person",
    lastName: username,
    credentials: [{ type: "password", value: password, temporary: false }],
  })),
}

const signInOf = (username: string): Request => {
  const fields = {
    grant_type: "password",
    client_id: client.client_id,
    client_secret: client.client_secret,
    scope: "openid",
    username,
    password,
  }
  return { method: "POST", path: tokenPath("bench"), headers: form, body: new URLSearchParams(fields).toString() }
}

const tokenFrom = async (answer: Response): Promise<string> => {
  if (!answer.ok) throw new Error(`Keycloak answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()).access_token
}

export const tokenOfAdministrator = async (base: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...administrator })
  return tokenFrom(await fetch(`${base}${tokenPath("master")}`, { method: "POST", headers: form, body }))
}

const importRealm = async (base: string): Promise<void> => {
  const headers = { authorization: `Bearer ${await tokenOfAdministrator(base)}`, "content-type": "application/json" }
  const answer = await fetch(`${base}/admin/realms`, { method: "POST", headers, body: JSON.stringify(realm) })
  if (!answer.ok) throw new Error(`Keycloak imports no realm: ${answer.status} ${await answer.text()}`)
}

/** Starts Keycloak on the server's processor; the Java of JAVA_HOME runs it. */
export const startKeycloak = async (folder: string, url: string, started: Array<ChildProcess>): Promise<Server> => {
  const home = join(folder, "keycloak")
  cpSync(process.env["KEYCLOAK_HOME"] ?? "", home, { recursive: true })
  const program = join(home, "bin/kc.sh")
  execFileSync(program, ["build", "--db=postgres", "--health-enabled=true"], { stdio: "ignore" })
  const [port, management] = [await freePort(), await freePort()]
  const { hostname, port: databasePort, pathname, username, password: databasePassword } = new URL(url)
  const args = [
    ["--http-enabled", "true"],
    ["--http-host", "127.0.0.1"],
    ["--http-port", port],
    ["--http-management-port", management],
    ["--hostname", origin],
    ["--db-url", `jdbc:postgresql://${hostname}:${databasePort}${pathname}`],
    ["--db-username", username],
    ["--db-password", databasePassword],
    ["--log-level", "error"],
  ].map(([name, value]) => `${name}=${value}`)
  const env = {
    // Enough for the users of the benchmarks. By default it would take half of the machine's memory.
    JAVA_OPTS_KC_HEAP: "-Xms512m -Xmx2g",
    KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
  }
  const child = startProgram(program, ["start", "--optimized", ...args], env)
  started.push(child)
  await until(`http://127.0.0.1:${management}/health/ready`, { seconds: 300, child })
  return { name: "keycloak", child, port }
}

export const keycloak = async (folder: string, { settings: { url = "" } }: Database, started: Array<ChildProcess>): Promise<Side> => {
  const server = await startKeycloak(folder, url, started)
  const base = `http://127.0.0.1:${server.port}`
  await importRealm(base)
  const tokens = await eachOf(users, async (username) => {
    const { path, headers = {}, body = "" } = signInOf(username)
    return tokenFrom(await fetch(`${base}${path}`, { method: "POST", headers, body }))
  })
  const reads = tokens.map((token): Request => ({ method: "GET", path: userinfoPath, headers: { authorization: `Bearer ${token}` } }))
  /** What each operation is compared with. */
  const compared: Readonly<
    Record<string, { readonly label: string; readonly expects: string; readonly requests: ReadonlyArray<Request> }>
  > = {
    "get-session": { label: "keycloak (userinfo)", expects: '"sub":', requests: reads },
    userinfo: { label: "keycloak", expects: '"sub":', requests: reads },
    "sign-in": { label: "keycloak (password)", expects: '"access_token":', requests: users.map(signInOf) },
  }
  return {
    contender: async (operation) => {
      const own = compared[operation.name]
      if (own === undefined) return undefined
      return served(folder, { ...server, name: own.label }, { ...operation, expects: own.expects }, own.requests)
    },
  }
}
