import { html } from "@remix-run/html-template"
import { Option } from "effect"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import type { Fields } from "../../../http/form-body.ts"
import { attributesOf } from "../../components/fields.ts"
import { field } from "../../page.ts"
import { faultOf, type View } from "../../view.ts"

// Fields of pages that have one form only.

/** The text of a field: what was entered, also if that is nothing, else what is stored. */
export const enteredOr = (view: View, name: string, stored: string) => (view.entered("action") === "" ? stored : view.entered(name))

interface Area {
  readonly name: string
  readonly label: string
  readonly hint: string
}

/** A field of several lines, in the direction of code. */
const area = (view: View, { name, label, hint }: Area, stored: string, more: Readonly<Record<string, string>> = {}) => {
  const fault = faultOf(view, name)
  const faulty = fault === undefined ? {} : { "aria-invalid": "true" }
  const described = fault === undefined ? `${name}-hint` : `${name}-hint ${name}-fault`
  const code = { autocomplete: "off", spellcheck: "false", dir: "ltr" }
  const attributes = { id: name, name, rows: "4", "aria-describedby": described, ...code, ...faulty, ...more }
  return html`<div class="field"><label for="${name}">${label}</label><p class="hint" id="${name}-hint">${hint}</p>
${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault}</p>`}
<textarea ${attributesOf(attributes)}>${enteredOr(view, name, stored)}</textarea></div>`
}

/** A field for several values, each on a line of its own. */
export const linesField = (view: View, { values, ...shown }: Area & { readonly values: ReadonlyArray<string> }) =>
  area(view, shown, values.join("\n"))

/** The values of such a field. */
export const linesIn = (form: Fields, name: string): ReadonlyArray<string> =>
  field(form, name)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The maximum length of JSON that is entered. */
const maxJson = 32_768

/** A value as JSON; on one line if it is too long for the form otherwise. */
const jsonOf = (value: unknown) => {
  const indented = JSON.stringify(value, null, 2)
  return indented.length > maxJson ? JSON.stringify(value) : indented
}

/** A field for a JSON object. */
export const jsonField = (view: View, { value, ...shown }: Area & { readonly value: unknown }) =>
  area(view, shown, value === undefined || value === null ? "" : jsonOf(value), { maxlength: String(maxJson) })

/** The object in such a field; null without one. A text that is no JSON object stays a text, which endpoints refuse. */
export const jsonIn = (form: Fields, name: string): unknown => {
  const text = field(form, name).trim()
  return text === "" ? null : Option.getOrElse(strictJsonObject(Buffer.from(text)), () => text)
}

interface Boxes {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly options: ReadonlyArray<string>
  readonly chosen: ReadonlyArray<string>
}

const boxName = (name: string, option: string) => `${name}.${option}`

/** Boxes for several words of the service. The hidden field has the name to which a fault belongs. */
export const boxesField = (view: View, { name, label, hint, options, chosen }: Boxes) => {
  const fault = faultOf(view, name)
  const boxes = options.map((option) => {
    const id = boxName(name, option)
    const checked = enteredOr(view, id, chosen.includes(option) ? "yes" : "") === "yes" ? html.raw` checked` : null
    return html`<div class="choice"><input id="${id}" name="${id}" type="checkbox" value="yes"${checked}><label for="${id}"><code dir="ltr">${option}</code></label></div>`
  })
  return html`<fieldset id="${name}" tabindex="-1"><legend>${label}</legend>${hint === undefined ? null : html`<p class="hint">${hint}</p>`}
${fault === undefined ? null : html`<p class="fault">${fault}</p>`}
<input type="hidden" name="${name}" value="several"><div class="boxes">${boxes}</div></fieldset>`
}

/** The ticked boxes. */
export const boxesIn = (form: Fields, name: string, options: ReadonlyArray<string>) =>
  options.filter((option) => field(form, boxName(name, option)) === "yes")
