// The texts of the elements, from the catalogs of the pages and modules: a file for each language.
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const catalogs = ["adapters/texts/catalogs", ...["admin", "organization", "passkey"].map((name) => `application/modules/${name}/texts`)]

const keys = [
  "account.cancel",
  "account.organizations",
  "account.sections",
  "account.sign_out",
  "choose.add",
  "error.banned",
  "error.email_not_verified",
  "error.invalid_credentials",
  "error.invalid_otp",
  "error.invalid_passkey",
  "error.overloaded",
  "error.provider",
  "error.rate_limited",
  "error.slug_taken",
  "error.start_again",
  "error.unavailable",
  "error.unknown",
  "field.account",
  "field.code",
  "field.password",
  "or",
  "organization.name",
  "organization.slug",
  "organization.slug.hint",
  "organizations.create",
  "organizations.create.submit",
  "recovery_code.back",
  "recovery_code.field",
  "recovery_code.hint",
  "sent.magic_link",
  "sent.verify",
  "sign_in.forgot",
  "sign_in.identifier.email",
  "sign_in.magic_link",
  "sign_in.no_account",
  "sign_in.passkey",
  "sign_in.provider",
  "sign_in.sign_up",
  "sign_in.submit",
  "signed_in.continue",
  "signed_in.text",
  "two_factor.locked",
  "two_factor.recovery",
  "two_factor.submit",
  "two_factor.text",
  "unknown_challenge.text",
]

/** The categories of plurals, by the numbers that choose them (Unicode CLDR). */
const categories = ["zero", "one", "two", "few", "many", "other"]
const plural = /^(.*)\{(\w+), plural,((?: \w+ \{[^{}]*\})+)\}(.*)$/

/** A text without the syntax of ICU plurals: one text for each category that the message names. */
const withoutPlurals = (text: string): string | Readonly<Record<string, string>> => {
  const [, before, name, cases, after] = plural.exec(text) ?? []
  if (cases === undefined) return text
  const all = [...cases.matchAll(/(\w+) \{(.*?)\}/g)].map(([, category = "", part = ""]) => {
    if (!categories.includes(category)) throw new Error(`${category} in ${text}`)
    return [category, `${before}${part.replace("#", `{${name}}`)}${after}`]
  })
  return Object.fromEntries(all)
}

/** The texts of the elements in a language, as ICU messages. */
export const elementTexts = (tag: string): Readonly<Record<string, string>> => {
  const all = Object.assign({}, ...catalogs.map((folder) => JSON.parse(readFileSync(join(root, folder, `${tag}.json`), "utf8"))))
  const absent = keys.filter((key) => !Object.hasOwn(all, key))
  if (absent.length > 0) throw new Error(`${tag} has no ${absent}`)
  return Object.fromEntries(keys.map((key) => [key, all[key]]))
}

/** The module of these texts. */
export const textsModule = (tag: string): string => {
  const texts = Object.entries(elementTexts(tag)).map(([key, text]) => [key, withoutPlurals(text)])
  return `// Generated from the catalogs of the pages by \`npm run client:update\`.\nexport default ${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
}
