import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { signedInTarget } from "./complete.ts"

/** Offers a passkey to a user who has none, once they have signed in by another way (`pages.offer_passkeys`). */
export const template: Template<null> = (view) => {
  const { t } = view.texts
  return card(
    view,
    t("passkey_offer.title"),
    html`<p>${t("account.passkeys.about")}</p>
<p>${t("account.passkey.before")}</p>
<div class="stack"><a class="button" href="${view.href("/account/passkeys/add", { offered: "yes" })}">${t("account.passkeys.add")}</a>
${form(view, { action: "skip", submit: t("passkey_offer.skip"), look: "secondary" })}</div>`,
  )
}

/** Whether the visitor could add a first passkey, which needs a verified address. */
const isOpen = Effect.gen(function* () {
  const { call, flow, session } = yield* Visit
  if (flow().passkey_offer === undefined || session?.user.email_verified !== true) return false
  return (yield* call("passkeyList")).passkeys.length === 0
})

const leave = Effect.map(signedInTarget, (to) => ({ to }))

export const passkeyOffer = page({
  path: "/sign-in/passkey",
  needs: ["passkeyList", "passkeyRegisterVerify"],
  access: "session",
  show: Effect.gen(function* () {
    if (!(yield* isOpen)) return yield* leave
    const { view } = yield* Visit
    return { title: view.texts.t("passkey_offer.title"), main: template(view, null) }
  }),
  actions: { skip: leave },
})
