import { html } from "@remix-run/html-template"
import type { Fields } from "../../../http/form-body.ts"
import { attributesOf } from "../../components/fields.ts"
import { field } from "../../page.ts"
import { faultOf, type View } from "../../view.ts"

// Fields of pages that have one form only.

/** The text of a field: what was entered, also if that is nothing, else what is stored. */
export const enteredOr = (view: View, name: string, stored: string) => (view.entered("action") === "" ? stored : view.entered(name))

interface Lines {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly values: ReadonlyArray<string>
}

/** A field for several values, each on a line of its own. */
export const linesField = (view: View, { name, label, hint, values }: Lines) => {
  const fault = faultOf(view, name)
  const faulty = fault === undefined ? {} : { "aria-invalid": "true" }
  const described = fault === undefined ? `${name}-hint` : `${name}-hint ${name}-fault`
  const attributes = { id: name, name, rows: "4", "aria-describedby": described, autocomplete: "off", spellcheck: "false", dir: "ltr" }
  return html`<div class="field"><label for="${name}">${label}</label><p class="hint" id="${name}-hint">${hint}</p>
${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault}</p>`}
<textarea ${attributesOf({ ...attributes, ...faulty })}>${enteredOr(view, name, values.join("\n"))}</textarea></div>`
}

/** The values of such a field. */
export const linesIn = (form: Fields, name: string): ReadonlyArray<string> =>
  field(form, name)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")

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
