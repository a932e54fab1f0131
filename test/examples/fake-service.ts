import { createServer, type IncomingHttpHeaders } from "node:http"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { atEnd } from "../e2e/endings.ts"
import { freeOrigin } from "./example.ts"

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
}

/** A service whose answers the test chooses, with keys of its own. */
export const startFakeService = async () => {
  const { port, url } = await freeOrigin()
  const issuer = `${url}/api/auth`
  const [ed25519, rsa] = await Promise.all([generateKeyPair("EdDSA"), generateKeyPair("RS256")])
  const keys = [
    { ...(await exportJWK(ed25519.publicKey)), kid: "ed25519", alg: "EdDSA", use: "sig" },
    { ...(await exportJWK(rsa.publicKey)), kid: "rsa", alg: "RS256", use: "sig" },
  ]
  const fake = {
    url,
    issuer,
    /** The answer of `/get-session`. */
    answer: { status: 200, body: "{}" } as Answer,
    /** The answer of `/jwks`. */
    keys: { status: 200, body: JSON.stringify({ keys }) } as Answer,
    /** The fields of the last request for a session. */
    asked: {} as IncomingHttpHeaders,
    token: (changes: JWTPayload = {}, kid: "ed25519" | "rsa" = "ed25519") => {
      const claims = { sub: "1", email: "ada@example.com", iss: issuer, aud: issuer, exp: Math.floor(Date.now() / 1000) + 60, ...changes }
      const [alg, { privateKey }] = kid === "rsa" ? ["RS256", rsa] : ["EdDSA", ed25519]
      return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey)
    },
    /** Signed with the text of the public key as a shared secret. */
    confused: () =>
      new SignJWT({ sub: "1", email: "ada@example.com" })
        .setProtectedHeader({ alg: "HS256", kid: "ed25519" })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setExpirationTime("1m")
        .sign(new TextEncoder().encode(keys[0]?.x)),
  }
  const server = createServer((request, response) => {
    const isForKeys = request.url === "/api/auth/jwks"
    if (!isForKeys) fake.asked = request.headers
    const { status, body, headers = {} } = isForKeys ? fake.keys : fake.answer
    response.writeHead(status, { "content-type": "application/json", ...(headers as Record<string, string | Array<string>>) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(Number(port), "localhost", resolve))
  atEnd(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return fake
}
