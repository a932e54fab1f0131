import { fieldsOf } from "../fields.ts"
import { type Options, passwordOf, type Source } from "./source.ts"

/** Providers in the export that represent the user's password or phone number, not an account at another service. */
const own = new Set(["password", "phone"])

export const firebase: Source = {
  matches: (values) => "localId" in values,
  read: (values, options) => {
    const fields = fieldsOf(values)
    const hash = fields.text("passwordHash")
    const salt = fields.text("salt")
    const phone = fields.text("phoneNumber")
    const identities = fields.objects("providerUserInfo").flatMap(({ providerId, rawId }) => {
      if (own.has(String(providerId))) return []
      return [{ provider_id: String(providerId), account_id: String(rawId ?? "") }]
    })
    const factors = fields.objects("mfaInfo")
    if (factors.length > 0) fields.dropFactors("mfaInfo", factors.length)
    fields.skip("lastSignedInAt")
    return fields.user({
      source_id: fields.id("localId"),
      email: fields.text("email"),
      email_verified: fields.flag("emailVerified"),
      identities,
      name: fields.text("displayName"),
      image: fields.text("photoUrl"),
      created_at: fields.time("createdAt"),
      // Firebase stores a number only after a code was entered.
      phone: phone === undefined ? undefined : { number: phone, verified: true },
      ban: fields.flag("disabled") === true ? { reason: null, expires: null } : undefined,
      ...(hash === undefined ? {} : passwordOf("firebase_scrypt", hashOf(hash, salt ?? "", options))),
    })
  },
}

/** Reads both alphabets of base64: the Admin SDK writes base64url, and the command line writes standard base64. */
const standard = (base64: string) => base64.replace(/-/g, "+").replace(/_/g, "/")

const hashOf = (hash: string, salt: string, { firebase }: Options): string | null =>
  firebase === undefined
    ? null
    : `$fbscrypt$v=1,n=${firebase.mem_cost},r=${firebase.rounds},p=1,ss=${firebase.salt_separator}$${standard(salt)}$${standard(hash)}`
