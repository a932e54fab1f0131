import { createPrivateKey, sign } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Jose from "../../../adapters/crypto/jose.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { ed25519 } from "../../../domain/tokens/signing-key.ts"

const base64url = (text: string) => Buffer.from(text).toString("base64url")

/** RFC 8037 appendix A. */
const rfc8037 = {
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  payload: "Example of Ed25519 signing",
  signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
}
const compact = `${base64url('{"alg":"EdDSA"}')}.${base64url(rfc8037.payload)}.${rfc8037.signature}`

const rfcKey = Effect.provide(ed25519(new Uint8Array(Buffer.from(rfc8037.d, "base64url"))), Jose.layer)

/** Verifies with the key of RFC 8037, whatever `kid` a token has. */
const opened = Effect.fnUntraced(function* (token: string) {
  const payload = yield* Jws.open([{ ...(yield* rfcKey), kid: undefined }], token)
  return Option.getOrNull(Option.map(payload, (bytes) => Buffer.from(bytes).toString()))
}, Effect.provide(Jose.layer))

const signatureOf = Effect.fnUntraced(function* (text: string) {
  const key = createPrivateKey({ key: { ...(yield* rfcKey).privateKey }, format: "jwk" })
  return sign(null, Buffer.from(text), key).toString("base64url")
})

/** A token with this header and a valid signature. */
const withHeader = Effect.fnUntraced(function* (header: string, payload = base64url(rfc8037.payload)) {
  return `${header}.${payload}.${yield* signatureOf(`${header}.${payload}`)}`
})

describe("RFC 8037", () => {
  it.effect("the key, its thumbprint and the signature of appendix A", () =>
    Effect.gen(function* () {
      const { publicKey } = yield* rfcKey
      assert.deepStrictEqual(publicKey, { kty: "OKP", crv: "Ed25519", x: rfc8037.x, use: "sig", alg: "EdDSA", kid: rfc8037.thumbprint })
      assert.strictEqual(yield* signatureOf(compact.slice(0, compact.lastIndexOf("."))), rfc8037.signature)
      assert.strictEqual(yield* opened(compact), rfc8037.payload)
    }),
  )
})

describe("a compact JWS", () => {
  it.effect("names its algorithm, type and key", () =>
    Effect.gen(function* () {
      const token = yield* Jwt.sign({ ...(yield* rfcKey), kid: "a key" }, { sub: "a user" }, "JWT")
      const [header = "", payload = ""] = token.split(".")
      assert.strictEqual(Buffer.from(header, "base64url").toString(), '{"alg":"EdDSA","typ":"JWT","kid":"a key"}')
      assert.strictEqual(Buffer.from(payload, "base64url").toString(), '{"sub":"a user"}')
      assert.strictEqual(yield* opened(token), '{"sub":"a user"}')
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("is not parsed above 8192 characters, since the signature is checked only afterwards", () =>
    Effect.gen(function* () {
      const ofLength = (length: number) => withHeader(base64url('{"alg":"EdDSA"}'), base64url("x".repeat(length)))
      const longest = yield* ofLength(6063)
      assert.strictEqual(longest.length, 8192)
      assert.strictEqual((yield* opened(longest))?.length, 6063)
      assert.isNull(yield* opened(yield* ofLength(6064)))
    }),
  )

  it.effect("has three parts in canonical base64url", () =>
    Effect.gen(function* () {
      const [header = "", payload = "", signature = ""] = compact.split(".")
      const changed = (part: string) => [
        ...Array.from(part, (character, at) => part.slice(0, at) + (character === "A" ? "B" : "A") + part.slice(at + 1)),
        ...["", part.slice(1), part.slice(0, -1), `${part}A`, `${part}=`, `${part}==`, `${part} `, ` ${part}`, `${part}\n`, `${part}.`],
        ...[part.replace(/[-_]/, "+"), part.replace(/[-_]/, "/")].filter((other) => other !== part),
      ]
      const bad = [
        ...changed(header).map((other) => `${other}.${payload}.${signature}`),
        ...changed(payload).map((other) => `${header}.${other}.${signature}`),
        ...changed(signature).map((other) => `${header}.${payload}.${other}`),
        ...["", ".", "..", "...", ".".repeat(100_000), compact.replaceAll(".", " "), `${compact}.`, `.${compact}`, `"${compact}"`],
        ...[`${header}.${payload}`, `${header}.${payload}.`, `${header}..${signature}`, `.${payload}.${signature}`],
        JSON.stringify({ protected: header, payload, signature }),
      ]
      for (const token of bad) assert.isNull(yield* opened(token), token.slice(0, 300))
    }),
  )

  it.effect("is refused in another encoding, even a signed one", () =>
    Effect.gen(function* () {
      const header = base64url('{"alg":"EdDSA"}')
      assert.strictEqual(yield* opened(yield* withHeader(header)), rfc8037.payload)
      for (const spelled of [`${header}=`, `${header} `, `${header.slice(0, 4)}\n${header.slice(4)}`]) {
        assert.isNull(yield* opened(yield* withHeader(spelled)), spelled)
      }
      assert.strictEqual(yield* opened(yield* withHeader(header, "AA")), "\0")
      for (const payload of ["AB", "AA==", "A", "AA?", "A A"]) assert.isNull(yield* opened(yield* withHeader(header, payload)), payload)
    }),
  )

  it.effect("may have unknown members and spaces in its header", () =>
    Effect.gen(function* () {
      const jwk = { kty: "OKP", crv: "Ed25519", x: "A".repeat(43) }
      const elsewhere = "https://attacker.example/keys"
      const more = { jwk, jku: elsewhere, x5u: elsewhere, x5c: ["AAAA"], typ: "anything", cty: "JWT", other: { alg: "none" } }
      const header = base64url(JSON.stringify({ alg: "EdDSA", ...more }, null, 2))
      assert.strictEqual(yield* opened(yield* withHeader(header)), rfc8037.payload)
    }),
  )

  it.effect("is refused for any other algorithm, for extensions, and for headers that are not one object", () =>
    Effect.gen(function* () {
      const bad = [
        ...["none", "None", "NONE", "", "HS256", "eddsa", "EdDSA ", "Ed25519", "ES256"].map((alg) => JSON.stringify({ alg })),
        ...['{"alg":["EdDSA"]}', '{"alg":null}', '{"alg":true}', "{}", '{"typ":"JWT"}'],
        ...['{"alg":"EdDSA","crit":["b64"],"b64":true}', '{"alg":"EdDSA","crit":["exp"],"exp":1}'],
        ...['{"alg":"EdDSA","crit":[]}', '{"alg":"EdDSA","crit":null}', '{"alg":"EdDSA","crit":"alg"}'],
        ...['{"alg":"EdDSA","kid":1}', '{"alg":"EdDSA","kid":null}', '{"alg":"EdDSA","kid":["a key"]}'],
        ...['{"alg":"none","alg":"EdDSA"}', '{"alg":"EdDSA","alg":"none"}', '{"alg":"EdDSA","kid":"a","kid":"b"}'],
        ...[
          '["EdDSA"]',
          '"EdDSA"',
          "null",
          "",
          '{"alg":"EdDSA"',
          '{"alg":"EdDSA"}x',
          '\ufeff{"alg":"EdDSA"}',
          '{"__proto__":{"alg":"EdDSA"}}',
        ],
      ]
      for (const header of bad) assert.isNull(yield* opened(yield* withHeader(base64url(header))), header)
    }),
  )
})
