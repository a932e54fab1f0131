import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { handleOf } from "../../../application/modules/passkey/table.ts"
import { type Resource, type Script, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { signedIn } from "./frame.ts"
import { linkedAccounts } from "./identity.ts"

const path = "/account/passkey-signals"

/** Makes a script report the user's passkeys and names to the authenticators (WebAuthn Level 3 section 5.1.10). */
export const signalsElement = (view: View) =>
  html`<span hidden data-passkey-signals="${view.href(path)}" data-token="${view.token}"></span>`

export const signalsScripts = (signals: boolean): ReadonlyArray<Script> => (signals ? ["passkey-signals"] : [])

/** The data that authenticators get: the accepted passkeys of the user, and the names to show. */
export const passkeySignals: Resource = {
  path,
  needs: ["passkeyList", "passkeyAuthenticateOptions"],
  access: "session",
  answer: Effect.gen(function* () {
    const { call } = yield* Visit
    const { user } = yield* signedIn
    const { rpId } = yield* call("passkeyAuthenticateOptions")
    const accounts = yield* linkedAccounts
    return {
      rpId,
      userId: handleOf(user.id),
      allAcceptedCredentialIds: accounts.filter(({ provider_id }) => provider_id === "passkey").map(({ account_id }) => account_id),
      name: user.email,
      displayName: user.name ?? user.email,
    }
  }),
}
