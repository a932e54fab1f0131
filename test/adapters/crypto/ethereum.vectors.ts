import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { Effect, Option } from "effect"
import { computeAddress, SigningKey } from "ethers"
import { layer } from "../../../adapters/crypto/ethereum.ts"
import { signerOf } from "../../../adapters/crypto/ethereum-signatures.ts"
import { Ethereum } from "../../../domain/ports/ethereum.ts"
import { vectors } from "../../vectors.ts"

describe("Ethereum's vectors", () => {
  it.effect("EIP-55: every address, from any spelling", () =>
    Effect.gen(function* () {
      const { allCaps, allLower, normal } = vectors<Eip55>("eth/eip55-addresses.json")
      const addresses = [...allCaps, ...allLower, ...normal]
      assert.lengthOf(addresses, 8)
      for (const address of addresses) {
        for (const spelled of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
          assert.strictEqual(yield* (yield* Ethereum).checksummed(spelled), address)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("secp256k1: signatures by the keys of RFC 6979's vectors, with the nonces of the file", () =>
    Effect.gen(function* () {
      const cases = vectors<ReadonlyArray<Record<"message" | "d" | "k0", string>>>("secp256k1/rfc6979.json")
      assert.lengthOf(cases, 10)
      for (const { message, d, k0 } of cases) {
        const digest = createHash("sha256").update(message).digest()
        const signature = new SigningKey(`0x${d}`).sign(digest)
        const { x } = secp256k1.Point.BASE.multiply(BigInt(`0x${k0}`)).toAffine()
        assert.strictEqual(BigInt(signature.r), x % secp256k1.Point.CURVE().n, message)
        assert.deepStrictEqual(signerOf(digest, signature.serialized), Option.some(computeAddress(`0x${d}`)), message)
      }
    }),
  )

  it("secp256k1: Wycheproof's signatures name their key, or no key if they are invalid or have a high s", () => {
    const { testGroups } = vectors<Wycheproof>("wycheproof/ecdsa_secp256k1_sha256_p1363_test.json")
    const cases = testGroups.flatMap(({ publicKey, tests }) => tests.map((test) => ({ ...test, key: publicKey.uncompressed })))
    assert.lengthOf(cases, 252)
    const tally = { named: 0, mirrored: 0, refused: 0 }
    for (const { tcId, key, msg, sig, result, comment } of cases) {
      const digest = createHash("sha256").update(Buffer.from(msg, "hex")).digest()
      const address = computeAddress(`0x${key}`)
      const isNamed = ["1b", "1c"].some((recovery) => Option.contains(signerOf(digest, `0x${sig}${recovery}`), address))
      const isMirrored = result === "valid" && secp256k1.Signature.fromHex(sig).hasHighS()
      assert.strictEqual(isNamed, result === "valid" && !isMirrored, `${tcId} ${comment}`)
      tally[isNamed ? "named" : isMirrored ? "mirrored" : "refused"] += 1
    }
    assert.deepStrictEqual(tally, { named: 95, mirrored: 72, refused: 85 })
  })
})

type Eip55 = Readonly<Record<"allCaps" | "allLower" | "normal", ReadonlyArray<string>>>

interface Wycheproof {
  readonly testGroups: ReadonlyArray<{
    readonly publicKey: { readonly uncompressed: string }
    readonly tests: ReadonlyArray<Record<"msg" | "sig" | "result" | "comment", string> & { readonly tcId: number }>
  }>
}
