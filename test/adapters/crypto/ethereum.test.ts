import { assert, describe, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { Effect, Option } from "effect"
import { Wallet } from "ethers"
import { layer } from "../../../adapters/crypto/ethereum.ts"
import { Ethereum } from "../../../domain/ports/ethereum.ts"

const using = <A>(use: (ethereum: Ethereum["Service"]) => Effect.Effect<A>) => Effect.flatMap(Ethereum, use).pipe(Effect.provide(layer))

const wallet = new Wallet(`0x${"46".repeat(32)}`)
const text = "Sign me: ä 😀\n"
const signed = Effect.promise(() => wallet.signMessage(text))

/** The second valid signature of the same message, with n - s in place of s. */
const mirrored = (signature: string) => {
  const s = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${signature.endsWith("1b") ? "1c" : "1b"}`
}

describe("a wallet's signature", () => {
  it.effect("recovers the address of its key, with both forms of the recovery identifier and in upper and lower case", () =>
    Effect.gen(function* () {
      const signature = yield* signed
      const bare = signature.slice(0, 130)
      const [recovery, small] = signature.endsWith("1b") ? ["1B", "00"] : ["1C", "01"]
      for (const spelled of [signature, `${bare}${recovery}`, `${bare}${small}`, `0x${signature.slice(2).toUpperCase()}`])
        assert.deepStrictEqual(yield* using(({ signer }) => signer(text, spelled)), Option.some(wallet.address), spelled)
    }),
  )

  it.effect("recovers another address for another text, or with the other recovery identifier", () =>
    Effect.gen(function* () {
      const signature = yield* signed
      const other = `${signature.slice(0, 130)}${signature.endsWith("1b") ? "1c" : "1b"}`
      for (const found of [
        yield* using(({ signer }) => signer(`${text} `, signature)),
        yield* using(({ signer }) => signer(text, other)),
      ]) {
        assert.isTrue(Option.isSome(found))
        assert.isFalse(Option.contains(found, wallet.address))
      }
    }),
  )

  it.effect("is refused with a high s", () =>
    Effect.gen(function* () {
      const mirror = mirrored(yield* signed)
      const held = secp256k1.Signature.fromHex(mirror.slice(2, 130))
      assert.isTrue(held.hasHighS())
      assert.deepStrictEqual(yield* using(({ signer }) => signer(text, mirror)), Option.none())
      assert.deepStrictEqual(yield* using(({ signer }) => signer(text, mirrored(mirror))), Option.some(wallet.address))
    }),
  )

  it.effect("must be 65 bytes in hexadecimal after 0x, with its numbers in range", () =>
    Effect.gen(function* () {
      const signature = yield* signed
      const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
      const order = secp256k1.Point.CURVE().n.toString(16)
      const zero = "0".repeat(64)
      const bad = [
        ...["", "0x", "x", signature.slice(2), `0X${signature.slice(2)}`, ` ${signature}`, `${signature} `, `${signature}\n`],
        ...[signature.slice(0, -1), signature.slice(0, -2), `${signature}0`, `${signature}00`, signature.replace(/.$/, "g")],
        ...["02", "03", "1a", "1d", "1e", "25", "26", "ff"].map((recovery) => `0x${r}${s}${recovery}`),
        ...[`0x${zero}${s}${v}`, `0x${r}${zero}${v}`, `0x${order}${s}${v}`, `0x${r}${order}${v}`, `0x${"f".repeat(64)}${s}${v}`],
        ...[`0x${"0".repeat(63)}5${s}${v}`, `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, "０".repeat(132)],
      ]
      for (const refused of bad) assert.deepStrictEqual(yield* using(({ signer }) => signer(text, refused)), Option.none(), refused)
    }),
  )
})
