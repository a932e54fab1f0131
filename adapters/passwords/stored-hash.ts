import { timingSafeEqual } from "node:crypto"

/** The cost of an argon2id hash. */
export interface Cost {
  readonly memory_kib: number
  readonly passes: number
  readonly lanes: number
}

/** A well-formed hash that is affordable to verify. */
export interface StoredHash {
  /** Must run off the main thread. */
  matches(password: string): Promise<boolean>
  /** Whether the hash was made by another algorithm, or is weaker than configured. */
  readonly outdated: boolean
}

/** The limits of a key's length. A random password could match a shorter key, and every password matches an empty one. */
const min_key_bytes = 16
const max_key_bytes = 512

const base64 = /^[A-Za-z0-9+/.]+={0,2}$/

/** Base64 with or without padding; passlib writes `.` for `+`. */
export const decode = (text: string): Buffer | undefined =>
  base64.test(text) ? Buffer.from(text.replaceAll(".", "+"), "base64") : undefined

export const isKey = (key: Buffer): boolean => key.length >= min_key_bytes && key.length <= max_key_bytes

/** Compares in constant time. */
export const sameKey = async (key: Buffer, derived: Promise<Buffer>): Promise<boolean> => timingSafeEqual(await derived, key)

// A hash above these limits is refused: one manipulated row could otherwise occupy a core for a day or take all memory. A hash within the limits
// takes a few seconds of one core; the most expensive presets of libsodium are just within them.
const max_memory_kib = 2 ** 20
const max_work_kib = 2 ** 22

/** Whether a memory-hard function may run with this much memory and this many passes over it. */
export const isAffordable = (memory_kib: number, passes: number): boolean =>
  memory_kib <= max_memory_kib && memory_kib * passes <= max_work_kib
