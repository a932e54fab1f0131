import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { jwt } from "../../application/modules/jwt/index.ts"
import { createVerifier } from "../../backend/verify-token.ts"
import { cookieOf, get, port, post, served } from "../adapters/http/served.ts"
import { core, password } from "../world.ts"

const issuer = "https://auth.example.com"

/** The address of a server with one response. */
const answering = Effect.fnUntraced(function* (status: number, body: string) {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1")
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  yield* Effect.promise(() => new Promise((resolve) => server.once("listening", resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

describe("a verifier of tokens", () => {
  layer(served({ modules: [...core, jwt.build({ algorithm: "EdDSA", expires_in: 900, issuer })] }), { excludeTestServices: true })((it) => {
    it.effect("accepts a token of its issuer for its audience, by the published keys", () =>
      Effect.gen(function* () {
        const cookie = cookieOf(yield* post("/sign-up/email", { email: "token@example.com", password }))
        const { token } = (yield* get("/token", { headers: { cookie } })).json
        const jwksUrl = `http://127.0.0.1:${yield* port}/api/auth/jwks`
        const verdict = (options: object) => Effect.promise(() => createVerifier({ issuer, jwksUrl, ...options })(token))

        const valid = yield* verdict({})
        assert.strictEqual(valid.status === "valid" ? valid.claims.email : valid.reason, "token@example.com")
        assert.strictEqual((yield* verdict({ audience: "https://other.example.com" })).status, "invalid")
        assert.strictEqual((yield* verdict({ issuer: "https://other.example.com", audience: issuer })).status, "invalid")
        assert.strictEqual((yield* verdict({ jwksUrl: "http://127.0.0.1:1/jwks" })).status, "unavailable")
      }),
    )
  })

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("refuses other algorithms, expired and unsigned tokens", () =>
      Effect.gen(function* () {
        const ed = yield* Effect.promise(() => generateKeyPair("Ed25519"))
        const rsa = yield* Effect.promise(() => generateKeyPair("RS256"))
        const keys = yield* Effect.promise(async () => [
          { ...(await exportJWK(ed.publicKey)), kid: "ed" },
          { ...(await exportJWK(rsa.publicKey)), kid: "rsa" },
        ])
        const verify = createVerifier({ issuer, jwksUrl: yield* answering(200, JSON.stringify({ keys })) })
        const signed = (alg: string, kid: string, key: CryptoKey, expiry: string) =>
          new SignJWT({ email: "a@example.com" })
            .setProtectedHeader({ alg, kid })
            .setSubject("u")
            .setIssuer(issuer)
            .setAudience(issuer)
            .setExpirationTime(expiry)
            .sign(key)
        const status = (token: Promise<string>) => Effect.promise(async () => (await verify(await token)).status)

        assert.strictEqual(yield* status(signed("EdDSA", "ed", ed.privateKey, "1h")), "valid")
        assert.strictEqual(yield* status(signed("RS256", "rsa", rsa.privateKey, "1h")), "invalid")
        assert.strictEqual(yield* status(signed("EdDSA", "ed", ed.privateKey, "2s ago")), "valid")
        assert.strictEqual(yield* status(signed("EdDSA", "ed", ed.privateKey, "7s ago")), "invalid")
        assert.strictEqual(yield* status(Promise.resolve("eyJhbGciOiJub25lIn0.e30.")), "invalid")
        assert.strictEqual(yield* status(Promise.resolve("nonsense")), "invalid")
      }),
    )
  })

  it.effect("is unavailable without a key set, since the token cannot be verified then", () =>
    Effect.gen(function* () {
      const { privateKey } = yield* Effect.promise(() => generateKeyPair("Ed25519"))
      const token = yield* Effect.promise(() => new SignJWT({}).setProtectedHeader({ alg: "EdDSA", kid: "ed" }).sign(privateKey))
      for (const [status, body] of [
        [503, JSON.stringify({ keys: [] })],
        [200, "<html>a proxy's page</html>"],
        [200, "{}"],
      ] as const) {
        const verify = createVerifier({ issuer, jwksUrl: yield* answering(status, body) })
        assert.strictEqual((yield* Effect.promise(() => verify(token))).status, "unavailable", `${status} ${body}`)
      }
    }),
  )
})
