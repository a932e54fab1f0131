import { secp256k1 } from "@noble/curves/secp256k1.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { Option } from "effect"
import { Hex } from "effect/encoding"

// Keccak and key recovery by the `@noble` packages: Node has neither.

const utf8 = new TextEncoder()

/** The EIP-55 checksum spelling of an address. */
export const checksummed = (address: string) => {
  const digits = address.slice(2).toLowerCase()
  const hash = Hex.encode(keccak_256(utf8.encode(digits)))
  return `0x${digits.replace(/[a-f]/g, (digit, index: number) => (Number.parseInt(hash.charAt(index), 16) < 8 ? digit : digit.toUpperCase()))}`
}

/** The last 20 bytes of the hash of the two coordinates of a public key. */
const addressOf = (key: ReturnType<typeof secp256k1.Point.fromBytes>) =>
  checksummed(`0x${Hex.encode(keccak_256(key.toBytes(false).subarray(1)).subarray(-20))}`)

/** With the prefix of EIP-191, the signature of a text cannot be one of a transaction. */
const digestOf = (text: string) => {
  const bytes = utf8.encode(text)
  const prefix = utf8.encode(`\x19Ethereum Signed Message:\n${bytes.length}`)
  return keccak_256(Uint8Array.from([...prefix, ...bytes]))
}

/** r and s, and the recovery identifier: 0 or 1, which most wallets write as 27 or 28. */
const shape = /^0x([0-9A-Fa-f]{128})(00|01|1[Bb]|1[Cc])$/

/** The address of the key that signed this digest. */
export const signerOf = (digest: Uint8Array, signature: string): Option.Option<string> => {
  const [, pair, recovery] = shape.exec(signature) ?? []
  if (pair === undefined || recovery === undefined) return Option.none()
  return recovered(digest, pair, Number.parseInt(recovery, 16) % 27)
}

const recovered = Option.liftThrowable((digest: Uint8Array, pair: string, recovery: number) => {
  const signature = secp256k1.Signature.fromHex(pair).addRecoveryBit(recovery)
  if (signature.hasHighS()) throw new Error("high s: wallets do not make this signature, and it would make each signature malleable")
  return addressOf(signature.recoverPublicKey(digest))
})

/** The address of the key that signed this text. */
export const signer = (text: string, signature: string) => signerOf(digestOf(text), signature)
