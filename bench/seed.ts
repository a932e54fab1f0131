// Users, each with a password account and a session, whose credentials the benchmark can compute from their number.

import { createHmac, hash, hkdfSync } from "node:crypto"
import { hash as passwordHash } from "@node-rs/argon2"
import { password, type User } from "./service.ts"

export const secret = "a secret for the benchmark only, 32+ bytes"

/** The key that the service derives from its secret for one purpose. */
const keyOf = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", `sallyport/mac/${purpose}`, 32))
const tag = (purpose: string, text: string) => createHmac("sha256", keyOf(purpose)).update(text).digest("base64url")

export const emailOf = (index: number): string => `person${index}@example.com`
export const idOf = (kind: string, index: number): string => `${kind}-${String(index).padStart(12, "0")}`

/** As long as a random token, and as valid in a cookie. */
const tokenOf = (index: number): string => String(index).padStart(43, "A")
export const tokenHashOf = (index: number): string => hash("sha256", `session:${tokenOf(index)}`, "base64url")

/** A seeded user with the seeded session. */
export const seededUser = (index: number): User => {
  const bearer = `${tokenOf(index)}.${tag("session", tokenOf(index))}`
  return { email: emailOf(index), bearer, cookie: `__Host-session=${bearer}` }
}

/** The code that is prepared for an address, and the hash that the service stores. */
export const code = "123456"
export const codeHashOf = (email: string): string => tag("email_code", `${code}:${email}`)

/** One hash of the password for all seeded users, with the standard cost: a sign-in takes as long as with a hash of its own. */
export const seededPasswordHash = (): Promise<string> => passwordHash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/** The statements that add users to PostgreSQL, from one number to another (excluded). Much faster than rows from this process. */
export const seedStatements = async (from: number, to: number): Promise<ReadonlyArray<string>> => {
  const id = (kind: string) => `'${kind}-' || lpad(i::text, 12, '0')`
  const now = "date_trunc('milliseconds', now())"
  const numbers = `generate_series(${from}, ${to - 1}) i`
  const tokenHash = `sha256(convert_to('session:' || lpad(i::text, 43, 'A'), 'UTF8'))`
  const base64Url = (bytes: string) => `rtrim(translate(encode(${bytes}, 'base64'), '+/', '-_'), '=')`
  return [
    `INSERT INTO "user" (id, email, email_verified, name, search_name, search_last, search_domain, created_at, updated_at)
     SELECT ${id("user")}, 'person' || i || '@example.com', true, 'Person ' || i, 'person ' || i, i::text, 'example.com', ${now} - i * interval '1 millisecond', ${now} FROM ${numbers}`,
    `INSERT INTO account (id, provider_id, account_id, user_id, password_hash, created_at, updated_at)
     SELECT ${id("account")}, 'credential', ${id("user")}, ${id("user")}, '${await seededPasswordHash()}', ${now}, ${now} FROM ${numbers}`,
    `INSERT INTO session (id, user_id, token_hash, created_at, updated_at, expires_at, authenticated_at, proved_at, multi_factor, methods)
     SELECT ${id("session")}, ${id("user")}, ${base64Url(tokenHash)}, ${now}, ${now}, ${now} + interval '7 days', ${now}, ${now}, false, 'pwd' FROM ${numbers}`,
    "ANALYZE",
  ]
}
