import { inputField } from "../../components/fields.ts"
import type { View } from "../../view.ts"

type Field = Pick<Parameters<typeof inputField>[1], "name" | "label" | "hint" | "required" | "value"> & { readonly maxlength?: number }

/** A field for an address, id or name of the service, which browsers neither fill in nor correct. */
export const plainField = (view: View, { maxlength = 254, ...field }: Field) =>
  inputField(view, {
    ...field,
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: String(maxlength), dir: "ltr" },
  })
