import { Effect } from "effect"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { challengeOf, issuer } from "./provider.ts"

/** A key of a client for DPoP, and its thumbprint. */
export const dpopKey = async (alg = "ES256") => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { alg, jwk, privateKey, jkt: await calculateJwkThumbprint(jwk) }
}
type DpopKey = Awaited<ReturnType<typeof dpopKey>>

let count = 0
/** The headers of a request with a proof (RFC 9449 section 4.2). */
export const proved = (key: DpopKey, path: string, claims: JWTPayload = {}, header: object = {}) =>
  Effect.promise(async () => {
    const payload = { jti: `proof ${count++}`, htm: "POST", htu: `${issuer}${path}`, iat: 0, ...claims }
    const jwt = new SignJWT(payload).setProtectedHeader({ alg: key.alg, typ: "dpop+jwt", jwk: key.jwk, ...header })
    return { dpop: await jwt.sign(key.privateKey) }
  })

/** The claims of a proof that is sent with an access token. */
export const withToken = (access_token: string, method = "GET") => ({ htm: method, ath: challengeOf(access_token) })
