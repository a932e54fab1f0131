// A hand-written GET /get-session, as fast as Node and one PostgreSQL connection allow: it verifies the signed cookie, runs one
// prepared join in a pipeline and writes the same JSON. Requires DATABASE_URL, SALLYPORT_SECRET and PORT.
import type { Socket } from "node:net"
import pg from "pg"
import { isValid, noSession, serve, tokenHashOf, written } from "./session.ts"

const text = `SELECT s.id, s.user_id, s.expires_at, s.created_at, s.updated_at, u.email, u.email_verified, u.name, u.image, u.created_at, u.updated_at
  FROM "session" s JOIN "user" u ON u.id = s.user_id WHERE s.token_hash = $1`

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

type Row = [string, string, string, string, string, string, boolean, string | null, string | null, string, string]

serve(async (cookies) => {
  const tokenHash = tokenHashOf(cookies)
  if (tokenHash === null) return noSession
  gather()
  const { rows } = await client.query<Row>({ name: "session", text, values: [tokenHash], types, rowMode: "array" })
  const [row] = rows
  if (row === undefined) return noSession
  const [id, user_id, expires_at, began_at, refreshed_at, email, email_verified, name, image, created_at, updated_at] = row
  if (!isValid(Date.parse(expires_at), Date.parse(began_at), Date.parse(refreshed_at))) return noSession
  return written({ id, user_id, expires_at, began_at, refreshed_at, email, email_verified, name, image, created_at, updated_at })
})
