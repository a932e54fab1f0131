import { DateTime } from "effect"

// Passwords that authenticator apps make of a secret and the time: RFC 4226 and RFC 6238.

/** Seconds that each password is for. */
const period = 30

/** Characters of each password. */
const digits = 6

/** The number of the time step that a moment lies in. */
export const stepAt = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / (period * 1000))

/** What a password is the signature of: the number in eight bytes, the highest first. */
export const counterBytes = (counter: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter))
  return bytes
}

/** The password that a signature is cut down to (RFC 4226 section 5.3). */
export const truncated = (mac: Uint8Array, length = digits): string => {
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength)
  const offset = view.getUint8(mac.byteLength - 1) & 0xf
  const number = view.getUint32(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, "0")
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The form in which people type a secret into their app (RFC 4648 section 6, without padding). */
export const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** Whose secret it is, and what for. */
interface Enrolment {
  readonly issuer: string
  readonly name: string
  readonly secret: string
}

/** What an app reads from a picture: the secret, whose it is and what for. */
export const uriOf = ({ issuer, name, secret }: Enrolment): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
}
