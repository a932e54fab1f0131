import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { Effect, Option } from "effect"
import { computeAddress, SigningKey, Wallet } from "ethers"
import { layer, signerOf } from "../../../adapters/crypto/Ethereum.ts"
import { Ethereum } from "../../../application/ports/Ethereum.ts"
import { describeVectors, vectors } from "../../vectors.ts"

const using = <A>(use: (ethereum: Ethereum["Service"]) => A) => Effect.map(Ethereum, use).pipe(Effect.provide(layer))

const wallet = new Wallet(`0x${"46".repeat(32)}`)
const text = "Sign me: ä 😀\n"
const signed = Effect.promise(() => wallet.signMessage(text))

/** The other signature that holds where this one does. */
const mirrored = (signature: string) => {
  const s = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${signature.endsWith("1b") ? "1c" : "1b"}`
}

describe("a wallet's signature", () => {
  it.effect("names the address of its key, in both ways to write its recovery and in letters of both sizes", () =>
    Effect.gen(function* () {
      const signature = yield* signed
      const bare = signature.slice(0, 130)
      const [recovery, small] = signature.endsWith("1b") ? ["1B", "00"] : ["1C", "01"]
      for (const spelled of [signature, `${bare}${recovery}`, `${bare}${small}`, `0x${signature.slice(2).toUpperCase()}`])
        assert.deepStrictEqual(yield* using(({ signer }) => signer(text, spelled)), Option.some(wallet.address), spelled)
    }),
  )

  it.effect("names another address for another text, or with the other recovery", () =>
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

  it.effect("is refused as the mirror image of itself", () =>
    Effect.gen(function* () {
      const mirror = mirrored(yield* signed)
      const held = secp256k1.Signature.fromHex(mirror.slice(2, 130))
      assert.isTrue(held.hasHighS())
      assert.deepStrictEqual(yield* using(({ signer }) => signer(text, mirror)), Option.none())
      assert.deepStrictEqual(yield* using(({ signer }) => signer(text, mirrored(mirror))), Option.some(wallet.address))
    }),
  )

  it.effect("is 65 bytes in hexadecimal after 0x, and its numbers are in range", () =>
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

describeVectors("Ethereum's vectors", () => {
  it.effect("EIP-55: every address, from any spelling", () =>
    Effect.gen(function* () {
      const { allCaps, allLower, normal } = vectors<Eip55>("eth/eip55-addresses.json")
      const addresses = [...allCaps, ...allLower, ...normal]
      assert.lengthOf(addresses, 8)
      for (const address of addresses) {
        for (const spelled of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
          assert.strictEqual(yield* using(({ checksummed }) => checksummed(spelled)), address)
      }
    }),
  )

  it.effect("secp256k1: signatures by the keys of RFC 6979's vectors, whose chance is as the file says", () =>
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

  it("secp256k1: Wycheproof's signatures name their key, or nobody where they are invalid or the mirror image", () => {
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
