import { isJsonObject } from "../../../domain/values/json.ts"
import { fieldsOf, type Values } from "../fields.ts"
import type { Source } from "./source.ts"

/** A line of the CSV file for an import into Cognito, or a user of `list-users`. Cognito exports no passwords. */
export const cognito: Source = {
  matches: (values) => "cognito:username" in values || ("Username" in values && "Attributes" in values),
  read: (values) => readRow("Attributes" in values ? flat(values) : values),
}

/** The attributes of `list-users` as columns. */
const flat = ({ Attributes, Username, Enabled, UserCreateDate }: Values): Values => {
  const attributes = Array.isArray(Attributes) ? Attributes.filter(isJsonObject) : []
  return {
    ...Object.fromEntries(attributes.map(({ Name, Value }) => [String(Name), Value])),
    "cognito:username": Username,
    enabled: Enabled,
    created_at: UserCreateDate,
  }
}

const readRow = (values: Values) => {
  const fields = fieldsOf(values)
  const username = fields.text("cognito:username")
  const [email, phone, sub] = [fields.text("email"), fields.text("phone_number"), fields.id("sub")]
  const [name, joined] = [fields.text("name"), fields.joined("given_name", "family_name")]
  if (fields.flag("cognito:mfa_enabled") === true) fields.dropFactors("cognito:mfa_enabled")
  fields.skip("updated_at")
  return fields.user({
    source_id: sub ?? username,
    email: email,
    email_verified: fields.flag("email_verified"),
    password: { format: "cognito", hash: null },
    name: name ?? joined,
    image: fields.text("picture"),
    // In pools where users sign in by address or phone number, that value or the id is also the username.
    username: username === email || username === phone || username === sub ? undefined : username,
    created_at: fields.time("created_at"),
    phone: phone === undefined ? undefined : { number: phone, verified: fields.flag("phone_number_verified") ?? false },
    ban: fields.flag("enabled") === false ? { reason: null, expires: null } : undefined,
  })
}
