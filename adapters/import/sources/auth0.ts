import { isJsonObject } from "../../../domain/values/json.ts"
import { type Fields, fieldsOf, type Values } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

/** Auth0's own connections. An identity of these is the user's password, address or phone number, not an account at another service. */
const own = new Set(["auth0", "email", "sms"])

export const auth0: Source = {
  matches: (values) =>
    ("user_id" in values && ("identities" in values || "email_verified" in values)) ||
    ("passwordHash" in values && isJsonObject(values["_id"])),
  read: (values) => (isJsonObject(values["_id"]) ? readHash(fieldsOf(values)) : readUser(fieldsOf(values))),
}

/** Reads a line of the file with password hashes that Auth0's support provides. Its ids lack the prefix `auth0|`. */
const readHash = (fields: Fields) => {
  const id = fields.object("_id")?.["$oid"]
  const hash = fields.text("passwordHash")
  fields.skip("email", "email_verified")
  if (typeof id !== "string" || hash === undefined) return fields.read(null)
  return fields.read({ kind: "addition", source_id: `auth0|${id}`, ...passwordOf("bcrypt", hash) })
}

const readUser = (fields: Fields) => {
  const source_id = fields.id("user_id") ?? ""
  const phone = fields.text("phone_number")
  const identities = fields.objects("identities").flatMap(({ provider, user_id }) => {
    if (own.has(String(provider))) return []
    return [{ provider_id: String(provider), account_id: String(user_id ?? "") }]
  })
  const hash = fields.object("custom_password_hash")
  const plain = fields.text("password_hash")
  return fields.user({
    source_id,
    email: fields.text("email"),
    email_verified: fields.flag("email_verified"),
    identities,
    name: fields.text("name"),
    image: fields.text("picture"),
    username: fields.text("username"),
    created_at: fields.time("created_at"),
    phone: phone === undefined ? undefined : { number: phone, verified: fields.flag("phone_verified") ?? false },
    ban: fields.flag("blocked") === true ? { reason: null, expires: null } : undefined,
    ...(hash === undefined ? {} : customPassword(hash)),
    ...(plain === undefined ? {} : passwordOf("bcrypt", plain)),
  })
}

/** Reads `custom_password_hash`, which files in the format of Auth0's own import contain. */
const customPassword = (custom: Values) => {
  const { algorithm, hash, salt } = custom
  const value = isJsonObject(hash) ? hash["value"] : undefined
  const name = typeof algorithm === "string" ? algorithm : "unknown"
  if (typeof value !== "string") return passwordOf(name, null)
  if (name === "bcrypt" || name === "argon2" || name === "pbkdf2") return passwordOf(name, value)
  return passwordOf(name, name === "scrypt" && isJsonObject(hash) && isJsonObject(salt) ? scryptHash(custom, hash, salt) : null)
}

const encodings = { base64: "base64", hex: "hex", utf8: "utf8" } as const

const bytesOf = ({ value, encoding = "base64" }: Values): string | null => {
  const known = encodings[String(encoding) as keyof typeof encodings]
  if (typeof value !== "string" || known === undefined) return null
  return Buffer.from(value, known).toString("base64").replace(/=+$/, "")
}

const scryptHash = (custom: Values, hash: Values, salt: Values) => {
  const { cost = 16_384, blockSize = 8, parallelization = 1 } = custom
  const [key, salted] = [bytesOf(hash), bytesOf(salt)]
  const ln = Math.log2(Number(cost))
  return key === null || salted === null || !Number.isInteger(ln)
    ? null
    : `$scrypt$ln=${ln},r=${Number(blockSize)},p=${Number(parallelization)}$${salted}$${key}`
}
