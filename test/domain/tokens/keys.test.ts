import { createDecipheriv, createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import * as Jose from "../../../adapters/crypto/jose.ts"
import * as TextHashes from "../../../adapters/crypto/text-hashes.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { Keys, layer, randomToken, tokenHash } from "../../../domain/tokens/keys.ts"

const [first, second] = ["a secret of thirty-two bytes or more", "another secret, also of thirty-two bytes"]
const crypto = Layer.mergeAll(NodeCrypto.layer, TextHashes.layer, Jose.layer)
const of = (...secrets: ReadonlyArray<string>) =>
  Effect.provide(Effect.service(Keys), layer(secrets.map((secret) => Redacted.make(secret)))).pipe(Effect.provide(crypto))
const refusal = (...secrets: ReadonlyArray<string>) => Effect.map(Effect.flip(of(...secrets)), ({ _tag, message }) => `${_tag}: ${message}`)

/** All texts that differ from this one in one character, are shorter by one, or longer. */
const changed = (text: string) => [
  ...Array.from(text, (character, at) => text.slice(0, at) + (character === "A" ? "B" : "A") + text.slice(at + 1)),
  ...[text.slice(1), text.slice(0, -1), `${text}A`, `A${text}`, `${text}=`, ` ${text}`, "", "A", "\0", "🔑"],
]

describe("a secret", () => {
  it.effect("has at least 32 bytes, in UTF-8", () =>
    Effect.gen(function* () {
      yield* of("x".repeat(32))
      yield* of("é".repeat(16))
      assert.strictEqual(yield* refusal("x".repeat(31)), "WeakSecret: a secret needs at least 32 bytes, this one has 31")
      assert.include(yield* refusal(""), "WeakSecret")
    }),
  )

  it.effect("is required, and none in the list may be too short", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal(), "WeakSecret: at least one secret is required")
      assert.include(yield* refusal(first, "weak"), "WeakSecret")
    }),
  )

  it.effect("is not in the message of the error", () => Effect.map(refusal("hunter2"), (message) => assert.notInclude(message, "hunter2")))
})

describe("a signature", () => {
  it.effect("is valid for its text, its purpose and its secret alone", () =>
    Effect.gen(function* () {
      const [keys, others] = [yield* of(first), yield* of(second)]
      const tag = yield* keys.sign("session", "text")
      assert.isTrue(yield* keys.verify("session", "text", tag))
      assert.isFalse(yield* keys.verify("session", "another text", tag))
      assert.isFalse(yield* keys.verify("multi_session", "text", tag))
      assert.isFalse(yield* others.verify("session", "text", tag))
      for (const bad of changed(tag)) assert.isFalse(yield* keys.verify("session", "text", bad), bad)
    }),
  )

  it.effect("is made with the first secret and valid under each listed one", () =>
    Effect.gen(function* () {
      const rotated = yield* of(second, first)
      assert.isTrue(yield* rotated.verify("session", "text", yield* (yield* of(first)).sign("session", "text")))
      assert.isTrue(yield* (yield* of(second)).verify("session", "text", yield* rotated.sign("session", "text")))
    }),
  )
})

describe("a key", () => {
  it.effect("is derived by HKDF from the secret, its kind and its purpose: another derivation would end all sessions", () =>
    Effect.gen(function* () {
      const key = (kind: string) => Buffer.from(hkdfSync("sha256", first, "", `sallyport/${kind}/purpose`, 32))
      const keys = yield* of(first)
      assert.strictEqual(yield* keys.sign("purpose", "text"), createHmac("sha256", key("mac")).update("text").digest("base64url"))

      const [, id, value] = (yield* keys.seal("purpose", "text")).split("!")
      assert.strictEqual(id, Buffer.from(hkdfSync("sha256", first, "", "sallyport/id", 6)).toString("base64url"))
      const sealed = Buffer.from(value ?? "", "base64url")
      const decipher = createDecipheriv("aes-256-gcm", key("seal"), sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16))
      assert.strictEqual(decipher.update(sealed.subarray(12, -16), undefined, "utf8") + decipher.final("utf8"), "text")

      const [{ publicKey }] = yield* keys.signingKeys("purpose")
      const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), key("ed25519")])
      const pair = createPublicKey(createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }))
      assert.strictEqual(publicKey.x, pair.export({ format: "jwk" }).x)
    }),
  )
})

