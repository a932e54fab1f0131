import { hkdfSync } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt, SignJWT } from "jose"
import { jwt } from "../../../application/modules/jwt/index.ts"
import { core, mailedToken, secret } from "../../world.ts"
import { get, post, refused, served, signedUp } from "./served.ts"

const email = "ada@example.com"
const issuer = "http://localhost:3000/api/auth"
const built = jwt.build({ algorithm: "HS256", expires_in: 900 })

/** A token for another service, signed with the key of this one: both have the same secret. */
const foreign = Effect.promise(() => {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "sallyport/mac/jwt", 32))
  const claims = { sub: "a user", email, email_verified: true, iss: issuer, aud: "https://api.example.com" }
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setIssuedAt(0).setExpirationTime(4_000_000_000).sign(key)
})

describe("a token over HTTP", () => {
  layer(served({ modules: [...core, built] }))((it) => {
    it.effect("says whether the address is verified, and its audience", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp(email)
        const { token } = (yield* get("/token", { headers })).json
        const { json } = yield* post("/token/verify", { token })
        assert.deepInclude(json.claims, { email, email_verified: false, iss: issuer, aud: issuer })
        assert.deepStrictEqual(json.claims, decodeJwt(token))

        yield* post("/send-verification-email", { email })
        yield* post("/verify-email", { token: yield* mailedToken }, { headers })
        assert.strictEqual(decodeJwt((yield* get("/token", { headers })).json.token)["email_verified"], true)
      }),
    )

    it.effect("is refused when it is for another service", () =>
      Effect.gen(function* () {
        const token = yield* foreign
        assert.strictEqual(refused(yield* post("/token/verify", { token })), "401 invalid_token")
      }),
    )
  })
})
