import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { authenticatorSetup } from "../components/authenticator-setup.ts"
import { card, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import type { Flow } from "../flow.ts"
import { page, Visit } from "../page.ts"
import { downloadRecoveryCodes, newRecoveryCodes, recoveryCodesForm } from "../recovery-codes.ts"
import type { Template } from "../view.ts"
import { orStartAgain, signedIn, startAgain } from "./complete.ts"

/** The page that says why an authenticator app is needed. Its button creates the secret, since opening a page changes nothing. */
export const requiredTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(
    view,
    t("enrol.title"),
    html`<p>${t("enrol.required")}</p><p class="muted">${t("enrol.apps")}</p>
${form(view, { action: "start", submit: t("enrol.start") })}`,
  )
}

/** The page with the secret of the app. */
export const template: Template<Pick<NonNullable<Flow["enrolment"]>, "totp_uri" | "secret">> = (view, app) =>
  card(view, view.texts.t("enrol.title"), authenticatorSetup(view, app))

/** The page that shows the recovery codes, once. */
export const codesTemplate: Template<{ readonly codes: ReadonlyArray<string> }> = (view, props) =>
  card(view, view.texts.t("recovery_codes.title"), recoveryCodesForm(view, props))

const start = Effect.gen(function* () {
  const { call, flow, setFlow, view } = yield* Visit
  const { challenge } = flow()
  if (challenge === undefined) return yield* startAgain
  const input = { challenge_token: challenge.token }
  setFlow({ enrolment: yield* call("twoFactorTotpEnrol", input) })
  return { to: view.href("/sign-in/enrol") }
})

const confirm = Effect.gen(function* () {
  const { call, flow, setFlow, view } = yield* Visit
  const { challenge, enrolment } = flow()
  if (challenge === undefined || enrolment === undefined) return yield* startAgain
  const input = { challenge_token: challenge.token, code: yield* enteredCode }
  const { user } = yield* call("twoFactorTotpEnrolConfirm", input)
  const recovery_codes = { user_id: user.id, codes: enrolment.backup_codes }
  setFlow({ challenge: undefined, enrolment: undefined, recovery_codes })
  return { to: view.href("/sign-in/recovery-codes") }
})

export const enrol = page({
  path: "/sign-in/enrol",
  needs: ["twoFactorTotpEnrol", "twoFactorTotpEnrolConfirm"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, flow } = yield* Visit
    const { challenge, enrolment } = flow()
    if (challenge?.kind !== "enrolment") return yield* startAgain
    const main = enrolment === undefined ? requiredTemplate(view, null) : template(view, enrolment)
    return { title: view.texts.t("enrol.title"), main }
  }),
  actions: { start: orStartAgain(start), confirm: orStartAgain(confirm) },
})

/** Only for the browser that has just enrolled: the codes leave its flow when they are saved. */
export const savedCodes = page({
  path: "/sign-in/recovery-codes",
  needs: ["twoFactorTotpEnrol"],
  access: "session",
  wide: false,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const codes = yield* newRecoveryCodes
    if (codes === undefined) return { to: yield* signedIn }
    const scripts = ["print"] as const
    return { title: view.texts.t("recovery_codes.title"), main: codesTemplate(view, { codes }), scripts }
  }),
  actions: { saved: Effect.map(signedIn, (to) => ({ to })), download: downloadRecoveryCodes },
})
