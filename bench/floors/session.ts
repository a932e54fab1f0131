// What the hand-written servers of GET /get-session share: the check of the signed cookie, the JSON, and the server. Requires
// SALLYPORT_SECRET and PORT.
import { createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

const key = Buffer.from(hkdfSync("sha256", process.env["SALLYPORT_SECRET"] ?? "", "", "sallyport/mac/session", 32))
const maxLifetime = 2_592_000_000
const updateAge = 86_400_000
export const noSession = JSON.stringify({ session: null, user: null })

/** The stored hash of the token in a cookie; null if the cookie is missing or its signature is wrong. */
export const tokenHashOf = (cookies: string | undefined): string | null => {
  const value = /(?:^|; )__Host-session=([^;]+)/.exec(cookies ?? "")?.[1]
  const [token, signature] = value?.split(".") ?? []
  if (token === undefined || signature === undefined) return null
  const tag = createHmac("sha256", key).update(token).digest()
  const given = Buffer.from(signature, "base64url")
  return given.length === tag.length && timingSafeEqual(given, tag) ? hash("sha256", `session:${token}`, "base64url") : null
}

/** Whether the session is valid, from its times in milliseconds. */
export const isValid = (expires: number, created: number, refreshed: number): boolean => {
  const now = Date.now()
  if (expires <= now || created + maxLifetime <= now) return false
  if (refreshed + updateAge <= now) throw new Error("the floor does not refresh sessions")
  return true
}

/** A session and its user; times as RFC 3339. */
export interface Found {
  readonly id: string
  readonly user_id: string
  readonly expires_at: string
  readonly began_at: string
  readonly refreshed_at: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string | null
  readonly image: string | null
  readonly created_at: string
  readonly updated_at: string
}

export const written = (found: Found): string => {
  const { id, user_id, expires_at, began_at, refreshed_at, email, email_verified, name, image, created_at, updated_at } = found
  const user = `{"id":"${user_id}","email":${JSON.stringify(email)},"email_verified":${email_verified},"name":${JSON.stringify(name)},"image":${JSON.stringify(image)},"created_at":"${created_at}","updated_at":"${updated_at}"}`
  return `{"session":{"id":"${id}","expires_at":"${expires_at}","created_at":"${began_at}","updated_at":"${refreshed_at}","user_id":"${user_id}"},"user":${user}}`
}

/** Serves the answers; the argument of `answer` is the header field `Cookie`. */
export const serve = (answer: (cookies: string | undefined) => Promise<string>): void => {
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
}
