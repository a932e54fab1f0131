import { html, type SafeHtml } from "@remix-run/html-template"
import { type Attributes, type Changes, isReadBy, type Values } from "../../../../domain/attributes/attributes.ts"
import type { Value } from "../../../../domain/attributes/value-schema.ts"
import type { Fields } from "../../../http/form-body.ts"
import { enteredAttributes, nameOf, storedAttributeField } from "../../components/attribute-fields.ts"
import { form } from "../../components/form.ts"
import { named } from "../../components/names.ts"
import { field } from "../../page.ts"
import type { ConsoleView } from "../screen.ts"
import { inPlace } from "./actions.ts"

/** The type of an operation does not know the attributes that the configuration declares. */
interface WithAttributes {
  readonly attributes?: Values
}

/** A link to the proof of identity after which the page shows private attributes, for a visitor who may see them; null without any. */
export const privateLink = (view: ConsoleView, declared: Attributes, return_to: string) =>
  view.hidesPrivate && declared.some(({ read }) => read === "private")
    ? html`<a class="button small secondary" href="${view.href("/step-up", { return_to })}">${view.texts.t("console.attributes.show_private")}</a>`
    : null

/** The values of a user, an organization or a member that an operation returned. */
export const valuesOf = (shown: object): Values => (shown as WithAttributes).attributes ?? {}

/** The values as details. */
export const shownAttributes = (view: ConsoleView, shown: object) =>
  Object.entries(valuesOf(shown)).map(([name, value]) => [attributeName(view, name), shownValue(view, value)] as const)

/** An attribute in words. */
export const attributeName = ({ texts }: ConsoleView, name: string) => texts.find(`attribute.${name}`) ?? name

/** A value in words: several as a list. */
const shownValue = ({ texts }: ConsoleView, value: Value): SafeHtml =>
  texts.listed(
    [value].flat().map((each) => (typeof each === "boolean" ? texts.t(each ? "console.yes" : "console.no") : named(String(each)))),
  )

/** The attributes that the visitor reads, and so may write. */
export const attributesFor = (view: ConsoleView, declared: Attributes): Attributes =>
  declared.filter((attribute) => isReadBy(attribute, view.may("users:private") ? "private" : "admin"))

interface Edited {
  readonly attributes: Attributes
  readonly shown: object
  readonly version: string
}

/** The form of the attributes, by their schemas; null without any. */
export const attributesForm = (view: ConsoleView, { attributes, shown, version }: Edited) => {
  if (attributes.length === 0) return null
  const values = valuesOf(shown)
  const body = html`${attributes.map((attribute) => storedAttributeField(view, attribute, values[attribute.name]))}`
  return form(view, { action: "attributes", submit: view.texts.t("account.save"), look: "small", hidden: { version }, body })
}

/** The same behind a button. */
export const attributesInPlace = (view: ConsoleView, edited: Edited) => {
  const shown = attributesForm(view, edited)
  return shown === null ? null : inPlace(view, view.texts.t("console.attributes.edit"), edited.attributes.map(nameOf), shown)
}

/** The entered values that differ from the stored ones; null removes one. */
export const changedAttributes = (form: Fields, attributes: Attributes, shown: object): Changes => {
  const entered = enteredAttributes(form, attributes)
  const stored = valuesOf(shown)
  const changes = attributes.map((attribute) => {
    const isEmpty = field(form, nameOf(attribute)).trim() === ""
    return [attribute.name, isEmpty ? null : (entered[attribute.name] ?? null)] as const
  })
  return Object.fromEntries(changes.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name] ?? null)))
}
