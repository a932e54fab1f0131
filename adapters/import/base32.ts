import { base32Alphabet } from "../../domain/sign-in/totp.ts"

/** 10 to 64 bytes in base32. RFC 4226 section 4 requires 16 bytes; some apps make secrets of 10. */
const shape = /^[A-Z2-7]{16,104}$/

/** The bytes of an app's secret in base32 (RFC 4648 section 6), with or without padding and blanks, in either case. */
export const secretOf = (text: string): Uint8Array | undefined => {
  if (text.length > 256) return undefined
  const plain = text.replace(/[\s=-]/g, "").toUpperCase()
  if (!shape.test(plain)) return undefined
  const bits = Array.from(plain, (digit) => base32Alphabet.indexOf(digit).toString(2).padStart(5, "0")).join("")
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
