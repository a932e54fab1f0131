import { html, type SafeHtml } from "@remix-run/html-template"
import { faultOf, type View } from "../view.ts"
import { labelFor } from "./names.ts"

interface Field {
  /** The name in the form, and the id in the page. */
  readonly name: string
  readonly label: string | SafeHtml
  readonly hint?: string
  readonly type?: "text" | "email" | "password" | "tel" | "url" | "date"
  /** Attributes that browsers and password managers read. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly required?: boolean
  /** The value before anything is entered. */
  readonly value?: string
  /** A button next to the field. */
  readonly button?: SafeHtml
}

/** A labelled field with its hint and, after a refusal, its fault. A password is never sent back. */
export const inputField = (
  view: View,
  { name, label, hint, type = "text", attributes = {}, required = true, value = "", button }: Field,
) => {
  const fault = faultOf(view, name)
  const described = [hint === undefined ? [] : [`${name}-hint`], fault === undefined ? [] : [`${name}-fault`]].flat()
  const shown = type === "password" ? "" : view.entered(name) || value
  const all = {
    id: name,
    name,
    type,
    ...(shown === "" ? {} : { value: shown }),
    ...(required ? { required: "" } : {}),
    ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
    ...(fault === undefined ? {} : { "aria-invalid": "true" }),
    // What is entered can have another direction than the page.
    ...(type === "text" ? { dir: "auto" } : {}),
    ...attributes,
  }
  const input = html`<input ${attributesOf(all)}>`
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault}</p>`}
${button === undefined ? input : html`<div class="with-button">${input}${button}</div>`}
</div>`
}

/** Attributes as HTML; names come from the code, values are escaped. */
export const attributesOf = (attributes: Readonly<Record<string, string>>): SafeHtml =>
  html`${Object.entries(attributes).map(([name, value]) => (value === "" ? html.raw`${name} ` : html`${html.raw`${name}`}="${value}" `))}`

const plainText = { autocapitalize: "none", spellcheck: "false" }

/** The name that a user signs in with. `passkeys`: whether the browser offers passkeys in this field. */
export const identifierField = (
  view: View,
  field: Pick<Field, "name" | "label" | "hint" | "value">,
  { passkeys }: { readonly passkeys: boolean },
) =>
  inputField(view, {
    ...field,
    attributes: {
      ...plainText,
      autocomplete: passkeys ? "username webauthn" : "username",
      enterkeyhint: "next",
      maxlength: "254",
      dir: "ltr",
    },
  })

/** An email address that is not the name of a sign-in. `enter`: what the Enter key of a phone does. */
export const emailField = (view: View, field: Pick<Field, "name" | "label" | "hint" | "value">, enter: "next" | "send" = "send") =>
  inputField(view, {
    ...field,
    type: "email",
    attributes: { ...plainText, autocomplete: "username", enterkeyhint: enter, maxlength: "254", dir: "ltr" },
  })

const revealButton = ({ texts: { t } }: View, name: string, label: Field["label"]) =>
  html`<button type="button" class="secondary small" hidden data-reveal="${name}" data-hide="${t("field.hide")}" aria-controls="${name}">${labelFor(t("field.show"), label)}</button>`

/** The password of an account. */
export const passwordField = (view: View, field: Partial<Pick<Field, "name" | "label">> = {}) => {
  const { name = "password", label = view.texts.t("field.password") } = field
  const attributes = { autocomplete: "current-password", enterkeyhint: "go" }
  return inputField(view, { name, label, type: "password", attributes, button: revealButton(view, name, label) })
}

/** A password that the user chooses. Password managers read `passwordrules`. */
export const newPasswordField = (view: View, { minimum, maximum }: { readonly minimum: number; readonly maximum: number }) => {
  const field = inputField(view, {
    name: "new_password",
    label: view.texts.t("field.new_password"),
    hint: view.texts.t("field.new_password.hint", { minimum }),
    type: "password",
    attributes: {
      autocomplete: "new-password",
      enterkeyhint: "done",
      minlength: String(minimum),
      passwordrules: `minlength: ${minimum}; maxlength: ${maximum};`,
    },
    button: revealButton(view, "new_password", view.texts.t("field.new_password")),
  })
  return html`${field}<p class="hint enough" role="status" data-of="new_password" data-long-enough="${view.texts.t("field.new_password.enough")}"></p>`
}

/** The name of the account for password managers, on pages where it is not entered. */
export const accountName = (view: View, name: string) =>
  html`<div class="field"><label for="username">${view.texts.t("field.account")}</label>
<input id="username" name="username" type="text" autocomplete="username" value="${name}" readonly dir="ltr"></div>`

interface Code extends Pick<Field, "hint"> {
  readonly digits: number | null
  /** Whether the page is there for the code, so that the field has the focus. */
  readonly isFirst?: boolean
}

/** A numeric code, which the browser fills in from a message. The script sends the form when it has all digits. */
export const codeField = (view: View, { digits, isFirst = true, ...field }: Code) => {
  const hasFocus = isFirst && view.problem === null && view.notice === null
  return inputField(view, {
    name: "code",
    label: view.texts.t("field.code"),
    ...field,
    attributes: {
      ...{ class: "code", inputmode: "numeric", autocomplete: "one-time-code", enterkeyhint: "done", dir: "ltr" },
      ...(digits !== null && { "data-digits": String(digits) }),
      ...(hasFocus && { autofocus: "" }),
    },
  })
}

/** Digits of the codes of apps, and of those beside links. */
export const sixDigits = 6

/** A backup code or the code of a device. */
export const letterCodeField = (view: View, field: Pick<Field, "name" | "label" | "hint" | "value">) =>
  inputField(view, {
    ...field,
    attributes: { class: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "done", dir: "ltr" },
  })

export const phoneField = (view: View, field: Pick<Field, "name" | "label" | "hint" | "value">) =>
  inputField(view, { ...field, type: "tel", attributes: { autocomplete: "tel", enterkeyhint: "send", dir: "ltr" } })

/** A choice of a list. A text that is cut keeps its beginning, also if it runs in another direction than the page. */
export const option = ([value, text]: readonly [value: string, text: string], chosen: string | undefined) =>
  html`<option value="${value}" dir="auto"${value === chosen ? html.raw` selected` : null}>${text}</option>`

/** A choice of one of several values, with the text of each. */
export const selectField = (
  view: View,
  { name, label, value, options }: Pick<Field, "name" | "label" | "value"> & { readonly options: ReadonlyArray<readonly [string, string]> },
) => {
  const chosen = view.entered(name) || value
  const fault = faultOf(view, name)
  const faulty = fault === undefined ? {} : { "aria-invalid": "true", "aria-describedby": `${name}-fault` }
  const all = options.map((each) => option(each, chosen))
  return html`<div class="field"><label for="${name}">${label}</label>
${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault}</p>`}
<select ${attributesOf({ id: name, name, ...faulty })}>${all}</select></div>`
}

/** A box to tick. `isTicked`: whether it is, if that is not what was entered. */
export const checkbox = (
  view: View,
  { name, label, isTicked = view.entered(name) === "yes" }: { readonly name: string; readonly label: string; readonly isTicked?: boolean },
) => {
  const checked = isTicked ? "checked" : ""
  return html`<div class="choice"><input id="${name}" name="${name}" type="checkbox" value="yes" ${html.raw`${checked}`}><label for="${name}">${label}</label></div>`
}
