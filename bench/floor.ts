// What somebody who wants nothing but speed would write for GET /get-session: check the signed cookie,
// one prepared join, the same JSON. Run with DATABASE_URL, SALLYPORT_SECRET and PORT.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import pg from "pg"

const key = Buffer.from(hkdfSync("sha256", process.env["SALLYPORT_SECRET"] ?? "", "", "sallyport/mac/session", 32))
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 })
const text = `SELECT s.id AS sid, s.user_id, s.expires_at, s.created_at AS s_created, s.updated_at AS s_updated,
  u.id, u.email, u.email_verified, u.name, u.image, u.created_at, u.updated_at
  FROM "session" s JOIN "user" u ON u.id = s.user_id WHERE s.token_hash = $1`
const maxLifetime = 2_592_000_000
const updateAge = 86_400_000
const nobody = JSON.stringify({ session: null, user: null })

const tokenOf = (cookies: string | undefined): string | null => {
  const value = /(?:^|; )__Host-session=([^;]+)/.exec(cookies ?? "")?.[1]
  const [token, signature] = value?.split(".") ?? []
  if (token === undefined || signature === undefined) return null
  const tag = createHmac("sha256", key).update(token).digest()
  const given = Buffer.from(signature, "base64url")
  return given.length === tag.length && timingSafeEqual(given, tag) ? token : null
}

const answer = async (cookies: string | undefined): Promise<string> => {
  const token = tokenOf(cookies)
  if (token === null) return nobody
  const hash = createHash("sha256").update(`session:${token}`).digest("base64url")
  const { rows } = await pool.query({ name: "session", text, values: [hash] })
  const [row] = rows
  const now = Date.now()
  if (row === undefined || row.expires_at <= now || row.s_created.getTime() + maxLifetime <= now) return nobody
  if (row.s_updated.getTime() + updateAge <= now) throw new Error("the floor does not refresh sessions")
  const { sid, user_id, expires_at, s_created, s_updated, ...user } = row
  return JSON.stringify({ session: { id: sid, expires_at, created_at: s_created, updated_at: s_updated, user_id }, user })
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
