import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { attributesOf, inputField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { deviceName } from "../components/names.ts"
import { enteredJson } from "../entered.ts"
import { field, type Input, type Resource, Visit } from "../page.ts"
import { signedInTarget } from "../sign-in/complete.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { linkedAccounts } from "./identity.ts"

interface Props {
  /** A name for a passkey on this device; empty if the device is unknown. */
  readonly suggestion: string
  /** A passkey that the browser has created and the service has refused. */
  readonly refused?: { readonly id: string; readonly rp: string }
}

const options = "/account/passkey-options"

/** The outcomes in the browser, which a script shows. */
const outcomes = {
  unsupported: "account.passkey.unsupported",
  cancelled: "account.passkey.cancelled",
  exists: "account.passkey.exists",
  unverified: "error.email_not_verified",
  failed: "account.passkey.failed",
} as const
export type Outcome = keyof typeof outcomes

/** Explains the next steps, and begins the browser's dialog. `shown` is the outcome that tests show without a script. */
export const template: Template<Props & { readonly shown?: Outcome }> = (view, { suggestion, refused, shown }) => {
  const { t } = view.texts
  const messages = Object.entries(outcomes).map(
    ([name, key]) => html`<p ${attributesOf({ "data-outcome": name, ...(name === shown ? {} : { hidden: "" }) })}>${t(key)}</p>`,
  )
  const attributes = {
    "data-passkey-register": view.href(options),
    "data-step-up": view.href("/step-up", { return_to: view.here }),
    ...(refused === undefined ? {} : { "data-refused-id": refused.id, "data-refused-rp": refused.rp }),
    ...(shown === undefined ? { hidden: "" } : {}),
  }
  return framed(
    view,
    { title: t("account.passkeys.add"), parent: "security" },
    plainCard(
      html`<p>${t("account.passkeys.about")}</p><p>${t("account.passkey.before")}</p>`,
      html`<noscript><p class="fault">${t("account.passkey.no_script")}</p></noscript>`,
      html`<div class="outcomes" role="status">${messages}</div>`,
      html`<div ${attributesOf(attributes)}>${form(view, {
        action: "add",
        submit: t("account.passkeys.add"),
        hidden: { response: "", rp: "" },
        body: inputField(view, {
          name: "name",
          label: t("account.passkey.name"),
          hint: t("account.passkey.name.hint"),
          value: suggestion,
          required: false,
          attributes: { autocomplete: "off", maxlength: "100", enterkeyhint: "done", dir: "auto" },
        }),
      })}</div>`,
    ),
  )
}

/** The passkey that a refused form contains, unless it is one of the user's. Browsers check the relying party themselves. */
const refusedPasskey = Effect.gen(function* () {
  const { view } = yield* Visit
  const response = yield* enteredJson("response")
  const id = typeof response === "object" && response !== null && "id" in response ? response.id : null
  if (typeof id !== "string" || (yield* linkedAccounts).some(({ account_id }) => account_id === id)) return {}
  return { refused: { id, rp: view.entered("rp") } }
})

const add = Effect.gen(function* () {
  const { call, flow, form, query } = yield* Visit
  const name = field(form, "name").trim()
  yield* call("passkeyRegisterVerify", {
    response: yield* enteredJson<Input<"passkeyRegisterVerify">["response"]>("response"),
    ...(name === "" ? {} : { name }),
  })
  return query.has("offered") && flow().passkey_offer
    ? { to: yield* signedInTarget }
    : yield* goTo("/account/security", "account.passkey.added")
})

export const passkeyAdd = accountPage({
  path: "/account/passkeys/add",
  needs: ["passkeyRegisterOptions", "passkeyRegisterVerify"],
  show: Effect.gen(function* () {
    const { view, call } = yield* Visit
    const { session } = yield* signedIn
    const { sessions } = yield* call("listSessions")
    const suggestion = deviceName(view, sessions.find(({ id }) => id === session.id)?.user_agent ?? null) ?? ""
    const main = template(view, { suggestion, ...(yield* refusedPasskey) })
    return yield* inSection("security", view.texts.t("account.passkeys.add"), main, { scripts: ["passkey-register"] })
  }),
  actions: { add },
})

/** The options of the browser's dialog. */
export const passkeyOptions: Resource = {
  path: options,
  needs: ["passkeyRegisterOptions"],
  access: "session",
  answer: Effect.flatMap(Visit, ({ call }) => call("passkeyRegisterOptions")),
}
