import { createHash } from "node:crypto"
import * as argon2 from "./argon2.ts"
import * as bcrypt from "./bcrypt.ts"
import * as scrypt from "./scrypt.ts"
import type { Cost, StoredHash } from "./stored-hash.ts"

const digest = (password: string) => createHash("sha256").update(password).digest("hex")

/** `bcrypt_sha256$$2b$…`: bcrypt of the hexadecimal SHA-256 of the password. */
const readDigested = (hash: string): StoredHash | undefined => {
  const stored = bcrypt.read(hash)
  return stored === undefined ? undefined : { ...stored, matches: (password) => stored.matches(digest(password)) }
}

/** The hashes of Django that begin with the name of the algorithm, except PBKDF2: `argon2$argon2id$…`, `bcrypt$$2b$…`, `bcrypt_sha256$$2b$…`, `scrypt$…`. */
export const read = (hash: string, cost: Cost): StoredHash | undefined => {
  const [, algorithm, rest = ""] = /^(argon2|bcrypt|bcrypt_sha256|scrypt)\$(.+)$/s.exec(hash) ?? []
  if (algorithm === "argon2") return argon2.read(`$${rest}`, cost)
  if (algorithm === "bcrypt") return bcrypt.read(rest)
  if (algorithm === "bcrypt_sha256") return readDigested(rest)
  return algorithm === "scrypt" ? scrypt.readDjango(rest) : undefined
}
