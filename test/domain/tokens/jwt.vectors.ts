import type { JsonWebKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import * as Jose from "../../../adapters/crypto/jose.ts"
import { Claims, jwt } from "../../../application/modules/jwt/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { ed25519, hmac } from "../../../domain/tokens/signing-key.ts"
import { vectors } from "../../vectors.ts"
import { browser, core, world } from "../../world.ts"

interface Jwk extends JsonWebKey {
  readonly alg?: string
  readonly use?: string
  readonly key_ops?: ReadonlyArray<string>
}

const signature = (text: string) => Buffer.from(text, "base64url")

/** Null for a key whose `use` or `key_ops` do not allow it to verify signatures. Also of algorithms that this service does not use. */
const keyOf = (jwk: Jwk): Jws.SigningKey | null => {
  const isForSignatures = (jwk.use ?? "sig") === "sig" && (jwk.key_ops ?? ["verify"]).some((use) => use.includes("verify"))
  if (!isForSignatures) return null
  if (jwk.kty === "oct") return hmac(new Uint8Array(signature(String(jwk.k))))
  const { use: _, key_ops: __, d: ___, ...publicKey } = jwk
  return { alg: String(jwk.alg), kid: undefined, privateKey: {}, publicKey }
}

const holds = (key: Jws.SigningKey | null, token: string) =>
  key === null ? Effect.succeed(false) : Effect.map(Jws.open([key], token), Option.isSome)

interface Wycheproof {
  readonly testGroups: ReadonlyArray<{
    readonly comment: string
    readonly private: Jwk
    readonly public?: Jwk
    readonly tests: ReadonlyArray<{ readonly tcId: number; readonly jws: string; readonly result: string }>
  }>
}

/** The algorithms that figures 20 and 27 of RFC 7520 use. The keys in the file name other algorithms than their tokens. */
const misnamed: Readonly<Record<string, string>> = { PS256: "PS384", ES521: "ES512" }
const jwkOf = ({ comment, ...group }: Wycheproof["testGroups"][number]): Jwk => {
  const jwk = group.public ?? group.private
  const alg = comment.startsWith("rfc7520") ? misnamed[jwk.alg ?? ""] : undefined
  return alg === undefined ? jwk : { ...jwk, alg }
}

/** The vectors call them valid, but they contain a character that is not base64url: RFC 7515 requires their refusal. */
const withForeignCharacter = [372, 373]
/** The vectors call these invalid, although they are the same token as in case 357, which is valid. */
const sameAsValid = [367, 370]

interface Confusions {
  readonly tests: ReadonlyArray<{ readonly jws: string; readonly result: string }>
}
interface Classic {
  readonly name: string
  readonly token: string
  readonly expect: string
}
interface Example {
  readonly input: { readonly key: Jwk; readonly payload: string; readonly alg: string }
  readonly output: { readonly compact?: string; readonly json: unknown; readonly json_flat?: unknown }
}

describe("tokens' vectors", () => {
  it.effect("Wycheproof: every case as its file says", () =>
    Effect.gen(function* () {
      const { testGroups } = vectors<Wycheproof>("wycheproof/json_web_signature_test.json")
      const cases = testGroups.flatMap((group) => group.tests.map((test) => ({ ...test, key: keyOf(jwkOf(group)) })))
      assert.lengthOf(cases, 401)
      const valid = cases.find(({ tcId }) => tcId === 357)
      for (const { tcId, key, jws, result } of cases) {
        const held = yield* holds(key, jws)
        if (withForeignCharacter.includes(tcId)) {
          assert.include(jws, "?")
          assert.isFalse(held, `${tcId}`)
        } else if (sameAsValid.includes(tcId)) {
          assert.strictEqual(jws, valid?.jws)
        } else {
          assert.strictEqual(held, result === "valid", `${tcId}`)
        }
      }
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("no `none`, no confusion of algorithms, no token of others passes /token/verify", () =>
    Effect.gen(function* () {
      const confusions = vectors<Confusions>("jwt/wycheproof-none-and-confusion.json").tests
      assert.lengthOf(confusions, 15)
      assert.isTrue(confusions.every(({ result }) => result === "invalid"))
      const classics = vectors<ReadonlyArray<Classic>>("jwt/classics.json")
      assert.lengthOf(classics, 17)
      assert.isTrue(classics.every(({ expect }) => expect.startsWith("reject")))
      const tokens = [...confusions.map(({ jws }) => jws), ...classics.map(({ token }) => token)]
      for (const algorithm of ["HS256", "EdDSA"] as const) {
        const built = jwt.build({ algorithm, expires_in: 900 })
        const anonymous = browser(AuthOf.make([...core, built]))
        for (const token of tokens)
          assert.strictEqual(yield* anonymous.code(built.endpoints.tokenVerify, { token }), "invalid_token", token)
      }
    }).pipe(Effect.provide(world(core))),
  )

  it.effect("claims of wrong types are refused, although the signature is valid", () =>
    Effect.gen(function* () {
      const illTyped = vectors<ReadonlyArray<Classic & { readonly keyHint?: string }>>("jwt/classics.json").filter(({ keyHint }) => keyHint)
      assert.lengthOf(illTyped, 5)
      const { email_verified, aud, ...theirs } = Claims.fields
      for (const { token, keyHint = "" } of illTyped) {
        const key = hmac(Buffer.from(keyHint))
        assert.isTrue(yield* holds(key, token), token)
        assert.isTrue(Option.isNone(yield* Jwt.read([key], Schema.Struct(theirs), token)), token)
      }
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("the JOSE cookbook: compact signatures are valid, all other serializations are refused", () =>
    Effect.gen(function* () {
      const files = ["4_1.rsa_v15_signature", "4_2.rsa-pss_signature", "4_3.ecdsa_signature", "4_4.hmac-sha2_integrity_protection"]
      for (const name of files) {
        const { input, output } = vectors<Example>(`jose/cookbook/jws/${name}.json`)
        const key = keyOf({ ...input.key, alg: input.alg })
        assert.isNotNull(key)
        const payload = Option.map(yield* Jws.open([key], output.compact ?? ""), (bytes) => Buffer.from(bytes).toString())
        assert.deepStrictEqual(payload, Option.some(input.payload), name)
        for (const json of [output.json, output.json_flat]) assert.isFalse(yield* holds(key, JSON.stringify(json)), name)
      }
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("the JOSE cookbook: detached and unencoded payloads are refused", () =>
    Effect.gen(function* () {
      for (const name of ["jws/4_5.signature_with_detached_content", "rfc7797/hmac-sha2_b64_false"]) {
        const { input, output } = vectors<Example>(`jose/cookbook/${name}.json`)
        assert.isString(output.compact)
        assert.isFalse(yield* holds(keyOf(input.key), output.compact ?? ""), name)
      }
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("the JOSE cookbook: EdDSA of RFC 8037", () =>
    Effect.gen(function* () {
      const { input, output } = vectors<Example>("jose/cookbook/curve25519/jws.json")
      const key = yield* ed25519(new Uint8Array(signature(String(input.key.d))))
      assert.strictEqual(key.publicKey.x, input.key.x)
      const payload = Option.map(yield* Jws.open([{ ...key, kid: undefined }], output.compact ?? ""), (bytes) =>
        Buffer.from(bytes).toString(),
      )
      assert.deepStrictEqual(payload, Option.some(input.payload))
    }).pipe(Effect.provide(Jose.layer)),
  )
})
