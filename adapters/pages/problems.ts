import { type AuthError, define } from "../../domain/errors.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import type { Fields } from "../http/form-body.ts"
import type { Texts } from "../texts/texts.ts"
import { type Page, field as textIn } from "./page.ts"
import type { Fault, Problem } from "./view.ts"

/** A form without the token of its browser: it is too old, or another site sent it. */
export const StaleForm = define("stale_form", 403, "The form is no longer valid. Send it again.")
/** The pause after a message is not over. */
export const TooSoon = define("too_soon", 429, "A message was sent a moment ago.")
/** The browser sent a form without the cookie, so there is no flow. */
export const NoCookies = define("no_cookies", 400, "The browser sent no cookie.")

const fieldsOfCodes: Readonly<Record<string, string>> = {
  invalid_credentials: "password",
  invalid_otp: "code",
  password_too_short: "new_password",
  password_too_long: "new_password",
  user_already_exists: "email",
  email_taken: "email",
  username_taken: "username",
  invalid_username: "username",
  phone_taken: "phone",
  slug_taken: "slug",
}

/** The fields of forms by the members of inputs, where the two differ. */
const fieldsOfMembers: Readonly<Record<string, string>> = {
  otp: "code",
  backup_code: "code",
  email: "identifier",
  username: "identifier",
  phone: "identifier",
  password: "new_password",
  new_email: "email",
  current_password: "password",
}

interface Form {
  readonly entered: Fields
  /** The keys of the page's own texts of errors, by their codes. */
  readonly problems: NonNullable<Page["problems"]>
  /** The lengths of new passwords. */
  readonly passwords: Pick<SettingsValue["email_password"], "min_password_length" | "max_password_length">
}

/** The text of an error; what is not found has one text, unless its code has another. */
export const errorText = (texts: Texts, { _tag, retryAfter = 60 }: AuthError): string | undefined => {
  const own = texts.find(`error.${_tag}`, { seconds: retryAfter, minutes: Math.ceil(retryAfter / 60) })
  return own ?? (_tag.endsWith("_not_found") ? texts.t("error.missing") : undefined)
}

/** An error in the visitor's language, with all faults in the order of the fields. */
export const problemOf = (error: AuthError, texts: Texts, form: Form): Problem => {
  const names = Object.keys(form.entered)
  const place = ({ field }: Fault) => (field === null ? names.length : names.indexOf(field))
  const causes = error.causes ?? [error]
  const [first, ...more] = causes.map((cause) => faultIn(cause, texts, form)).toSorted((one, other) => place(one) - place(other))
  return first === undefined ? faultIn(error, texts, form) : { ...first, more }
}

/** The attribute that a member of an input is. */
const attributeIn = (member: string) => /^attributes\.(.+)$/.exec(member)?.[1]

/** The field with this member, or with the value that it is a part of, such as one line of a list. */
const around = (member: string, fields: ReadonlyArray<string>) => fields.find((name) => `${member}.`.startsWith(`${name}.`))

/** The field with the fault of a code or member. */
const fieldOf = (code: string, member: string, fields: ReadonlyArray<string>): string | null =>
  [fieldsOfCodes[code], around(member, fields), fieldsOfMembers[member]].find((name) => name !== undefined && fields.includes(name)) ?? null

/** One fault. A rule of the operator refuses a password with a sentence of their own, which is shown as it is. */
const faultIn = (error: AuthError, texts: Texts, form: Form): Fault => {
  const { _tag, reason, message } = error
  const fields = Object.keys(form.entered)
  const member = error.member?.replace(/^changes\./, "") ?? ""
  const field = fieldOf(_tag, member, fields)
  const ruled = reason === undefined ? undefined : texts.find(`fault.${reason}`)
  if (_tag !== "invalid_request") return { message: ruled ?? refusal(error, field, texts, form), field }
  if (field === null && fields.includes("new_password")) return { message: ruled ?? message, field: "new_password" }
  const own = ownText(error, texts, form)
  return { message: own ?? ruled ?? invalidText({ message, member, field }, texts, form), field }
}

const ownText = ({ _tag }: AuthError, texts: Texts, { problems }: Form) => {
  const own = problems[_tag]
  return own === undefined ? undefined : texts.find(own)
}

const isEmpty = (field: string, { entered }: Form) => textIn(entered, field).trim() === ""

/** The text of a refused value. An empty field was not wrong. */
const refusal = (error: AuthError, field: string | null, texts: Texts, form: Form): string => {
  const { min_password_length: minimum, max_password_length: maximum } = form.passwords
  const empty = field !== null && isEmpty(field, form) ? texts.find(`fault.${field}`) : undefined
  const limited = texts.find(`fault.${error._tag}`, { minimum, maximum })
  return empty ?? ownText(error, texts, form) ?? limited ?? errorText(texts, error) ?? texts.t("error.unknown")
}

/** The text of an input with a faulty member. The field for several kinds of names has the text of the kind that was asked for. */
const invalidText = ({ message, member, field }: Fault & { readonly member: string }, texts: Texts, form: Form): string => {
  const attribute = attributeIn(member)
  if (attribute !== undefined) return texts.t("fault.attribute", { field: texts.find(`attribute.${attribute}`) ?? attribute })
  if (field === null) return texts.t("error.invalid_request")
  const [first, second] = field === "identifier" && member !== "username" ? [member, field] : [field, member]
  const empty = isEmpty(field, form) ? texts.find(`fault.${field}.empty`) : undefined
  const named = empty ?? texts.find(`fault.${first}`) ?? texts.find(`fault.${second}`)
  return named ?? texts.find("console.fault", { message }) ?? texts.t("error.invalid_request")
}
