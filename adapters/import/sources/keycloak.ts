import type { Credentials } from "../../../application/import/record.ts"
import { isJsonObject } from "../../../domain/values/json.ts"
import { secretOf } from "../base32.ts"
import { type Fields, fieldsOf, objectOf, present, type Values } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

export const keycloak: Source = {
  matches: (values) =>
    "username" in values &&
    ("credentials" in values || "federatedIdentities" in values || "createdTimestamp" in values || "realmRoles" in values),
  read: (values, { attributes }) => {
    const fields = fieldsOf(values)
    const identities = fields
      .objects("federatedIdentities")
      .map(({ identityProvider, userId }) => ({ provider_id: String(identityProvider), account_id: String(userId ?? "") }))
    const username = fields.text("username")
    const email = fields.text("email")
    fields.skip("totp", "disableableCredentialTypes", "notBefore", "access")
    return fields.user({
      source_id: fields.id("id") ?? username,
      email: email,
      email_verified: fields.flag("emailVerified"),
      identities,
      name: fields.joined("firstName", "lastName"),
      // Realms with sign-in by address also use the address as the username.
      username: username === email ? undefined : username,
      created_at: fields.time("createdTimestamp"),
      ban: fields.flag("enabled") === false ? { reason: null, expires: null } : undefined,
      attributes: fields.attributesIn("attributes", attributes),
      ...credentialsOf(fields),
    })
  },
}

const credentialsOf = (fields: Fields): Credentials => {
  const kept: { password?: Credentials["password"]; totp?: Credentials["totp"] } = {}
  for (const credential of fields.objects("credentials")) {
    const [secret, data] = [objectOf(credential["secretData"]) ?? {}, objectOf(credential["credentialData"]) ?? {}]
    if (credential["type"] === "password") {
      kept.password ??= passwordOf(String(data["algorithm"] ?? "unknown"), hashOf(secret, data)).password
      continue
    }
    const totp = credential["type"] === "otp" && kept.totp === undefined ? totpOf(secret, data) : undefined
    if (totp === undefined) fields.dropFactors("credentials")
    else kept.totp = { secret: totp }
  }
  return present(kept)
}

const unpadded = (base64: string) => base64.replace(/=+$/, "")

const hashOf = ({ value, salt }: Values, { algorithm, hashIterations, additionalParameters }: Values): string | null => {
  if (typeof value !== "string" || typeof salt !== "string" || !Number.isSafeInteger(hashIterations)) return null
  const [key, salted] = [unpadded(value), unpadded(salt)]
  if (algorithm === "pbkdf2") return `$pbkdf2$${hashIterations}$${salted}$${key}`
  if (algorithm === "pbkdf2-sha256" || algorithm === "pbkdf2-sha512") return `$${algorithm}$${hashIterations}$${salted}$${key}`
  return algorithm === "argon2" && isJsonObject(additionalParameters)
    ? argon2Hash(Number(hashIterations), additionalParameters, salted, key)
    : null
}

const versions: Readonly<Record<string, number>> = { "1.3": 19, "1.0": 16 }

/** The values of additional parameters are lists of texts. */
const argon2Hash = (passes: number, parameters: Values, salt: string, key: string): string | null => {
  const of = (name: string) => String([parameters[name]].flat()[0])
  const version = versions[of("version")]
  const [type, memory, lanes] = [of("type"), of("memory"), of("parallelism")]
  if (version === undefined || !/^(id|i|d)$/.test(type) || !/^\d{1,10}$/.test(memory) || !/^\d{1,3}$/.test(lanes)) return null
  return `$argon2${type}$v=${version}$m=${memory},t=${passes},p=${lanes}$${salt}$${key}`
}

/** The secret of an authenticator app whose parameters this service supports. It is plain text unless `secretEncoding` is BASE32. */
const totpOf = ({ value }: Values, { subType, digits = 6, period = 30, algorithm = "HmacSHA1", secretEncoding }: Values) => {
  if (subType !== "totp" || digits !== 6 || period !== 30 || algorithm !== "HmacSHA1" || typeof value !== "string") return undefined
  if (secretEncoding === "BASE32") return secretOf(value)
  const bytes = Buffer.from(value, "utf8")
  return bytes.length >= 10 && bytes.length <= 64 ? new Uint8Array(bytes) : undefined
}
