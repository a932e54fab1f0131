import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { AuthError } from "../../../domain/errors.ts"
import type { Key } from "../../texts/texts.ts"
import { strongLeftToRight } from "../components/direction.ts"
import { codeField, sixDigits } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { sendAgainForm } from "../components/send-again.ts"
import { enteredCode } from "../entered.ts"
import { type Operation, page, type Shown, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { completeSignIn, signedIn, signedInUser, startAgain } from "./complete.ts"
import { lastSent, secondsToAgain, sendAgain } from "./send.ts"

interface Message {
  readonly purpose: "magic_link" | "verify" | "reset"
  readonly path: string
  readonly needs: Operation
  readonly text: Key
  /** The page with another address. */
  readonly back: string
}

/** A message with a code beside its link. */
interface Code {
  readonly uses: Operation
  readonly redeem: (entered: {
    readonly email: string
    readonly flow: string
    readonly code: string
  }) => Effect.Effect<Shown, AuthError, Visit>
}

interface Props extends Pick<Message, "text" | "back"> {
  readonly to: string
  /** Seconds until the message can be sent again. */
  readonly wait: number
  /** Whether the message also has a code, which can be entered here. */
  readonly hasCode?: boolean
}

/** The page after a mail with a link was sent. It is the same for known and unknown addresses. */
export const template: Template<Props> = (view, { to, text, back, wait, hasCode = false }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("sent.title"),
    html`<p>${rich(text, { to: strongLeftToRight(to) })}</p>
${hasCode ? form(view, { action: "code", submit: t("code.submit"), body: codeField(view, { digits: sixDigits }) }) : null}
<p class="${hasCode ? "after muted" : "muted"}">${t("sent.hint")}</p>
${sendAgainForm(view, { submit: t("sent.submit"), wait })}
<p class="after"><a href="${view.href(back)}">${t("sent.other_address")}</a></p>`,
  )
}

const sentPage = ({ purpose, path, needs, text, back }: Message, code?: Code) =>
  page({
    path,
    needs: [needs],
    ...(code === undefined ? {} : { uses: [code.uses] }),
    access: "public",
    show: Effect.gen(function* () {
      const { view } = yield* Visit
      const sent = yield* lastSent(purpose)
      if (sent === null) return yield* startAgain
      const main = template(view, { to: sent.to, text, back, wait: yield* secondsToAgain, hasCode: code !== undefined })
      return { title: view.texts.t("sent.title"), main, scripts: ["countdown"] }
    }),
    actions: { again: sendAgain, ...(code === undefined ? {} : { code: redeemed(purpose, code) }) },
  })

const redeemed = (purpose: Message["purpose"], code: Code) =>
  Effect.gen(function* () {
    const sent = yield* lastSent(purpose)
    if (sent?.secret === undefined) return yield* startAgain
    return yield* code.redeem({ email: sent.to, flow: sent.secret, code: yield* enteredCode })
  })

export const linkSent = sentPage(
  { purpose: "magic_link", path: "/sign-in/link-sent", needs: "magicLinkSend", text: "sent.magic_link", back: "/sign-in" },
  {
    uses: "magicLinkVerifyCode",
    redeem: Effect.fnUntraced(function* signInByCode(entered) {
      const { call } = yield* Visit
      return yield* completeSignIn(yield* call("magicLinkVerifyCode", entered), entered.email, "magic_link")
    }),
  },
)

/** Signed-in visitors continue where they wanted to go. Others sign in with the password that they chose. */
export const verificationSent = sentPage(
  { purpose: "verify", path: "/verify-email/sent", needs: "sendVerificationEmail", text: "sent.verify", back: "/sign-up" },
  {
    uses: "verifyEmailCode",
    redeem: Effect.fnUntraced(function* verifyByCode(entered) {
      const { call, setFlow, view } = yield* Visit
      yield* call("verifyEmailCode", entered)
      setFlow({ sent: undefined })
      if ((yield* signedInUser)?.email !== entered.email.toLowerCase()) return { to: view.href("/verify-email/done") }
      setFlow({ notice: "verify.done.title" })
      return { to: yield* signedIn }
    }),
  },
)

export const resetSent = sentPage({
  purpose: "reset",
  path: "/forgot-password/sent",
  needs: "requestPasswordReset",
  text: "sent.reset",
  back: "/forgot-password",
})
