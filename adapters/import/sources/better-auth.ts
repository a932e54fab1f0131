import type { Attributes } from "../../../domain/attributes/attributes.ts"
import { type Fields, fieldsOf } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

export const betterAuth: Source = {
  matches: (values) =>
    ("providerId" in values && "accountId" in values && "userId" in values) || ("emailVerified" in values && "createdAt" in values),
  read: (values, { attributes }) => {
    const fields = fieldsOf(values)
    return "providerId" in values ? readAccount(fields) : readUser(fields, attributes)
  },
}

/** A row of `user`, which may have its rows of `account` as `accounts`. Further columns are `additionalFields` of the application. */
const readUser = (fields: Fields, attributes: Attributes | undefined) => {
  const phone = fields.text("phoneNumber")
  const accounts = fields.objects("accounts")
  const password = accounts.find(({ providerId }) => providerId === "credential")?.["password"]
  const identities = accounts
    .filter(({ providerId }) => providerId !== "credential")
    .map(({ providerId, accountId }) => ({ provider_id: String(providerId), account_id: String(accountId ?? "") }))
  // The secrets are encrypted under a key that the rows do not have.
  if (fields.flag("twoFactorEnabled") === true) fields.dropFactors("twoFactorEnabled")
  const isBanned = fields.flag("banned") === true
  const ban = { reason: fields.text("banReason") ?? null, expires: fields.time("banExpires") ?? null }
  const [display, username] = [fields.text("displayUsername"), fields.text("username")]
  fields.skip("updatedAt")
  const own = {
    source_id: fields.id("id"),
    email: fields.text("email"),
    email_verified: fields.flag("emailVerified"),
    identities,
    name: fields.text("name"),
    image: fields.text("image"),
    username: display ?? username,
    created_at: fields.time("createdAt"),
    phone: phone === undefined ? undefined : { number: phone, verified: fields.flag("phoneNumberVerified") ?? false },
    ban: isBanned ? ban : undefined,
    ...(typeof password === "string" ? passwordOf("scrypt", password) : {}),
  }
  return fields.user({ ...own, attributes: fields.otherAttributes(attributes) })
}

/** A row of `account`. */
const readAccount = (fields: Fields) => {
  const [provider_id, account_id, password] = [fields.text("providerId"), fields.id("accountId"), fields.text("password")]
  const source_id = fields.id("userId") ?? ""
  fields.skip("id", "createdAt", "updatedAt")
  if (provider_id === "credential")
    return fields.read({ kind: "addition", source_id, ...(password === undefined ? {} : passwordOf("scrypt", password)) })
  return fields.read({ kind: "addition", source_id, identities: [{ provider_id: provider_id ?? "", account_id: account_id ?? "" }] })
}
