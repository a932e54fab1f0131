import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Key } from "../../texts/texts.ts"
import { leftToRight } from "../components/direction.ts"
import { card } from "../components/form.ts"
import { sendAgainForm } from "../components/send-again.ts"
import { type Operation, page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { startAgain } from "./complete.ts"
import { secondsToAgain, sendAgain, sentFor } from "./send.ts"

interface Message {
  readonly purpose: "magic_link" | "verify" | "reset"
  readonly path: string
  readonly needs: Operation
  readonly text: Key
  /** The page with another address. */
  readonly back: string
}

interface Props extends Pick<Message, "text" | "back"> {
  readonly to: string
  /** Seconds until the message can be sent again. */
  readonly wait: number
}

/** The page after a mail with a link was sent. It is the same for known and unknown addresses. */
export const template: Template<Props> = (view, { to, text, back, wait }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("sent.title"),
    html`<p>${rich(text, { to: html`<strong>${leftToRight(to)}</strong>` })}</p>
<p class="muted">${t("sent.hint")}</p>
${sendAgainForm(view, { submit: t("sent.submit"), wait })}
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
      if (to === null) return yield* startAgain
      const main = template(view, { to, text, back, wait: yield* secondsToAgain })
      return { title: view.texts.t("sent.title"), main, scripts: ["countdown"] }
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
