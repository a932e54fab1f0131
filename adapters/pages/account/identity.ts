import { Effect } from "effect"
import type { LinkedAccount } from "../../../client/operations.ts"
import { Visit } from "../page.ts"

/** The caller's ways to sign in. */
export const linkedAccounts = Effect.gen(function* () {
  const { call } = yield* Visit
  const { accounts } = yield* call("listAccounts")
  return accounts
})

const isPassword = ({ provider_id }: LinkedAccount) => provider_id === "credential"

/** Whether the caller has a password. */
export const hasPassword = Effect.map(linkedAccounts, (accounts) => accounts.some(isPassword))

/** The pages of a signed-in user have no field for the name, so only the password can be wrong. */
export const passwordProblems = { invalid_credentials: "error.wrong_password" } as const
