import { isJsonObject } from "../../../domain/values/json.ts"
import { secretOf } from "../base32.ts"
import { type Fields, fieldsOf, type Values } from "../fields.ts"
import { type Options, passwordOf, type Source } from "./source.ts"

/** Providers of identities that represent the user's password or phone number, not an account at another service. */
const own = new Set(["email", "phone"])

export const supabase: Source = {
  matches: (values) =>
    ("encrypted_password" in values && ("email_confirmed_at" in values || "raw_user_meta_data" in values || "instance_id" in values)) ||
    ("identity_data" in values && "provider" in values) ||
    ("factor_type" in values && "secret" in values),
  read: (values, options) => {
    const fields = fieldsOf(values)
    if ("identity_data" in values) return readIdentity(fields)
    return "factor_type" in values ? readFactor(fields) : readUser(fields, options)
  },
}

/** A row of `auth.users`. */
const readUser = (fields: Fields, options: Options) => {
  const data = fields.object("raw_user_meta_data") ?? {}
  const textOf = (...names: ReadonlyArray<string>) =>
    names.map((name) => data[name]).find((value) => typeof value === "string" && value !== "")
  const hash = fields.text("encrypted_password")
  const phone = fields.text("phone")
  const banned = fields.time("banned_until")
  const deleted = fields.has("deleted_at")
  const isEmailVerified = fields.time("email_confirmed_at") !== undefined
  const isPhoneVerified = fields.time("phone_confirmed_at") !== undefined
  fields.skip(
    "instance_id",
    "aud",
    "role",
    "confirmed_at",
    "last_sign_in_at",
    "updated_at",
    "is_sso_user",
    "raw_app_meta_data",
    "deleted_at",
    "is_super_admin",
  )
  const ban = deleted ? { reason: "deleted", expires: null } : { reason: null, expires: banned ?? null }
  return fields.user({
    source_id: fields.id("id"),
    email: fields.text("email"),
    email_verified: isEmailVerified,
    identities: fields.objects("identities").flatMap((identity) => identityOf(identity)),
    name: textOf("full_name", "name") as string | undefined,
    image: textOf("avatar_url", "picture") as string | undefined,
    created_at: fields.time("created_at"),
    // Supabase stores phone numbers without the plus sign.
    phone: phone === undefined ? undefined : { number: phone.startsWith("+") ? phone : `+${phone}`, verified: isPhoneVerified },
    ban: deleted || banned !== undefined ? ban : undefined,
    ...(hash === undefined ? {} : passwordOf(formatOf(hash), withoutConfiguredKey(hash, options))),
  })
}

const formatOf = (hash: string) => /^\$(fbscrypt|argon2)/.exec(hash)?.[1] ?? "bcrypt"

/** Removes Firebase's signer key from a hash if the configuration contains the key, so that it is not stored with each hash. */
const withoutConfiguredKey = (hash: string, { firebase }: Options) =>
  firebase === undefined ? hash : hash.replace(`,sk=${firebase.signer_key}$`, "$")

const identityOf = ({ provider, provider_id, identity_data, id }: Values) => {
  if (own.has(String(provider))) return []
  const subject = provider_id ?? (isJsonObject(identity_data) ? identity_data["sub"] : undefined) ?? id
  return [{ provider_id: String(provider), account_id: String(subject ?? "") }]
}

/** A row of `auth.identities`. */
const readIdentity = (fields: Fields) => {
  const [provider, provider_id, identity_data] = [fields.text("provider"), fields.id("provider_id"), fields.object("identity_data")]
  fields.skip("id", "last_sign_in_at", "created_at", "updated_at", "email")
  return fields.read({
    kind: "addition",
    source_id: fields.id("user_id") ?? "",
    identities: identityOf({ provider, provider_id, identity_data }),
  })
}

/** A row of `auth.mfa_factors`. */
const readFactor = (fields: Fields) => {
  const [type, status, text] = [fields.text("factor_type"), fields.text("status"), fields.text("secret")]
  fields.skip("id", "friendly_name", "created_at", "updated_at", "last_challenged_at")
  const secret = type === "totp" && status === "verified" && text !== undefined ? secretOf(text) : undefined
  const source_id = fields.id("user_id") ?? ""
  if (secret !== undefined) return fields.read({ kind: "addition", source_id, totp: { secret } })
  fields.dropFactors("secret")
  return fields.read({ kind: "addition", source_id })
}
