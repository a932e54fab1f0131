import { secretOf } from "../base32.ts"
import { fieldsOf } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

/** A line of the CSV file of Clerk's dashboard. */
export const clerk: Source = {
  matches: (values) => "primary_email_address" in values || "password_hasher" in values,
  read: (values) => {
    const fields = fieldsOf(values)
    const listOf = (name: string) => (fields.text(name) ?? "").split(/[|,;\s]+/).filter((item) => item !== "")
    const verified = listOf("verified_email_addresses")
    const numbers = listOf("verified_phone_numbers")
    const [first = null] = [...verified, ...listOf("unverified_email_addresses")]
    const email = fields.text("primary_email_address") ?? first
    const phone = fields.text("primary_phone_number") ?? numbers[0]
    const [digest, hasher] = [fields.text("password_digest"), fields.text("password_hasher")]
    const text = fields.text("totp_secret")
    const secret = text === undefined ? undefined : secretOf(text)
    if (text !== undefined && secret === undefined) fields.dropFactors("totp_secret")
    return fields.user({
      source_id: fields.id("id"),
      email,
      email_verified: email !== null && verified.includes(email),
      name: fields.joined("first_name", "last_name"),
      username: fields.text("username"),
      created_at: fields.time("created_at"),
      phone: phone === undefined ? undefined : { number: phone, verified: numbers.includes(phone) },
      totp: secret === undefined ? undefined : { secret },
      ban: fields.flag("banned") === true || fields.flag("locked") === true ? { reason: null, expires: null } : undefined,
      ...(digest === undefined ? {} : passwordOf(hasher ?? "unknown", hashOf(hasher ?? "", digest))),
    })
  },
}

/** Hashers whose digests are in a format that is stored as it is. */
const plain = new Set(["bcrypt", "argon2i", "argon2id", "pbkdf2_sha256_django", "pbkdf2_sha256", "pbkdf2_sha1", "bcrypt_sha256_django"])

const hashOf = (hasher: string, digest: string): string | null => {
  if (plain.has(hasher)) return digest
  return hasher === "scrypt_firebase" ? firebaseHash(digest) : null
}

/** Converts a digest of Firebase's scrypt. Clerk writes it as `hash$salt$signer key$salt separator$rounds$memory cost`. */
const firebaseHash = (digest: string): string | null => {
  const [hash, salt, key, separator, rounds, cost, ...rest] = digest.split("$")
  if (cost === undefined || rest.length > 0) return null
  return `$fbscrypt$v=1,n=${cost},r=${rounds},p=1,ss=${separator},sk=${key}$${salt}$${hash}`
}
