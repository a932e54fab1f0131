import { type BinaryLike, pbkdf2 } from "node:crypto"
import { promisify } from "node:util"
import { decode, isKey, type StoredHash, sameKey } from "./stored-hash.ts"

const derive = promisify(pbkdf2)

const digest_bytes: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

/** The maximum number of rounds, which takes one core a few seconds. */
const max_rounds = 10_000_000

const stored = (digest: string, rounds: number, salt: BinaryLike | undefined, key: Buffer | undefined): StoredHash | undefined => {
  const size = digest_bytes[digest]
  if (size === undefined || salt === undefined || key === undefined || !isKey(key)) return undefined
  if (rounds < 1 || rounds * Math.ceil(key.length / size) > max_rounds) return undefined
  return { matches: (password) => sameKey(key, derive(password, salt, rounds, key.length, digest)), outdated: true }
}

const modular = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,10})(?:,l=\d{1,4})?\$([^$]+)\$([^$]+)$/

/** `$pbkdf2-sha256$rounds$salt$key` of passlib, `$pbkdf2-sha256$i=…,l=…$salt$key` of Kratos; without the name of a digest it is SHA-1. */
const readModular = (hash: string): StoredHash | undefined => {
  const [, digest = "sha1", rounds, salt, key] = modular.exec(hash) ?? []
  if (rounds === undefined || salt === undefined || key === undefined) return undefined
  return stored(digest, Number(rounds), decode(salt), decode(key))
}

const django = /^pbkdf2_(sha1|sha256)\$(\d{1,10})\$([^$]+)\$([^$]+)$/

/** `pbkdf2_sha256$iterations$salt$key` of Django, whose salt is text. */
const readDjango = (hash: string): StoredHash | undefined => {
  const [, digest, rounds, salt, key] = django.exec(hash) ?? []
  if (digest === undefined || key === undefined) return undefined
  return stored(digest, Number(rounds), salt, decode(key))
}

export const read = (hash: string): StoredHash | undefined => readModular(hash) ?? readDjango(hash)
