import { html } from "@remix-run/html-template"
import { DateTime, Effect } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import { checksummed } from "../../crypto/ethereum-signatures.ts"
import { form, scriptFault } from "../components/form.ts"
import { withIcon } from "../components/icons.ts"
import { field, type Resource, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { completeSignIn } from "./complete.ts"

/** The button for wallets. Without scripts, which wallets need, it is hidden. */
export const walletForm = (view: View, mark: string | null = null) =>
  html`<div hidden data-wallet="${view.href("/sign-in/wallet-message")}">${form(view, {
    action: "wallet",
    submit: withIcon("wallet", view.texts.t("sign_in.wallet")),
    mark,
    look: "secondary",
    hidden: { message: "", signature: "" },
  })}${scriptFault(view)}</div>`

/** The message that the wallet of an address signs (EIP-4361). Wallets warn if it names another host than that of the page. */
export const walletMessage: Resource = {
  path: "/sign-in/wallet-message",
  access: "public",
  needs: ["siweNonce"],
  answer: Effect.gen(function* () {
    const { form, call, site } = yield* Visit
    const address = field(form, "address")
    if (!/^0x[0-9A-Fa-f]{40}$/.test(address)) return yield* invalidMember("address", "expected an Ethereum address")
    const { nonce, chain_id } = yield* call("siweNonce")
    const { host, href } = new URL(site.core.public_url)
    const lines = [
      `${host} wants you to sign in with your Ethereum account:`,
      checksummed(address),
      "",
      "",
      `URI: ${href}`,
      "Version: 1",
      `Chain ID: ${chain_id}`,
      `Nonce: ${nonce}`,
      `Issued At: ${DateTime.formatIso(yield* DateTime.now)}`,
    ]
    return { message: lines.join("\n") }
  }),
}

export const walletSignIn = Effect.gen(function* () {
  const { form, call } = yield* Visit
  // Forms send every line break as CRLF (HTML, "constructing the form data set").
  const message = field(form, "message").replaceAll("\r\n", "\n")
  return yield* completeSignIn(yield* call("siweVerify", { message, signature: field(form, "signature") }), undefined, "wallet")
})
