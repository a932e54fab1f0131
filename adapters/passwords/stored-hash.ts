import { timingSafeEqual } from "node:crypto"

/** The cost of an argon2id hash. */
export interface Cost {
  readonly memory_kib: number
  readonly passes: number
  readonly lanes: number
}

/** A hash that was read and found well-formed and affordable. */
export interface StoredHash {
  /** Runs off the main thread. */
  matches(password: string): Promise<boolean>
  /** Of an older kind, or cheaper than what is configured. */
  readonly outdated: boolean
}

/** A shorter key could be met by chance, an empty one by every password. */
const shortest_key_bytes = 16
const longest_key_bytes = 512

const base64 = /^[A-Za-z0-9+/.]+={0,2}$/

/** Base64 with or without padding; passlib writes `.` for `+`. */
export const decode = (text: string): Buffer | undefined =>
  base64.test(text) ? Buffer.from(text.replaceAll(".", "+"), "base64") : undefined

/** Whether a key is long enough to prove anything. */
export const isKey = (key: Buffer): boolean => key.length >= shortest_key_bytes && key.length <= longest_key_bytes

/** Whether deriving the stored key anew gives the same key, compared in constant time. */
export const sameKey = async (key: Buffer, derived: Promise<Buffer>): Promise<boolean> => timingSafeEqual(await derived, key)

// A hash that asks for more than this is refused instead of computed: one planted row could otherwise hold a core for a day or
// take all memory. Everything below is a few seconds of one core; libsodium's most expensive presets are just within it.
const most_memory_kib = 2 ** 20
const most_work_kib = 2 ** 22

/** Whether a memory-hard function may run: how much memory it holds, and how many times it goes over that. */
export const isAffordable = (memory_kib: number, passes: number): boolean =>
  memory_kib <= most_memory_kib && memory_kib * passes <= most_work_kib
