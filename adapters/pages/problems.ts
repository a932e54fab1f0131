import { type AuthError, define, InvalidRequest } from "../../domain/errors.ts"
import type { Texts } from "../texts/texts.ts"
import type { Page } from "./page.ts"
import type { Problem } from "./view.ts"

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
  readonly fields: ReadonlyArray<string>
  /** The keys of the page's own texts of errors, by their codes. */
  readonly problems: NonNullable<Page["problems"]>
}

/** The text of an error; what is not found has one text, unless its code has another. */
export const errorText = (texts: Texts, { _tag, retryAfter = 60 }: AuthError): string | undefined => {
  const own = texts.find(`error.${_tag}`, { seconds: retryAfter, minutes: Math.ceil(retryAfter / 60) })
  return own ?? (_tag.endsWith("_not_found") ? texts.t("error.missing") : undefined)
}

/** An error in the visitor's language, with all faults if it names several members. */
export const problemOf = (error: AuthError, texts: Texts, form: Form): Problem => {
  const { members = [], message } = error
  const [first, ...more] = members.map((member) => problemOfMember(new InvalidRequest({ member, message }), texts, form))
  return first === undefined ? problemOfMember(error, texts, form) : { ...first, more }
}

/** The attribute that a member of an input is. */
const attributeIn = (member: string) => /^attributes\.(.+)$/.exec(member)?.[1]

/** The field with this member, or with the value that it is a part of, such as one line of a list. */
const around = (member: string, fields: ReadonlyArray<string>) => fields.find((name) => `${member}.`.startsWith(`${name}.`))

/** One fault. A rule of the operator refuses a password with a sentence of their own, which is shown as it is. */
const problemOfMember = (error: AuthError, texts: Texts, { fields, problems }: Form): Problem => {
  const { _tag, reason, message } = error
  const member = error.member?.replace(/^changes\./, "") ?? ""
  const isInvalid = _tag === "invalid_request"
  const named = [fieldsOfCodes[_tag], around(member, fields), fieldsOfMembers[member]].find(
    (name) => name !== undefined && fields.includes(name),
  )
  const field = named ?? null
  const ruled = reason === undefined ? undefined : texts.find(`fault.${reason}`)
  if (isInvalid && field === null && fields.includes("new_password")) return { message: ruled ?? message, field: "new_password" }
  const own = problems[_tag]
  const general = isInvalid ? undefined : errorText(texts, error)
  const attribute = attributeIn(member)
  if (isInvalid && attribute !== undefined && reason === undefined)
    return { message: texts.t("fault.attribute", { field: texts.find(`attribute.${attribute}`) ?? attribute }), field }
  const specific =
    isInvalid && field !== null
      ? (texts.find(`fault.${member}`) ?? texts.find(`fault.${field}`) ?? texts.find("console.fault", { message }))
      : undefined
  const unnamed = texts.t(isInvalid ? "error.invalid_request" : "error.unknown")
  return { message: (own === undefined ? undefined : texts.find(own)) ?? ruled ?? general ?? specific ?? unnamed, field }
}
