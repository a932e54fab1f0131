// The same as ../backend.ts, with as little code as possible: node:crypto verifies the signature of the token with one key of the server.
// Requires JWKS_URL, ISSUER and PORT.
import { createPublicKey, verify } from "node:crypto"
import { createServer } from "node:http"

const issuer = process.env["ISSUER"]
const { keys } = await (await fetch(process.env["JWKS_URL"] ?? "")).json()
const key = createPublicKey({ key: keys[0], format: "jwk" })

const claimsOf = (authorization: string | undefined): string | null => {
  const [header = "", payload = "", signature = ""] = authorization?.slice("Bearer ".length).split(".") ?? []
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))) return null
  const text = Buffer.from(payload, "base64url").toString()
  const { iss, aud, exp } = JSON.parse(text)
  return iss === issuer && aud === issuer && exp * 1000 > Date.now() ? text : null
}

createServer((request, response) => {
  const claims = claimsOf(request.headers.authorization)
  const body = claims ?? "{}"
  response.writeHead(claims === null ? 401 : 200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}).listen(Number(process.env["PORT"]), "127.0.0.1")
