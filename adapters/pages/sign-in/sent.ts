import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Key } from "../../texts/texts.ts"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { startAgain } from "./complete.ts"
import { sendAgain, sentFor } from "./send.ts"

interface Message {
  readonly purpose: "magic_link" | "verify" | "reset"
  readonly path: string
  readonly needs: string
  readonly text: Key
  /** The page with another address. */
  readonly back: string
}

/** The page after a mail with a link was sent. It is the same for known and unknown addresses. */
export const template: Template<{ readonly to: string; readonly text: Key; readonly back: string }> = (view, { to, text, back }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("sent.title"),
    html`<p>${rich(text, { to: html`<strong><bdi dir="ltr">${to}</bdi></strong>` })}</p>
<p class="muted">${t("sent.hint")}</p>
${form(view, { action: "again", submit: t("sent.submit"), look: "secondary" })}
<p class="after"><a href="${view.href(back)}">${t("sent.other_address")}</a></p>`,
  )
}

const sentPage = ({ purpose, path, needs, text, back }: Message) =>
  page({
    path,
    needs: [needs],
    access: "public",
    show: Effect.gen(function* () {
      const { view } = yield* Visit
      const to = yield* sentFor(purpose)
      return to === null ? yield* startAgain : { title: view.texts.t("sent.title"), main: template(view, { to, text, back }) }
    }),
    actions: { again: sendAgain },
  })

export const linkSent = sentPage({
  purpose: "magic_link",
  path: "/sign-in/link-sent",
  needs: "magicLinkSend",
  text: "sent.magic_link",
  back: "/sign-in",
})
export const verificationSent = sentPage({
  purpose: "verify",
  path: "/verify-email/sent",
  needs: "sendVerificationEmail",
  text: "sent.verify",
  back: "/sign-up",
})
export const resetSent = sentPage({
  purpose: "reset",
  path: "/forgot-password/sent",
  needs: "requestPasswordReset",
  text: "sent.reset",
  back: "/forgot-password",
})
