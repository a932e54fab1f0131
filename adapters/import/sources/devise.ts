import { secretOf } from "../base32.ts"
import { fieldsOf } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

/** A row of the model that Devise signs in, with `otp_secret` of devise-two-factor and `provider`, `uid` of OmniAuth. */
export const devise: Source = {
  matches: (values) => "encrypted_password" in values,
  read: (values, { peppered = false }) => {
    const fields = fieldsOf(values)
    const hash = fields.text("encrypted_password")
    const [provider, uid] = [fields.text("provider"), fields.id("uid")]
    const required = fields.flag("otp_required_for_login") === true
    const text = fields.text("otp_secret")
    const secret = required && text !== undefined ? secretOf(text) : undefined
    if (required && secret === undefined) fields.dropFactors("otp_secret")
    const [name, joined] = [fields.text("name"), fields.joined("first_name", "last_name")]
    fields.skip("updated_at", "sign_in_count", "current_sign_in_at", "last_sign_in_at", "failed_attempts", "remember_created_at")
    return fields.user({
      source_id: fields.id("id"),
      email: fields.text("email"),
      email_verified: fields.time("confirmed_at") !== undefined,
      identities: provider === undefined || uid === undefined ? [] : [{ provider_id: provider, account_id: uid }],
      name: name ?? joined,
      username: fields.text("username"),
      created_at: fields.time("created_at"),
      ban: fields.time("locked_at") === undefined ? undefined : { reason: "locked", expires: null },
      totp: secret === undefined ? undefined : { secret },
      ...(hash === undefined ? {} : passwordOf(peppered ? "devise" : "bcrypt", `${peppered ? "$devise" : ""}${hash}`)),
    })
  },
}
