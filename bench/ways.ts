// Counts the files and functions of the service that run for one request, by V8's precise coverage, and writes the table in docs/walk.md.
// `--check` only compares it, and `--list` prints the functions. The store is in memory, the modules are `idp` and the pages, and each request
// was sent before. Fails if a way is longer than it may be.

import { readFileSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { start } from "../adapters/assembly/start.ts"
import { configurationOf } from "../adapters/config/load.ts"
import { optional } from "../application/modules/index.ts"
import { api } from "./operation.ts"

/** The most files and functions that a way may have. */
const ways = {
  "GET /get-session": { files: 30, functions: 100 },
  "POST /oauth2/token with a code": { files: 60, functions: 220 },
  "POST /sign-in of the pages": { files: 62, functions: 270 },
  "GraphQL `viewer`": { files: 40, functions: 180 },
}
type Way = keyof typeof ways

const root = join(import.meta.dirname, "..")
const origin = "http://localhost:3000"
const ada = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" }
const client = {
  client_id: "app",
  client_secret: "the secret of the client that is measured",
  redirect_uris: ["https://app.example.com/callback"],
}

const configuration = {
  secret: "a secret for the measurement only, 32+ bytes",
  public_url: origin,
  store: { kind: "memory" },
  mail: { kind: "none" },
  cookie: { secure: false, host_prefix: false },
  email_password: { enabled: true },
  modules: { idp: { clients: [client] } },
  pages: {},
  log: { level: "error" },
}
const auth = await start(await Effect.runPromise(configurationOf(configuration, optional)))

const form = { "content-type": "application/x-www-form-urlencoded" }
const send = async (path: string, init: RequestInit = {}) => {
  const response = await auth.fetch(new Request(`${origin}${path}`, init), "192.0.2.1")
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return { location: response.headers.get("location"), cookies: response.headers.getSetCookie(), text: await response.text() }
}
const post = (path: string, body: object, headers = {}) =>
  send(path, { method: "POST", headers: { origin, "content-type": "application/json", ...headers }, body: JSON.stringify(body) })

const cookieOf = (cookies: ReadonlyArray<string>) => cookies.map((cookie) => cookie.split(";")[0]).join("; ")
const signedUp = await post(`${api}/sign-up/email`, ada)
const cookie = cookieOf(signedUp.cookies)

const authorization = `Basic ${btoa(`${client.client_id}:${encodeURIComponent(client.client_secret)}`)}`
const newCode = async () => {
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: "code",
    scope: "openid",
    redirect_uri: client.redirect_uris[0] ?? "",
  })
  const { location } = await send(`${api}/oauth2/authorize?${query}`, { headers: { cookie } })
  return new URL(location ?? "").searchParams.get("code") ?? ""
}

/** The request of each way, and what has to be done before it. */
const requests: { readonly [W in Way]: () => Promise<() => Promise<unknown>> } = {
  "GET /get-session": async () => () => send(`${api}/get-session`, { headers: { cookie } }),
  "POST /oauth2/token with a code": async () => {
    const code = await newCode()
    const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: client.redirect_uris[0] ?? "" })
    return () => send(`${api}/oauth2/token`, { method: "POST", headers: { ...form, authorization }, body })
  },
  "POST /sign-in of the pages": async () => {
    const page = await send("/sign-in")
    const fields = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? "",
      value ?? "",
    ])
    const body = new URLSearchParams([...fields, ["identifier", ada.email], ["password", ada.password], ["action", "password"]])
    return () => send("/sign-in", { method: "POST", headers: { ...form, origin, cookie: cookieOf(page.cookies) }, body })
  },
  "GraphQL `viewer`": async () => () => post("/graphql", { query: "{ viewer { user { id email } } }" }, { cookie }),
}

const session = new Session()
session.connect()
await session.post("Profiler.enable")

/** The functions of the service that ran since the last call, by file. The body of a module counts as none. */
const ran = async () => {
  const { result } = await session.post("Profiler.takePreciseCoverage")
  const sources = ["domain", "application", "adapters"].map((folder) => `${pathToFileURL(join(root, folder))}/`)
  return result
    .filter(({ url }) => sources.some((source) => url.startsWith(source)))
    .map(({ url, functions }) => ({
      file: url.slice(pathToFileURL(root).href.length + 1),
      functions: functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0 && ranges[0]?.startOffset !== 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ functions }) => functions.length > 0)
}

/** What the request of a way runs, without the work that is done at some requests only: the shortest of several. */
const measure = async (way: Way) => {
  // The first requests load modules and fill caches.
  for (let warm = 0; warm < 3; warm++) await (await requests[way]())()
  const measured = []
  for (let round = 0; round < 10; round++) {
    const request = await requests[way]()
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    await ran()
    await request()
    measured.push(await ran())
    await session.post("Profiler.stopPreciseCoverage")
  }
  return measured.toSorted((one, other) => functionsIn(one) - functionsIn(other))[0] ?? []
}

const functionsIn = (files: Awaited<ReturnType<typeof ran>>) => files.reduce((sum, { functions }) => sum + functions.length, 0)

const rows: Array<string> = []
const tooLong: Array<string> = []
for (const [way, most] of Object.entries(ways) as ReadonlyArray<[Way, (typeof ways)[Way]]>) {
  const found = await measure(way)
  const functions = functionsIn(found)
  if (process.argv.includes("--list")) for (const { file, functions } of found) console.log(way, file, functions.join(" "))
  rows.push(`| ${way} | ${found.length} | ${functions} |`)
  if (found.length > most.files || functions > most.functions)
    tooLong.push(`${way}: at most ${most.files} files and ${most.functions} functions`)
}
await auth.close()

const page = join(root, "docs/walk.md")
const text = readFileSync(page, "utf8")
const [head = ""] = text.split("| Request |")
const table = ["| Request | Files | Functions |", "| --- | --- | --- |", ...rows, ""].join("\n")
console.log(table)
if (!process.argv.includes("--check")) writeFileSync(page, `${head}${table}`)
else if (text !== `${head}${table}`) tooLong.push("the table in docs/walk.md is not current: node bench/ways.ts")
for (const line of tooLong) console.error(line)
process.exit(tooLong.length === 0 ? 0 : 1)
