import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { TwoFactorTotpEnrolPayload } from "../../../client/operations.ts"
import { codeField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { qrCode } from "../components/qr.ts"
import { recoveryCodes } from "../components/recovery-codes.ts"
import { enteredCode } from "../entered.ts"
import type { Flow } from "../flow.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { orStartAgain, signedInTarget, startAgain } from "./complete.ts"

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

/** The page with the secret of the app, as a picture and as text. */
export const template: Template<Pick<NonNullable<Flow["enrolment"]>, "uri" | "secret">> = (view, { uri, secret }) => {
  const { t } = view.texts
  return card(
    view,
    t("enrol.title"),
    html`<p>${t("enrol.scan")}</p>
${qrCode(uri, t("enrol.qr"))}
<p>${t("enrol.secret")}<br><code class="secret" dir="ltr">${(secret.match(/.{1,4}/g) ?? []).join(" ")}</code></p>
<p><a href="${uri}">${t("enrol.open_app")}</a></p>
${form(view, { action: "confirm", submit: t("enrol.confirm"), body: codeField(view, { hint: t("enrol.code_hint") }) })}`,
  )
}

/** The page that shows the recovery codes, once. */
export const codesTemplate: Template<{ readonly codes: ReadonlyArray<string> }> = (view, { codes }) => {
  const { t } = view.texts
  return card(
    view,
    t("recovery_codes.title"),
    html`<p>${t("recovery_codes.text")}</p>${recoveryCodes(view, codes)}
<div class="after">${form(view, { action: "saved", submit: t("recovery_codes.saved") })}</div>`,
  )
}

const start = Effect.gen(function* () {
  const { call, flow, setFlow, view } = yield* Visit
  const { challenge } = flow()
  if (challenge === undefined) return yield* startAgain
  const input = { challenge_token: challenge.token }
  const { totp_uri, secret, backup_codes } = yield* call<TwoFactorTotpEnrolPayload>("twoFactorTotpEnrol", input)
  setFlow({ enrolment: { uri: totp_uri, secret, backup_codes } })
  return { to: view.href("/sign-in/enrol") }
})

const confirm = Effect.gen(function* () {
  const { call, flow, setFlow, view } = yield* Visit
  const { challenge } = flow()
  if (challenge === undefined) return yield* startAgain
  yield* call("twoFactorTotpEnrolConfirm", { challenge_token: challenge.token, code: yield* enteredCode })
  setFlow({ challenge: undefined })
  return { to: view.href("/sign-in/recovery-codes") }
})

export const enrol = page({
  path: "/sign-in/enrol",
  needs: ["twoFactorTotpEnrol"],
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
    const { view, flow } = yield* Visit
    const { enrolment } = flow()
    if (enrolment === undefined) return { to: yield* signedInTarget }
    const main = codesTemplate(view, { codes: enrolment.backup_codes })
    return { title: view.texts.t("recovery_codes.title"), main, scripts: ["print"] as const }
  }),
  actions: { saved: Effect.map(signedInTarget, (to) => ({ to })) },
})
