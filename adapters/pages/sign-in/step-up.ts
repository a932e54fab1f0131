import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { accountName, codeField, letterCodeField, passwordField, sixDigits } from "../components/fields.ts"
import { button, card, form } from "../components/form.ts"
import { enteredCode, enteredJson } from "../entered.ts"
import { field, type Input, page, Visit } from "../page.ts"
import { isOwnCodeSent, ownCodes, sendOwnCode, sentTexts } from "../sent-codes.ts"
import type { Template, View } from "../view.ts"
import { passkeyForm } from "./passkey.ts"
import { send, sendAgain } from "./send.ts"
import { type SentMethod, sentMethodIn } from "./sent-methods.ts"

/** How the user can prove their identity. */
export interface Proofs {
  readonly kind: "app" | "recovery" | "password" | "email" | "email_sent" | "factor" | "factor_sent" | "none"
  readonly passkey: boolean
  /** The second factor, if its codes are sent. */
  readonly sent?: SentFactor
}

interface SentFactor {
  readonly method: SentMethod
  /** Where codes go, masked. */
  readonly to: string
  /** The other ways to get a code. */
  readonly others: ReadonlyArray<SentMethod>
}

interface Props {
  readonly proofs: Proofs
  readonly email: string
  /** Of a mailed code. */
  readonly digits: number | null
  /** Where the visitor wanted to go. */
  readonly returnTo: string
}

/** The page on which users prove their identity again, before a sensitive change. */
export const template: Template<Props> = (view, { proofs, returnTo, ...mailed }) => {
  const { t } = view.texts
  return card(
    view,
    t("step_up.title"),
    html`<p>${t("step_up.text")}</p>${proofForm(view, proofs, mailed)}
${proofs.passkey ? html`<div class="after">${passkeyForm(view, t("step_up.passkey"))}</div>` : null}
${otherWay(view, proofs, returnTo)}
<p class="after"><a href="${view.href("/sign-in", { another: "yes", return_to: returnTo })}">${t("step_up.sign_in")}</a></p>`,
  )
}

const proofForm = (view: View, { kind, sent }: Proofs, { email, digits }: Pick<Props, "email" | "digits">) => {
  const { t, rich } = view.texts
  const submit = t("step_up.submit")
  if (kind === "app")
    return form(view, { action: "code", submit, body: codeField(view, { hint: t("step_up.code_hint"), digits: sixDigits }) })
  if (kind === "recovery") {
    const body = letterCodeField(view, { name: "code", label: t("recovery_code.field"), hint: t("recovery_code.hint") })
    return form(view, { action: "recovery", submit, body })
  }
  if (kind === "password") return form(view, { action: "password", submit, body: html`${accountName(view, email)}${passwordField(view)}` })
  if (kind === "email") return form(view, { action: "send", submit: t("step_up.send") })
  if (sent !== undefined && kind === "factor")
    return form(view, { action: "send_factor", submit: t(sentTexts[sent.method].send), hidden: { method: sent.method } })
  if (sent !== undefined && kind === "factor_sent") return factorForm(view, sent, email)
  if (kind === "none") return null
  const to = strongLeftToRight(email)
  return html`<p>${rich("code.sent_by_email", { to })}</p>${form(view, { action: "email_code", submit, body: codeField(view, { hint: t("code.hint"), digits }) })}
<div class="after">${form(view, { action: "again", submit: t("code.again"), look: "secondary" })}</div>`
}

/** For a sent code as the second factor, which counts together with the password. */
const factorForm = (view: View, { method, to }: SentFactor, email: string) => {
  const { t, rich } = view.texts
  const body = html`${codeField(view, { hint: t("code.hint"), digits: null })}${accountName(view, email)}${passwordField(view)}`
  const more = button(t("code.again"), "send_factor")
  return html`<p>${rich(sentTexts[method].sent, { to: strongLeftToRight(to) })}</p>
${form(view, { action: "factor", submit: t("step_up.submit"), body, hidden: { method }, more })}`
}

const otherWay = (view: View, { kind, sent }: Proofs, return_to: string) => {
  if (sent !== undefined)
    return sent.others.map(
      (way) => html`<p class="after"><a href="${view.href("/step-up", { way, return_to })}">${view.texts.t(sentTexts[way].use)}</a></p>`,
    )
  if (kind !== "app" && kind !== "recovery") return null
  const [query, key] =
    kind === "app" ? ([{ way: "recovery", return_to }, "two_factor.recovery"] as const) : ([{ return_to }, "recovery_code.back"] as const)
  return html`<p class="after"><a href="${view.href("/step-up", query)}">${view.texts.t(key)}</a></p>`
}

