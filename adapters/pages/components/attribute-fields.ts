import type { SafeHtml } from "@remix-run/html-template"
import type { Attribute } from "../../../domain/attributes/attributes.ts"
import { listed, type ScalarSchema, type Value, type ValueSchema } from "../../../domain/attributes/value-schema.ts"
import type { Fields } from "../../http/form-body.ts"
import { field } from "../page.ts"
import type { View } from "../view.ts"
import { checkbox, inputField, selectField } from "./fields.ts"

type Asked = Pick<Attribute, "name" | "schema" | "isValid">

/** The name in the form, which is the path in the input of the endpoint. */
export const nameOf = ({ name }: Asked) => `attributes.${name}`

const labelOf = ({ texts }: View, { name }: Asked) => texts.find(`attribute.${name}`) ?? name

/** Whether `true` is the only value, or one of two. */
const isBoolean = (schema: ValueSchema) => listed(schema)?.every((value) => value === true) ?? schema.type === "boolean"

/** A field by the schema of an attribute: a box to tick, a list, or an input. */
export const attributeField = (view: View, asked: Asked): SafeHtml => {
  const name = nameOf(asked)
  if (isBoolean(asked.schema)) return checkbox(view, { name, label: labelOf(view, asked) })
  return filledField(view, asked, name, "")
}

/** The same with the stored value, which can be removed; so there is a list in place of a box. */
export const storedAttributeField = (view: View, asked: Asked, value: Value | undefined): SafeHtml => {
  const name = nameOf(asked)
  if (!isBoolean(asked.schema)) return filledField(view, asked, name, value === undefined ? "" : [value].flat().join(", "))
  const { t } = view.texts
  const options = [
    ["", t("field.attribute.none")],
    ["yes", t("console.yes")],
    ...(asked.isValid(false) ? ([["no", t("console.no")]] as const) : []),
  ] as const
  const chosen = value === undefined ? "" : value === true ? "yes" : "no"
  return selectField(view, { name, label: labelOf(view, asked), value: chosen, options })
}

const filledField = (view: View, asked: Asked, name: string, value: string) => {
  const { schema } = asked
  const label = view.texts.t("field.attribute.optional", { label: labelOf(view, asked) })
  const values = listed(schema)
  if (values !== undefined) {
    const options = values.map((value) => [String(value), String(value)] as const)
    return selectField(view, { name, label, value, options: [["", view.texts.t("field.attribute.none")], ...options] })
  }
  const hint = hintOf(view, asked)
  return inputField(view, { name, label, required: false, value, ...(hint === undefined ? {} : { hint }), ...inputOf(schema) })
}

const hintOf = ({ texts }: View, { name, schema }: Asked) =>
  texts.find(`attribute.${name}.hint`) ?? (schema.type === "array" ? texts.t("field.attribute.list") : undefined)

/** No `number` for numbers, nor a limit of the length: browsers would leave out a wrong value without a word, and cut a long one. */
const inputOf = ({ type, format, minimum = -1 }: ValueSchema): Pick<Parameters<typeof inputField>[1], "type" | "attributes"> => {
  if (type === "number") return { attributes: { inputmode: "decimal", dir: "ltr" } }
  if (type === "integer") return { attributes: minimum < 0 ? { dir: "ltr" } : { inputmode: "numeric", dir: "ltr" } }
  if (format === "date") return { type: "date", attributes: {} }
  if (format === "email") return { type: "email", attributes: { dir: "ltr" } }
  return format === "uri" ? { type: "url", attributes: { dir: "ltr" } } : { attributes: {} }
}

/** The attributes that a form has. A text that is no value is sent as it is, and the service refuses it. */
export const enteredAttributes = (form: Fields, all: ReadonlyArray<Asked>): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    all.flatMap((asked) => {
      const value = valueOf(asked, field(form, nameOf(asked)).trim())
      return value === undefined ? [] : [[asked.name, value]]
    }),
  )

const valueOf = ({ schema, isValid }: Asked, text: string): Value | undefined => {
  if (isBoolean(schema)) return text === "yes" ? true : [false].find(isValid)
  if (text === "") return undefined
  const values = listed(schema)
  if (values !== undefined) return known(values, text) ?? text
  if (schema.type !== "array") return scalarOf(schema.type, text)
  const parts = text.split(/[,،、，]/).map((part) => part.trim())
  return parts.filter((part) => part !== "").map((part) => itemOf(schema.items ?? {}, part))
}

const known = (values: ReadonlyArray<string | number | boolean>, text: string) => values.find((value) => String(value) === text)

const itemOf = (schema: ScalarSchema, text: string) => known(listed(schema) ?? [], text) ?? scalarOf(schema.type, text)

/** People write decimals with a point or a comma. */
const scalarOf = (type: ValueSchema["type"], text: string) => {
  const isNumber = (type === "number" || type === "integer") && /^[+-]?\d+([.,]\d+)?$/.test(text)
  return isNumber ? Number(text.replace(",", ".")) : text
}
