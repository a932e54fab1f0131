import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/crypto/ed25519.ts"
import { Ed25519 } from "../../../domain/ports/ed25519.ts"
import { bytes, hex, verify } from "./ed25519.ts"

/** RFC 8032 section 7.1, test 2. */
const rfc8032 = {
  secretKey: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
  publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  data: "72",
  signature:
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
}

/** The order of the group. If it is added to S, a verifier that does not check S < L (RFC 8032 section 5.1.7) accepts the signature too. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const littleEndian = (text: string) => BigInt(`0x${hex(bytes(text).reverse())}`)
const malleated = (signature: string) => {
  const sum = littleEndian(signature.slice(64)) + order
  return signature.slice(0, 64) + hex(bytes(sum.toString(16).padStart(64, "0")).reverse())
}

/** The points of low order in all their encodings: forged signatures would verify under each of them. */
const lowOrder = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].flatMap((point) => [point, point.slice(0, 62) + (Number.parseInt(point.slice(62), 16) ^ 0x80).toString(16).padStart(2, "0")])

describe("Ed25519", () => {
  it.effect("derives the key and the signature of RFC 8032, and verifies the signature", () =>
    Effect.gen(function* () {
      const ed25519 = yield* Ed25519
      const secretKey = bytes(rfc8032.secretKey)
      assert.strictEqual(hex(yield* ed25519.publicKey(secretKey)), rfc8032.publicKey)
      assert.strictEqual(hex(yield* ed25519.sign(secretKey, bytes(rfc8032.data))), rfc8032.signature)
      assert.isTrue(yield* verify(rfc8032.publicKey, rfc8032.signature, rfc8032.data))
    }).pipe(Effect.provide(layer)),
  )

  it.effect("refuses signatures of other bytes, keys and texts, and a second encoding of the same signature", () =>
    Effect.gen(function* () {
      const { publicKey, signature, data } = rfc8032
      assert.isFalse(yield* verify(publicKey, signature, `${data}00`))
      assert.isFalse(yield* verify(publicKey, signature, ""))
      assert.isFalse(yield* verify(publicKey, malleated(signature), data))
      const other = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
      assert.isFalse(yield* verify(other, signature, data))
      for (const bad of ["", signature.slice(2), `${signature}00`, `00${signature}`]) assert.isFalse(yield* verify(publicKey, bad, data))
    }),
  )

  it.effect("refuses keys that are not points of the curve, and points of low order", () =>
    Effect.gen(function* () {
      for (const point of lowOrder) {
        for (const first of lowOrder) {
          assert.isFalse(yield* verify(point, first + "0".repeat(64), ""), `${point} ${first}`)
        }
      }
      for (const none of ["", "00", "f".repeat(64), `02${"0".repeat(62)}`, "0".repeat(66)]) {
        assert.isFalse(yield* verify(none, rfc8032.signature, rfc8032.data), none)
      }
    }),
  )
})
