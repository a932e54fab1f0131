import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Passkey, TwoFactorTotpStatusPayload } from "../../../client/operations.ts"
import { labelFor, named } from "../components/names.ts"
import { time } from "../components/time.ts"
import { Visit } from "../page.ts"
import { ownCodes } from "../sent-codes.ts"
import type { SentMethod } from "../sign-in/sent-methods.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, inSection, section } from "./frame.ts"
import { hasPassword } from "./identity.ts"
import { linkButton, list, row, tag } from "./parts.ts"
import { signalsElement, signalsScripts } from "./passkey-signals.ts"
import { sentCodePages } from "./sent-codes.ts"

interface SentCodes {
  readonly method: SentMethod
  readonly enabled: boolean
}

interface Props {
  /** Undefined without the module. */
  readonly passkeys: ReadonlyArray<Pick<Passkey, "id" | "name" | "created_at" | "last_used_at" | "authenticator">> | undefined
  /** Undefined if the user has none and cannot set one. */
  readonly password: "set" | "none" | undefined
  /** Undefined without the module. */
  readonly authenticator: TwoFactorTotpStatusPayload | undefined
  /** The ways to send codes, and whether they are a second factor. */
  readonly sentCodes: ReadonlyArray<SentCodes>
  /** Whether apps can be set up. */
  readonly offersApps: boolean
  /** Whether passkeys have just changed. */
  readonly signals: boolean
}

/** The ways to prove who the user is. */
export const template: Template<Props> = (view, { passkeys, password, authenticator, sentCodes, offersApps, signals }) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.security") },
    passkeys === undefined ? null : passkeyCard(view, passkeys),
    password === undefined ? null : passwordCard(view, password),
    authenticator === undefined || !(authenticator.enabled || offersApps) ? null : authenticatorCard(view, authenticator),
    ...sentCodes.map((codes) => sentCodesCard(view, codes)),
    signals ? signalsElement(view) : null,
  )
}

/** A passkey by its name. */
const passkeyName = ({ texts }: View, { name, authenticator }: Pick<Passkey, "name" | "authenticator">) =>
  name === null ? (authenticator ?? texts.t("account.passkey.unnamed")) : named(name)

/** Where a passkey is kept, and when it was added and used. */
export const passkeyDates = (
  view: View,
  { authenticator, created_at, last_used_at }: Pick<Passkey, "authenticator" | "created_at" | "last_used_at">,
) => {
  const { t, rich } = view.texts
  const keeper = authenticator === null ? null : html`${rich("account.passkey.kept", { name: named(authenticator) })}<br>`
  const used = last_used_at === null ? t("account.passkey.unused") : rich("account.passkey.used", { date: time(view, last_used_at) })
  return html`${keeper}${rich("account.passkey.created", { date: time(view, created_at) })}<br>${used}`
}

const passkeyCard = (view: View, passkeys: NonNullable<Props["passkeys"]>) => {
  const { t } = view.texts
  const rows = passkeys.map((passkey) =>
    row(
      passkeyName(view, passkey),
      passkeyDates(view, passkey),
      linkButton(view.href("/account/passkey", { id: passkey.id }), labelFor(t("account.passkey.edit"), passkeyName(view, passkey))),
    ),
  )
  return section(
    t("account.passkeys"),
    html`<p>${t("account.passkeys.about")}</p>`,
    list(rows, t("account.passkeys.none")),
    html`<p class="after">${linkButton(view.href("/account/passkeys/add"), t("account.passkeys.add"))}</p>`,
  )
}

const passwordCard = (view: View, password: NonNullable<Props["password"]>) => {
  const { t } = view.texts
  const isSet = password === "set"
  return section(
    t("account.password"),
    html`<p>${isSet ? t("account.password.about") : t("account.password.without")}</p>`,
    linkButton(view.href("/account/password"), isSet ? t("account.password.title") : t("account.password.set")),
  )
}

const authenticatorCard = (view: View, { enabled, backup_codes_remaining: count }: TwoFactorTotpStatusPayload) => {
  const { t } = view.texts
  const state = html`<p>${t("account.authenticator.about")}</p>`
  const title = t("account.authenticator")
  if (!enabled) return section(title, state, linkButton(view.href("/account/authenticator"), t("account.authenticator.set_up")))
  return section(
    title,
    state,
    html`<p>${tag(t("account.authenticator.on"))} ${t("account.authenticator.codes_left", { count })}</p>`,
    html`<div class="actions">${linkButton(view.href("/account/recovery-codes"), t("account.recovery.title"))}${linkButton(
      view.href("/account/authenticator/disable"),
      t("account.authenticator.disable"),
      "danger",
    )}</div>`,
  )
}

const sentCodesCard = (view: View, { method, enabled: isOn }: SentCodes) => {
  const { t } = view.texts
  const { path, title, about } = sentCodePages[method]
  const href = view.href(path)
  return section(
    t(title),
    html`<p>${t(about)}</p>`,
    isOn ? html`<p>${tag(t("account.authenticator.on"))}</p>` : null,
    isOn ? linkButton(href, t("account.authenticator.disable"), "danger") : linkButton(href, t("account.email_codes.enable")),
  )
}

const changes = ["account.passkey.added", "account.passkey.removed"]

/** Unused recovery codes are not shown again. */
export const security = accountPage({
  path: "/account/security",
  needs: [],
  show: Effect.gen(function* () {
    const { view, has, call, site, flow, setFlow } = yield* Visit
    setFlow({ recovery_codes: undefined })
    const isSet = yield* hasPassword
    const passkeys = has("passkeyList") ? (yield* call("passkeyList")).passkeys : undefined
    const authenticator = has("twoFactorTotpStatus") ? yield* call("twoFactorTotpStatus") : undefined
    const sentCodes = yield* ownCodes
    const offersApps = has("twoFactorTotpEnable")
    const password = isSet ? "set" : site.core.email_password.enabled ? "none" : undefined
    const signals = passkeys !== undefined && changes.includes(flow().notice ?? "")
    const main = template(view, { passkeys, password, authenticator, sentCodes, offersApps, signals })
    return yield* inSection("security", view.texts.t("account.security"), main, { scripts: signalsScripts(signals) })
  }),
})
