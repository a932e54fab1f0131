import { html, type SafeHtml } from "@remix-run/html-template"
import type { View } from "../view.ts"
import { copyButton } from "./copy.ts"
import { codeField, sixDigits } from "./fields.ts"
import { form } from "./form.ts"
import { qrCode } from "./qr.ts"

interface Setup {
  readonly secret: string
  readonly totp_uri: string
  /** Further buttons. */
  readonly more?: SafeHtml
}

/** The secret for an authenticator app, as a QR code, a link and text, and the field for a first code. */
export const authenticatorSetup = (view: View, { secret, totp_uri, more = html`` }: Setup) => {
  const { t } = view.texts
  return html`<p>${t("authenticator.scan")}</p>
${qrCode(totp_uri, t("authenticator.qr"))}
<p><a href="${totp_uri}">${t("authenticator.open_app")}</a></p>
<p>${t("authenticator.secret")}<br><code class="secret" id="secret" dir="ltr">${spaced(secret)}</code> ${copyButton(view, "secret")}</p>
${form(view, { action: "confirm", submit: t("authenticator.confirm"), body: codeField(view, { hint: t("authenticator.code_hint"), digits: sixDigits, isFirst: false }), more })}`
}

/** In groups of four, as people copy it. */
const spaced = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, "$1 ")
