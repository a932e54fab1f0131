import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { TwoFactorTotpStatusPayload } from "../../../client/operations.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import { form } from "../components/form.ts"
import { Visit } from "../page.ts"
import { ownCodes } from "../sent-codes.ts"
import type { View } from "../view.ts"
import { section, signedIn } from "./frame.ts"
import { linkButton, row } from "./parts.ts"

/** What protects an account; null where the service has nothing of the kind. */
export interface Protection {
  readonly isVerified: boolean
  readonly hasPasskey: boolean | null
  readonly factor: TwoFactorTotpStatusPayload | null
  /** Whether sent codes are a second factor. */
  readonly hasSentCodes: boolean
}

/** The number of recovery codes below which users are asked to make new ones. */
const fewCodes = 3

/** What the user can do to protect the account, the most important first. */
const advice = (view: View, { isVerified, hasPasskey, factor, hasSentCodes }: Protection): Array<SafeHtml> => {
  const { t } = view.texts
  const verify = form(view, { action: "verify", submit: t("account.email.verify"), look: "small secondary" })
  const isProtected = hasPasskey === true || factor?.enabled === true
  const isLow = factor?.enabled === true && factor.backup_codes_remaining < fewCodes
  return [
    isVerified ? [] : row(t("account.check_up.verify"), t("account.check_up.verify.why"), verify),
    isProtected || hasPasskey === null
      ? []
      : row(
          t("account.passkeys.add"),
          t("account.check_up.passkey"),
          linkButton(view.href("/account/passkeys/add"), t("account.passkeys.add")),
        ),
    isProtected || hasSentCodes || factor === null || hasPasskey !== null
      ? []
      : row(
          t("account.authenticator.set_up"),
          t("account.check_up.factor"),
          linkButton(view.href("/account/authenticator"), t("account.authenticator.set_up")),
        ),
    isLow
      ? row(
          t("account.recovery.title"),
          t("account.authenticator.codes_left", { count: factor.backup_codes_remaining }),
          linkButton(view.href("/account/recovery-codes"), t("account.recovery.replace")),
        )
      : [],
  ].flat()
}

/** Says what the user can do to protect the account, or that all is done. */
export const checkUp = (view: View, protection: Protection) => {
  const { t } = view.texts
  const rows = advice(view, protection)
  const main = rows.length === 0 ? html`<p>${t("account.check_up.done")}</p>` : html`<ul class="list">${rows}</ul>`
  return section(t("account.check_up"), main)
}

/** What protects the visitor's account. */
export const protection = Effect.gen(function* () {
  const { call, has } = yield* Visit
  const { user } = yield* signedIn
  const found: Protection = {
    isVerified: user.email_verified || isSynthetic(user.email),
    hasPasskey: has("passkeyList") ? (yield* call("passkeyList")).passkeys.length > 0 : null,
    factor: has("twoFactorTotpEnable") ? yield* call("twoFactorTotpStatus") : null,
    hasSentCodes: (yield* ownCodes).some(({ enabled }) => enabled),
  }
  return found
})
