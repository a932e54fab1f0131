import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import { completeSignIn, signedInUser } from "../sign-in/complete.ts"
import { sendTo } from "../sign-in/send.ts"
import type { Template } from "../view.ts"
import { deadLinkTemplate, redeem, showLink } from "./mailed-link.ts"

interface Props {
  /** Whether this browser requested the link. */
  readonly isOwn: boolean
  /** The address to which the link was mailed. */
  readonly email: string
  /** The address of the user who is signed in. */
  readonly current: string | null
}

/** The page of a sign-in link. A button signs in, so that a program that opens the links of mails does not consume their tokens. */
export const template: Template<Props> = (view, { isOwn, email, current }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("magic_link.title", { service: view.branding.name }),
    html`<p>${rich(isOwn ? "magic_link.text" : "magic_link.other_browser", { address: strongLeftToRight(email) })}</p>
${current === null ? null : html`<p>${rich("magic_link.other_account", { user: strongLeftToRight(current) })}</p>`}
${form(view, { action: "sign_in", submit: t("magic_link.submit") })}`,
  )
}

const path = "/magic-link"

export const magicLink = page({
  path,
  needs: ["magicLinkShow", "magicLinkVerify", "magicLinkSend"],
  access: "public",
  show: showLink(
    "magic_link",
    path,
    "magicLinkShow",
    Effect.fnUntraced(function* showMagicLink(email: string | null) {
      const { view, flow } = yield* Visit
      const { t } = view.texts
      const { sent, identifier = "" } = flow()
      if (email === null) {
        const main = deadLinkTemplate(view, { text: t("dead_link.text"), email: identifier, submit: t("dead_link.submit") })
        return { title: t("dead_link.title"), main }
      }
      const user = yield* signedInUser
      const current = user === null || user.is_guest ? null : user.email
      const main = template(view, { isOwn: sent?.purpose === "magic_link", email, current })
      return { title: t("magic_link.title", { service: view.branding.name }), main }
    }),
  ),
  actions: {
    sign_in: redeem("magic_link", path, (token) =>
      Effect.gen(function* () {
        const { call } = yield* Visit
        return yield* completeSignIn(yield* call("magicLinkVerify", { token }), undefined, "magic_link")
      }),
    ),
    send: sendTo("magic_link", "email"),
  },
})
