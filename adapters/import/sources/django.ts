import { isJsonObject } from "../../../domain/values/json.ts"
import { fieldsOf, type Values } from "../fields.ts"
import { passwordOf, type Source } from "./source.ts"

/** A row of `auth_user`, or an object of `dumpdata`, whose columns are under `fields`. */
export const django: Source = {
  matches: (values) => isDumped(values) || ("password" in values && "is_active" in values),
  read: (values) => readRow(isDumped(values) ? { ...values["fields"], id: values["pk"] } : values),
}

const isDumped = (values: Values): values is Values & { readonly fields: Values } => isJsonObject(values["fields"]) && "pk" in values

const readRow = (values: Values) => {
  const fields = fieldsOf(values)
  const hash = fields.text("password")
  const [email, username] = [fields.text("email"), fields.text("username")]
  fields.skip("last_login", "groups", "user_permissions", "is_staff")
  return fields.user({
    source_id: fields.id("id"),
    email: email,
    // Django's own user model does not say whether an address was verified.
    email_verified: fields.flag("email_verified"),
    name: fields.joined("first_name", "last_name"),
    username: username === email ? undefined : username,
    created_at: fields.time("date_joined"),
    ban: fields.flag("is_active") === false ? { reason: null, expires: null } : undefined,
    // Django marks an unusable password with a leading `!`.
    ...(hash === undefined || hash.startsWith("!") ? {} : passwordOf(formatOf(hash), hash)),
  })
}

const formatOf = (hash: string) => /^[a-z0-9_]{1,32}(?=\$)/.exec(hash)?.[0] ?? "unknown"
