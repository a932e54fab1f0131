import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/crypto/ed25519.ts"
import { Ed25519 } from "../../../domain/ports/ed25519.ts"
import { vectors, vectorText } from "../../vectors.ts"
import { bytes, hex, verify } from "./ed25519.ts"

interface Wycheproof {
  readonly testGroups: ReadonlyArray<{
    readonly publicKey: { readonly pk: string }
    readonly tests: ReadonlyArray<{ readonly tcId: number; readonly msg: string; readonly sig: string; readonly result: string }>
  }>
}
interface Zip215 {
  readonly vk_bytes: string
  readonly sig_bytes: string
}
interface EdgeCase {
  readonly message: string
  readonly pub_key: string
  readonly signature: string
}
interface Variants {
  readonly vectors: ReadonlyArray<{ readonly publicKey: string; readonly message: string; readonly signature: string }>
}

describe("Ed25519's vectors", () => {
  it.effect("Wycheproof: every case as its file says", () =>
    Effect.gen(function* () {
      const { testGroups } = vectors<Wycheproof>("wycheproof/ed25519_test.json")
      const cases = testGroups.flatMap(({ publicKey, tests }) => tests.map((test) => ({ ...test, pk: publicKey.pk })))
      assert.lengthOf(cases, 151)
      for (const { tcId, pk, msg, sig, result } of cases) assert.strictEqual(yield* verify(pk, sig, msg), result === "valid", `${tcId}`)
    }),
  )

  it.effect("sign.input: every key and signature", () =>
    Effect.gen(function* () {
      const ed25519 = yield* Ed25519
      const lines = vectorText("ed25519/sign.input.first256.txt").trim().split("\n")
      assert.lengthOf(lines, 256)
      for (const line of lines) {
        const [pair = "", publicKey = "", data = "", signed = ""] = line.split(":")
        const [secretKey, signature] = [bytes(pair.slice(0, 64)), signed.slice(0, 128)]
        assert.strictEqual(hex(yield* ed25519.publicKey(secretKey)), publicKey)
        assert.strictEqual(hex(yield* ed25519.sign(secretKey, bytes(data))), signature)
        assert.isTrue(yield* verify(publicKey, signature, data))
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("signatures that only ZIP 215 allows, and those of the variants with context and prehash, are refused", () =>
    Effect.gen(function* () {
      const zip215 = vectors<ReadonlyArray<Zip215>>("ed25519/zip215.json")
      assert.lengthOf(zip215, 196)
      const zcash = hex(new TextEncoder().encode("Zcash"))
      for (const { vk_bytes, sig_bytes } of zip215) assert.isFalse(yield* verify(vk_bytes, sig_bytes, zcash), vk_bytes + sig_bytes)

      const variants = vectors<Variants>("ed25519/rfc8032-ctx-ph.json").vectors
      assert.isAbove(variants.length, 0)
      for (const { publicKey, signature, message } of variants) assert.isFalse(yield* verify(publicKey, signature, message), signature)
    }),
  )

  it.effect("edge cases: keys of low or mixed order and signatures out of range are refused", () =>
    Effect.gen(function* () {
      const cases = vectors<ReadonlyArray<EdgeCase>>("ed25519/edge-cases.json")
      assert.lengthOf(cases, 12)
      for (const [index, { pub_key, signature, message }] of cases.entries()) {
        assert.isFalse(yield* verify(pub_key, signature, message), `${index}`)
      }
    }),
  )
})
