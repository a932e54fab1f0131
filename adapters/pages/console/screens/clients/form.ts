import { html } from "@remix-run/html-template"
import type { Fields } from "../../../../http/form-body.ts"
import { checkbox, inputField, selectField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { field } from "../../../page.ts"
import { inPlace } from "../../parts/actions.ts"
import { boxesField, boxesIn, enteredOr, jsonField, jsonIn, linesField, linesIn } from "../../parts/inputs.ts"
import type { ConsoleView } from "../../screen.ts"
import { groups, keyMembers, type Member, members } from "./members.ts"

/** The metadata of a client, by member. */
export type Metadata = Readonly<Record<string, unknown>>

/** The metadata in the form of a new client. */
export const usual: Metadata = Object.fromEntries(members.map(({ name, usual }) => [name, usual]))

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const textOf = (value: unknown) => (value === undefined || value === null ? "" : String(value))

const fieldOf = (view: ConsoleView, { name, label: key, kind, hint: hintKey, options = [] }: Member, value: unknown) => {
  const { t } = view.texts
  const label = t(key)
  const hint = hintKey === undefined ? "" : t(hintKey)
  if (kind === "lines") return linesField(view, { name, label, hint, values: listOf(value) })
  if (kind === "json") return jsonField(view, { name, label, hint, value })
  if (kind === "boxes") return boxesField(view, { name, label, options: options.map(([each]) => each), chosen: listOf(value) })
  if (kind === "flag") return checkbox(view, { name, label, isTicked: enteredOr(view, name, value === true ? "yes" : "") === "yes" })
  if (kind === "choice") {
    const chosen = enteredOr(view, name, textOf(value))
    const isKnown = options.some(([each]) => each === chosen)
    return selectField(view, { name, label, value: chosen, options: isKnown ? options : [[chosen, chosen], ...options] })
  }
  const text = enteredOr(view, name, kind === "words" ? listOf(value).join(" ") : textOf(value))
  const attributes = { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "2048" }
  return inputField(view, {
    name,
    label,
    ...(hint !== "" && { hint }),
    required: false,
    value: text,
    attributes: name === "client_name" ? attributes : { ...attributes, dir: "ltr" },
  })
}

/** The form of a client. `version`: that of a stored client. */
export const clientForm = (view: ConsoleView, stored: Metadata, version?: string) => {
  const { t } = view.texts
  const fieldsOf = (each: ReadonlyArray<Member>) => html`${each.map((member) => fieldOf(view, member, stored[member.name]))}`
  const body = groups.map(([title, each]) => html`<h2>${t(title)}</h2>${fieldsOf(each)}`)
  const names = keyMembers.map(({ name }) => name)
  const keys = inPlace(view, t("console.client.certificates"), names, fieldsOf(keyMembers))
  const submit = version === undefined ? t("console.create") : t("account.save")
  return form(view, { action: "save", submit, body: html`${body}${keys}`, hidden: version === undefined ? {} : { version } })
}

const valueIn = (form: Fields, { name, kind, options = [] }: Member): unknown => {
  if (kind === "lines") return linesIn(form, name)
  if (kind === "json") return jsonIn(form, name)
  if (kind === "flag") return field(form, name) === "yes"
  if (kind === "boxes") {
    const known = options.map(([each]) => each)
    return boxesIn(form, name, known)
  }
  const text = field(form, name).trim()
  if (kind === "words") return text.split(/\s+/).filter((word) => word !== "")
  if (text === "") return null
  return kind === "number" && /^\d+$/.test(text) ? Number(text) : text
}

/** The entered members. The endpoint refuses values that are none. */
export const enteredMembers = (form: Fields): Metadata => Object.fromEntries(members.map((member) => [member.name, valueIn(form, member)]))

/** Those that differ from the stored ones. */
export const changedMembers = (form: Fields, stored: Metadata): Metadata =>
  Object.fromEntries(Object.entries(enteredMembers(form)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name])))
