import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import * as OurMac from "../../../adapters/crypto/mac.ts"

const utf8 = new TextEncoder()
const tagged = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, utf8.encode("key"))
  const other = yield* Mac.key(Mac.hmacSha256, utf8.encode("another key"))
  const text = utf8.encode("The quick brown fox jumps over the lazy dog")
  const tag = yield* mac.sign(key, text)
  const again = yield* mac.sign(key, text)
  const judged = [yield* mac.verify(key, tag, text), yield* mac.verify(other, tag, text), yield* mac.verify(key, tag.subarray(1), text)]
  return { tag: Buffer.from(tag).toString("hex"), again: Buffer.from(again).toString("hex"), judged }
})

describe("HMAC with cached keys", () => {
  it.effect("creates and verifies the same tags as the platform's own layer", () =>
    Effect.gen(function* () {
      const ours = yield* Effect.provide(tagged, OurMac.layer)
      assert.deepStrictEqual(ours, yield* Effect.provide(tagged, NodeCrypto.layerMac))
      assert.strictEqual(ours.tag, "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8")
      assert.deepStrictEqual(ours.judged, [true, false, false])
    }),
  )
})
