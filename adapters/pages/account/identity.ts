import { Effect } from "effect"
import type { LinkedAccount } from "../../../client/operations.ts"
import { providerNameIn } from "../../texts/provider-name.ts"
import type { Key } from "../../texts/texts.ts"
import { Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The caller's ways to sign in. */
export const linkedAccounts = Effect.gen(function* () {
  const { call } = yield* Visit
  const { accounts } = yield* call("listAccounts")
  return accounts
})

const isPassword = ({ provider_id }: LinkedAccount) => provider_id === "credential"

/** Whether the caller has a password. */
export const hasPassword = Effect.map(linkedAccounts, (accounts) => accounts.some(isPassword))

const kinds: Readonly<Record<string, Key>> = {
  credential: "account.password",
  passkey: "account.activity.passkey",
  totp: "account.authenticator",
  backup_codes: "account.recovery.title",
  remembered_browser: "account.remembered",
  phone: "account.phone",
  siwe: "account.wallet",
}

/** What a user knows a kind of credential by; others are of a provider. */
export const credentialKindName = ({ texts }: Pick<View, "texts">, kind: string) => {
  const key = kinds[kind]
  return key === undefined ? providerNameIn(texts, kind) : texts.t(key)
}

/** The pages of a signed-in user have no field for the name, so only the password can be wrong. */
export const passwordProblems = { invalid_credentials: "error.wrong_password" } as const
