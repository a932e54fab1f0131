import { canonicalIp } from "./ip-address.ts"

// IP addresses and networks (CIDR, RFC 4632) as numbers.

interface Bits {
  readonly value: bigint
  readonly length: 32 | 128
}

const joined = (parts: ReadonlyArray<number>, width: bigint) => parts.reduce((value, part) => (value << width) | BigInt(part), 0n)

/** The groups of one side of `::`. */
const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))

/** The bits of an IP address; null for another text, such as an address with a zone. */
const bitsOf = (text: string): Bits | null => {
  const address = canonicalIp(text)
  if (address === null) return null
  if (!address.startsWith("[")) return { value: joined(address.split(".").map(Number), 8n), length: 32 }
  const [head = "", tail] = address.slice(1, -1).split("::")
  const [before, after] = [groups(head), groups(tail ?? "")]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return { value: joined([...before, ...zeros, ...after], 16n), length: 128 }
}

interface Network extends Bits {
  /** The number of bits that do not belong to the prefix. */
  readonly shift: bigint
}

/** A network such as `10.0.0.0/8`, or an address alone; null for another text. */
const networkOf = (text: string): Network | null => {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = bitsOf(address)
  if (bits === null || Number(prefix ?? 0) > bits.length) return null
  return { ...bits, shift: BigInt(bits.length - Number(prefix ?? bits.length)) }
}

export const isNetwork = (text: string): boolean => networkOf(text) !== null

/** Tests whether a text is an IP address in one of these networks. Other texts are in none. Throws for a text that is no network. */
export const networkTest = (networks: ReadonlyArray<string>) => {
  const parsed = networks.map((text) => {
    const network = networkOf(text)
    if (network === null) throw new Error(`${text} is not a network`)
    return network
  })
  return (address: string): boolean => {
    const bits = bitsOf(address)
    return bits !== null && parsed.some(({ value, length, shift }) => length === bits.length && bits.value >> shift === value >> shift)
  }
}