describe("a key pair", () => {
  it.effect("is one for each purpose and secret, the same at every start", () =>
    Effect.gen(function* () {
      const [keys, again, others] = [yield* of(first), yield* of(first), yield* of(second)]
      const [[own], [same], [foreign], [another]] = [
        yield* keys.signingKeys("jwt"),
        yield* again.signingKeys("jwt"),
        yield* others.signingKeys("jwt"),
        yield* keys.signingKeys("id_token"),
      ]
      assert.deepStrictEqual(own, same)
      assert.strictEqual(new Set([own, foreign, another].map(({ publicKey }) => publicKey.x)).size, 3)

      const token = yield* Jwt.sign(own, { sub: "a user" })
      const opens = (key: Jws.SigningKey, sent = token) => Effect.map(Jws.open([{ ...key, kid: undefined }], sent), Option.isSome)
      assert.isTrue(yield* opens(same))
      for (const other of [foreign, another]) assert.isFalse(yield* opens(other))
      for (const bad of changed(token)) assert.isFalse(yield* opens(own, bad), bad)
    }).pipe(Effect.provide(Jose.layer)),
  )

  it.effect("exists for every listed secret, the newest first", () =>
    Effect.gen(function* () {
      const rotated = yield* (yield* of(second, first)).signingKeys("jwt")
      const [newer, older] = [yield* (yield* of(second)).signingKeys("jwt"), yield* (yield* of(first)).signingKeys("jwt")]
      assert.deepStrictEqual(rotated, [newer[0], older[0]])
    }),
  )
})

describe("a sealed text", () => {
  it.effect("is opened for its purpose and under its secret alone", () =>
    Effect.gen(function* () {
      const [keys, others] = [yield* of(first), yield* of(second)]
      for (const text of ["", "text", "名前 👩‍👩‍👧", "\0"]) {
        const sealed = yield* keys.seal("outbox", text)
        assert.deepStrictEqual(yield* keys.open("outbox", sealed), Option.some(text))
        assert.deepStrictEqual(yield* keys.open("another purpose", sealed), Option.none())
        assert.deepStrictEqual(yield* others.open("outbox", sealed), Option.none())
      }
    }),
  )

  it.effect("cannot be changed", () =>
    Effect.gen(function* () {
      const keys = yield* of(first)
      for (const bad of changed(yield* keys.seal("outbox", "text")))
        assert.deepStrictEqual(yield* keys.open("outbox", bad), Option.none(), bad)
    }),
  )

  it.effect("differs each time, and does not reveal the text", () =>
    Effect.gen(function* () {
      const keys = yield* of(first)
      const [one, two] = [yield* keys.seal("outbox", "plainly"), yield* keys.seal("outbox", "plainly")]
      assert.notStrictEqual(one, two)
      assert.notInclude(Buffer.from(one, "base64url").toString("latin1"), "plainly")
    }),
  )

  it.effect("is opened under each listed secret", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* of(first)).seal("outbox", "text")
      assert.deepStrictEqual(yield* (yield* of(second, first)).open("outbox", sealed), Option.some("text"))
    }),
  )
})

describe("a text sealed under an older secret", () => {
  it.effect("is sealed again with the first one, and unchanged if it already is", () =>
    Effect.gen(function* () {
      const [old, rotated, fresh] = [yield* of(first), yield* of(second, first), yield* of(second)]
      const sealed = yield* old.seal("outbox", "text")
      const renewed = Option.getOrThrow(yield* rotated.reseal("outbox", sealed))
      assert.deepStrictEqual(yield* fresh.open("outbox", renewed), Option.some("text"))
      assert.deepStrictEqual(yield* old.open("outbox", renewed), Option.none())
      assert.deepStrictEqual(yield* rotated.reseal("outbox", renewed), Option.some(renewed))
      assert.deepStrictEqual(yield* rotated.reseal("another purpose", sealed), Option.none())
      assert.deepStrictEqual(yield* fresh.reseal("outbox", sealed), Option.none())
    }),
  )

  it.effect("is opened without an id, too, as earlier versions wrote it", () =>
    Effect.gen(function* () {
      const rotated = yield* of(second, first)
      const bare = (yield* (yield* of(first)).seal("outbox", "text")).split("!")[2] ?? ""
      assert.deepStrictEqual(yield* rotated.open("outbox", bare), Option.some("text"))
      assert.deepStrictEqual(yield* (yield* of(second)).open("outbox", bare), Option.none())
    }),
  )

  it.effect("is not opened under the id of another secret", () =>
    Effect.gen(function* () {
      const rotated = yield* of(second, first)
      const bare = (yield* (yield* of(first)).seal("outbox", "text")).split("!")[2] ?? ""
      assert.deepStrictEqual(yield* rotated.open("outbox", `!${rotated.ids[0]}!${bare}`), Option.none())
    }),
  )
})

describe("a token", () => {
  it.effect("has 256 bits, and its hash depends on its kind", () =>
    Effect.gen(function* () {
      const token = yield* randomToken
      assert.match(token, /^[\w-]{43}$/)
      assert.notStrictEqual(token, yield* randomToken)
      assert.strictEqual(yield* tokenHash("session", token), createHash("sha256").update(`session:${token}`).digest("base64url"))
      assert.notStrictEqual(yield* tokenHash("session", token), yield* tokenHash("reset_password", token))
    }).pipe(Effect.provide(Layer.merge(NodeCrypto.layer, TextHashes.layer))),
  )
})
