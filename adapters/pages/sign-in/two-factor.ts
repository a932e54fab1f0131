import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { checkbox, codeField, letterCodeField, sixDigits } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import type { Flow } from "../flow.ts"
import { field, type Input, page, Visit } from "../page.ts"
import { sentTexts } from "../sent-codes.ts"
import type { Template, View } from "../view.ts"
import { completeSignIn, orStartAgain, places, startAgain } from "./complete.ts"
import { passkeyForm, passkeySignIn } from "./passkey.ts"
import { type SentMethod, sentMethods } from "./sent-methods.ts"

interface Props {
  readonly hasRecovery: boolean
  /** The ways to get a code sent. */
  readonly sent: ReadonlyArray<SentMethod>
  readonly hasPasskeys: boolean
  /** The name that was entered; null after a sign-in without one. */
  readonly account: string | null
  /** For how many days the visitor can have the browser remembered; null if they cannot. */
  readonly rememberDays: number | null
}

/** The page for the code of the authenticator app. Other ways are links, so that they work without scripts. */
export const template: Template<Props> = (view, { hasRecovery, sent, hasPasskeys, account, rememberDays }) => {
  const { t } = view.texts
  // With a choice beside the code, the visitor sends the form.
  const code = codeField(view, { digits: rememberDays === null ? sixDigits : null })
  return card(
    view,
    t("two_factor.title"),
    html`<p>${t("two_factor.text")}</p>
${form(view, { action: "code", submit: t("two_factor.submit"), body: html`${code}${remember(view, rememberDays)}` })}
${hasPasskeys ? html`<div class="after">${passkeyForm(view, t("sign_in.passkey"))}</div>` : null}
${sentCodeLinks(view, sent)}
${hasRecovery ? html`<p class="after"><a href="${view.href("/sign-in/recovery-code")}">${t("two_factor.recovery")}</a></p>` : null}
${otherAccount(view, account)}`,
  )
}

/** Links to the pages on which a code is sent. */
export const sentCodeLinks = (view: View, methods: ReadonlyArray<SentMethod>) =>
  methods.map(
    (method) =>
      html`<p class="after"><a href="${view.href("/sign-in/factor-code", { method })}">${view.texts.t(sentTexts[method].use)}</a></p>`,
  )

/** Who signs in, and a link for another person. */
export const otherAccount = (view: View, account: string | null) => {
  const { t, rich } = view.texts
  const named = account === null ? null : rich("two_factor.account", { user: strongLeftToRight(account) })
  return html`<p class="after">${named} <a href="${view.href("/sign-in", { another: "yes" })}">${t("two_factor.other_account")}</a></p>`
}

export const remember = (view: View, days: number | null) =>
  days === null ? null : checkbox(view, { name: "remember_browser", label: view.texts.t("two_factor.remember", { days }) })

/** The page for a recovery code (backup code). */
export const recoveryTemplate: Template<Pick<Props, "rememberDays">> = (view, { rememberDays }) => {
  const { t } = view.texts
  const { support } = view.branding.links
  const body = letterCodeField(view, { name: "code", label: t("recovery_code.field"), hint: t("recovery_code.hint") })
  return card(
    view,
    t("recovery_code.title"),
    html`${form(view, { action: "recovery", submit: t("two_factor.submit"), body: html`${body}${remember(view, rememberDays)}` })}
<p class="after"><a href="${view.href("/sign-in/two-factor")}">${t("recovery_code.back")}</a></p>
${support === undefined ? null : html`<p><a href="${support}">${t("recovery_code.support")}</a></p>`}`,
  )
}

/** The page of a challenge that is required by a module of the operator, for which there is no page here. */
export const unknownTemplate: Template<null> = (view) => {
  const { t } = view.texts
  const { support } = view.branding.links
  return card(
    view,
    t("unknown_challenge.title"),
    html`<p>${t("unknown_challenge.text")}</p>
<div class="actions"><a class="button secondary small" href="${view.href("/sign-in", { another: "yes" })}">${t("unknown_challenge.back")}</a>
${support === undefined ? null : html`<a class="button secondary small" href="${support}">${t("layout.support")}</a>`}</div>`,
  )
}

export const challenge = Effect.map(Visit, ({ flow }) => flow().challenge)

/** How the pending sign-in can have a code sent. */
export const sentIn = (pending: Flow["challenge"]) => sentMethods.filter((method) => pending?.recipients?.[method] !== undefined)

/** Completes the sign-in by this member of the input. A challenge that has ended leads back to the sign-in page. */
export const answer = (given: Effect.Effect<Partial<Input<"twoFactorTotpChallenge">>, never, Visit>) =>
  orStartAgain(
    Effect.gen(function* () {
      const { call, form } = yield* Visit
      const pending = yield* challenge
      if (pending === undefined) return yield* startAgain
      const input = { ...(yield* given), challenge_token: pending.token, remember_browser: field(form, "remember_browser") === "yes" }
      return yield* completeSignIn(yield* call("twoFactorTotpChallenge", input))
    }),
  )

export const twoFactor = page({
  path: "/sign-in/two-factor",
  needs: [],
  uses: ["twoFactorTotpChallenge", "passkeyAuthenticateVerify"],
  access: "public",
  problems: { rate_limited: "two_factor.locked" },
  show: Effect.gen(function* () {
    const { view, has } = yield* Visit
    const { t } = view.texts
    const pending = yield* challenge
    if (pending === undefined) return yield* startAgain
    if (pending.kind === "enrolment" || pending.kind === "new_password") return { to: view.href(places[pending.kind]) }
    if (pending.kind === "unknown" || !has("twoFactorTotpChallenge"))
      return { title: t("unknown_challenge.title"), main: unknownTemplate(view, null) }
    const sent = sentIn(pending)
    if (!pending.methods.includes("totp") && sent.length > 0) return { to: view.href("/sign-in/factor-code") }
    const hasRecovery = pending.methods.includes("backup_code")
    const hasPasskeys = has("passkeyAuthenticateVerify")
    const scripts = hasPasskeys ? (["passkey"] as const) : []
    const { account = null, remember_days: rememberDays = null } = pending
    return { title: t("two_factor.title"), main: template(view, { hasRecovery, sent, hasPasskeys, account, rememberDays }), scripts }
  }),
  actions: { code: answer(Effect.map(enteredCode, (code) => ({ code }))), passkey: passkeySignIn },
})

export const recoveryCode = page({
  path: "/sign-in/recovery-code",
  needs: ["twoFactorTotpChallenge"],
  access: "public",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const pending = yield* challenge
    if (pending?.kind !== "two_factor") return yield* startAgain
    return { title: view.texts.t("recovery_code.title"), main: recoveryTemplate(view, { rememberDays: pending.remember_days ?? null }) }
  }),
  actions: {
    recovery: answer(Effect.map(Visit, ({ form }) => ({ backup_code: field(form, "code") }))),
  },
})
