// A hand-written GET /get-session, as fast as Node and one PostgreSQL connection allow: it verifies the signed cookie, runs one
// prepared join in a pipeline and writes the same JSON. Requires DATABASE_URL, SALLYPORT_SECRET and PORT.
import { createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import pg from "pg"

const key = Buffer.from(hkdfSync("sha256", process.env["SALLYPORT_SECRET"] ?? "", "", "sallyport/mac/session", 32))
const text = `SELECT s.id, s.user_id, s.expires_at, s.created_at, s.updated_at, u.id, u.email, u.email_verified, u.name, u.image, u.created_at, u.updated_at
  FROM "session" s JOIN "user" u ON u.id = s.user_id WHERE s.token_hash = $1`
const maxLifetime = 2_592_000_000
const updateAge = 86_400_000
const noSession = JSON.stringify({ session: null, user: null })

/** PostgreSQL's text of a time in UTC, as RFC 3339 with milliseconds. */
const rfc3339 = (time: string) =>
  `${time.slice(0, 10)}T${time.slice(11, 19)}.${time[19] === "." ? time.slice(20, -3).padEnd(3, "0") : "000"}Z`
const parsers: Readonly<Record<number, (text: string) => unknown>> = { 1184: rfc3339, 16: (text) => text === "t" }
const types = { getTypeParser: (oid: number) => parsers[oid] ?? ((text: string) => text) } as unknown as pg.CustomTypesConfig

// @types/pg lacks `pipeline`, which is newer.
const options: pg.ClientConfig & { readonly pipeline: true } = {
  connectionString: process.env["DATABASE_URL"],
  options: "-c TimeZone=UTC",
  pipeline: true,
}
const client = new pg.Client(options)
await client.connect()
const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection

/** Sends the queries of requests that arrive in one turn in one packet. */
let gathering = false
const gather = () => {
  if (gathering) return
  gathering = true
  stream.cork()
  setImmediate(() => {
    gathering = false
    stream.uncork()
  })
}

const tokenOf = (cookies: string | undefined): string | null => {
  const value = /(?:^|; )__Host-session=([^;]+)/.exec(cookies ?? "")?.[1]
  const [token, signature] = value?.split(".") ?? []
  if (token === undefined || signature === undefined) return null
  const tag = createHmac("sha256", key).update(token).digest()
  const given = Buffer.from(signature, "base64url")
  return given.length === tag.length && timingSafeEqual(given, tag) ? token : null
}

type Row = [string, string, string, string, string, string, string, boolean, string | null, string | null, string, string]

const answer = async (cookies: string | undefined): Promise<string> => {
  const token = tokenOf(cookies)
  if (token === null) return noSession
  gather()
  const values = [hash("sha256", `session:${token}`, "base64url")]
  const { rows } = await client.query<Row>({ name: "session", text, values, types, rowMode: "array" })
  const [row] = rows
  const now = Date.now()
  if (row === undefined) return noSession
  const [id, user_id, expires_at, began_at, refreshed_at, own, email, email_verified, name, image, created_at, updated_at] = row
  if (Date.parse(expires_at) <= now || Date.parse(began_at) + maxLifetime <= now) return noSession
  if (Date.parse(refreshed_at) + updateAge <= now) throw new Error("the floor does not refresh sessions")
  const user = `{"id":"${own}","email":${JSON.stringify(email)},"email_verified":${email_verified},"name":${JSON.stringify(name)},"image":${JSON.stringify(image)},"created_at":"${created_at}","updated_at":"${updated_at}"}`
  return `{"session":{"id":"${id}","expires_at":"${expires_at}","created_at":"${began_at}","updated_at":"${refreshed_at}","user_id":"${user_id}"},"user":${user}}`
}

createServer((request, response) => {
  answer(request.headers.cookie).then(
    (body) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "cache-control": "no-store",
      })
      response.end(body)
    },
    () => response.writeHead(500).end(),
  )
}).listen(Number(process.env["PORT"]), "127.0.0.1")