/** The sent codes of the user that are a second factor; undefined without any. */
const sentFactor = Effect.gen(function* () {
  const { query } = yield* Visit
  const on = (yield* ownCodes).filter(({ enabled }) => enabled)
  const named = sentMethodIn(query.get("way"))
  const chosen = on.find(({ method }) => method === named) ?? on[0]
  if (chosen === undefined) return undefined
  const { method, recipient } = chosen
  const others = on.map((each) => each.method).filter((each) => each !== method)
  const sent: SentFactor = { method, to: recipient ?? "", others }
  return { kind: (yield* isOwnCodeSent(method)) ? "factor_sent" : "factor", sent } as const
})

/** For a user with a second factor, only proofs with it count. A code that is mailed to sign in is for users without a password. */
const proofsOf = Effect.gen(function* () {
  const { call, has, query, session, flow } = yield* Visit
  const passkey = has("passkeyList") && (yield* call("passkeyList")).passkeys.length > 0
  const hasApp = has("twoFactorTotpStatus") && (yield* call("twoFactorTotpStatus")).enabled
  if (hasApp) return { kind: query.get("way") === "recovery" ? "recovery" : "app", passkey } as const
  const factor = yield* sentFactor
  if (factor !== undefined) return { ...factor, passkey }
  const { accounts } = yield* call("listAccounts")
  if (accounts.some(({ provider_id }) => provider_id === "credential")) return { kind: "password", passkey } as const
  if (!has("emailOtpSend") || session?.user.email_verified !== true) return { kind: "none", passkey } as const
  return { kind: flow().sent?.purpose === "step_up" ? "email_sent" : "email", passkey } as const
})

const target = Effect.map(Visit, ({ query, site, view }) => site.returnTarget(query.get("return_to")) ?? view.href("/account"))

const proveBy = <E, R>(given: Effect.Effect<Input<"stepUp">, E, R>) =>
  Effect.gen(function* () {
    const { call, setFlow } = yield* Visit
    yield* call("stepUp", yield* given)
    setFlow({ sent: undefined, sent_code: undefined })
    return { to: yield* target }
  })

const prove = <E, R>(member: string, value: Effect.Effect<unknown, E, R>) => proveBy(Effect.map(value, (proof) => ({ [member]: proof })))

const entered = (name: string) => Effect.map(Visit, ({ form }) => field(form, name))

/** The method of the form. */
const enteredMethod = Effect.map(entered("method"), (method) => sentMethodIn(method) ?? "email")

/** The password and the sent code. */
const enteredFactor = Effect.gen(function* () {
  return { [`${yield* enteredMethod}_code`]: { password: yield* entered("password"), code: yield* enteredCode } }
})

/** Redirects to this page with its query, instead of to the page of the message. */
const here = <E, R>(sending: Effect.Effect<unknown, E, R>) =>
  Effect.andThen(
    sending,
    Effect.map(Visit, ({ view }) => ({ to: view.here })),
  )

export const stepUp = page({
  path: "/step-up",
  needs: ["stepUp"],
  uses: ["emailOtpSend", "twoFactorCodesSend"],
  access: "session",
  wide: false,
  problems: { invalid_credentials: "step_up.wrong" },
  show: Effect.gen(function* () {
    const { view, session, site } = yield* Visit
    const proofs = yield* proofsOf
    const title = view.texts.t("step_up.title")
    const main = template(view, { proofs, email: session?.user.email ?? "", digits: site.codeDigits.email, returnTo: yield* target })
    return { title, main, scripts: proofs.passkey ? (["passkey"] as const) : [] }
  }),
  actions: {
    password: prove("password", entered("password")),
    code: prove("code", enteredCode),
    recovery: prove("backup_code", entered("code")),
    email_code: prove("otp", enteredCode),
    factor: proveBy(enteredFactor),
    send_factor: here(Effect.flatMap(enteredMethod, sendOwnCode)),
    passkey: prove("passkey", enteredJson("response")),
    send: here(Effect.flatMap(Visit, ({ session }) => send("step_up", session?.user.email ?? ""))),
    again: here(sendAgain),
  },
})
