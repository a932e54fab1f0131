// The text of a key: a prefix that people and scanners recognise, the kind of its owner, 256 random bits, and a checksum. Letters and digits
// only, so that a double click selects it.

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 62^43 is more than 2^256. */
const bodyLength = 43
const sumLength = 6

const base62 = (value: bigint, length: number) => {
  let text = ""
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(length, "0")
}

/** CRC-32 (ISO 3309) of a text in ASCII. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** The checksum shows to scanners, without asking the service, that a text is a key. It protects nothing. */
const sumOf = (text: string) => base62(BigInt(crc32(text)), sumLength)

export const ownerKinds = ["user", "organization", "service_account"] as const
export type OwnerKind = (typeof ownerKinds)[number]

const letters = { user: "u", organization: "o", service_account: "s" } as const satisfies Record<OwnerKind, string>

/** A key from 32 random bytes. */
export const keyOf = (prefix: string, kind: OwnerKind, random: Uint8Array): string => {
  const value = random.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const text = `${prefix}_${letters[kind]}_${base62(value, bodyLength)}`
  return text + sumOf(text)
}

/** The pattern of keys, for scanners of texts. */
export const patternOf = (prefix: string) => `${prefix}_[uos]_[0-9A-Za-z]{${bodyLength + sumLength}}`

/** Tests whether a text is a key with this prefix and a correct checksum. */
export const keyTest = (prefix: string) => {
  const pattern = new RegExp(`^${patternOf(prefix)}$`)
  return (text: string): boolean => pattern.test(text) && sumOf(text.slice(0, -sumLength)) === text.slice(-sumLength)
}

/** The end of the random part, by which owners recognise a key in a list. */
export const hintOf = (key: string): string => key.slice(-sumLength - 4, -sumLength)
