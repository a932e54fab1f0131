import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { accountName } from "../components/fields.ts"
import { button, card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { isNamed, type Named } from "./method-names.ts"
import { fitting, labelOf, namedActions } from "./named-ways.ts"
import { methods, passwordWithReset } from "./sign-in.ts"

interface Props {
  readonly identifier: string
  /** The ways to sign in by the name; the first is that of the Enter key. */
  readonly ways: readonly [Named, ...Array<Named>]
  /** The way that the browser used last. */
  readonly last: string | null
}

/** The page after a name alone was entered (`pages.sign_in.identifier_first`): the same for names with and without an account. */
export const template: Template<Props> = (view, { identifier, ways: [action, ...more], last }) => {
  const { t } = view.texts
  const markOf = (way: Named) => (way === last ? t("sign_in.last_used") : null)
  const buttons = more.map((way) => button(labelOf(view, way), way, "secondary", { mark: markOf(way) }))
  return card(
    view,
    t("sign_in.title", { service: view.branding.name }),
    html`${form(view, {
      action,
      submit: labelOf(view, action),
      mark: markOf(action),
      hidden: { identifier },
      body: html`${accountName(view, identifier)}${action === "password" ? passwordWithReset(view) : null}`,
      ...(more.length === 0 ? {} : { more: html`${buttons}` }),
    })}
<p class="after"><a href="${view.href("/sign-in", { another: "yes" })}">${t("two_factor.other_account")}</a></p>`,
  )
}

export const proof = page({
  path: "/sign-in/proof",
  needs: [],
  uses: ["signInUsername", "emailOtpSend", "phoneSendOtp", "magicLinkSend"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, flow } = yield* Visit
    const { identifier = "" } = flow()
    const { first, others, last, username, identifierFirst } = yield* methods
    const named = [...first, ...others].filter(isNamed).toSorted((one, other) => Number(other === "password") - Number(one === "password"))
    const [way, ...more] = fitting(identifier, named, username)
    if (!identifierFirst || way === undefined) return { to: view.href("/sign-in") }
    const main = template(view, { identifier, ways: [way, ...more], last })
    return { title: view.texts.t("sign_in.title", { service: view.branding.name }), main }
  }),
  actions: namedActions,
})
