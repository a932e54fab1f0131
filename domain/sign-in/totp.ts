import { DateTime } from "effect"

// Time-based one-time passwords of authenticator apps: RFC 4226 and RFC 6238.

/** Length of a time step, seconds. */
const period = 30

const digits = 6

/** The time step of a moment. */
export const stepAt = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / (period * 1000))

/** The counter as the HMAC's input: eight bytes, big-endian. */
export const counterBytes = (counter: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter))
  return bytes
}

/** Truncates an HMAC to a password (RFC 4226 section 5.3). */
export const truncated = (mac: Uint8Array, length = digits): string => {
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength)
  const offset = view.getUint8(mac.byteLength - 1) & 0xf
  const number = view.getUint32(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, "0")
}

/** The digits of base32 (RFC 4648 section 6). */
export const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** Encodes a secret for manual entry into an authenticator app (RFC 4648 section 6, without padding). */
export const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => base32Alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** A secret, and the service and user it is for. */
interface Enrolment {
  readonly issuer: string
  readonly name: string
  readonly secret: string
}

/** The URI that an app reads from a QR code. */
export const uriOf = ({ issuer, name, secret }: Enrolment): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
}
