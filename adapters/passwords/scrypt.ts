import { type BinaryLike, type ScryptOptions, scrypt } from "node:crypto"
import { promisify } from "node:util"
import { decode, isAffordable, isKey, type StoredHash, sameKey } from "./stored-hash.ts"

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

export interface Parameters {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** Derives a key of this length on the thread pool. */
export const deriveKey = (password: string, salt: BinaryLike, length: number, { N, r, p }: Parameters): Promise<Buffer> =>
  derive(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) * 2 })

const stored = (parameters: Parameters, salt: BinaryLike, key: Buffer, prepare = (password: string) => password): StoredHash => ({
  matches: (password) => sameKey(key, deriveKey(prepare(password), salt, key.length, parameters)),
  outdated: true,
})

/** Whether the parameters are valid (RFC 7914 §2: N is a power of 2 with 1 < N < 2^(16r), and p at least 1) and affordable. */
export const isAllowed = ({ N, r, p }: Parameters): boolean => {
  const ln = Math.log2(N)
  return Number.isInteger(ln) && ln >= 1 && ln < 16 * r && p >= 1 && isAffordable((N * r) / 8, p)
}

const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,5}),p=(\d{1,5})\$([^$]+)\$([^$]+)$/

/** `$scrypt$ln=…,r=…,p=…$salt$key`, as passlib writes it. */
const readPhc = (hash: string): StoredHash | undefined => {
  const [, ln, r, p, ...encoded] = phc.exec(hash) ?? []
  const [salt, key] = encoded.map(decode)
  if (salt === undefined || key === undefined || !isKey(key)) return undefined
  const parameters = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  return isAllowed(parameters) ? stored(parameters, salt, key) : undefined
}

const django = /^(\d{1,10})\$([^$]{1,256})\$(\d{1,5})\$(\d{1,5})\$([^$]+)$/

/** Reads `N$salt$r$p$key`, which follows `scrypt$` in a hash of Django. The salt is text. */
export const readDjango = (hash: string): StoredHash | undefined => {
  const [, n, salt, r, p, encoded = ""] = django.exec(hash) ?? []
  const key = decode(encoded)
  if (salt === undefined || key === undefined || !isKey(key)) return undefined
  const parameters = { N: Number(n), r: Number(r), p: Number(p) }
  return isAllowed(parameters) ? stored(parameters, salt, key) : undefined
}

/**
 * The maximum length of a password that is normalised, in UTF-16 code units: normalising a long run of combining marks would block the main
 * thread. The limit of passwords is far below this.
 */
const max_normalised_length = 8192

const nfkc = (password: string): string => (password.length > max_normalised_length ? password : password.normalize("NFKC"))

const betterAuth = /^([0-9a-f]{32}):([0-9a-f]{128})$/i

/** `salt:key` of better-auth and Lucia: the salt is the text of its hexadecimal digits, and the password is in NFKC. */
const readBetterAuth = (hash: string): StoredHash | undefined => {
  const [, salt, key] = betterAuth.exec(hash) ?? []
  if (salt === undefined || key === undefined) return undefined
  return stored({ N: 16384, r: 16, p: 1 }, salt, Buffer.from(key, "hex"), nfkc)
}

export const read = (hash: string): StoredHash | undefined => readPhc(hash) ?? readBetterAuth(hash)
