import { DateTime, Effect, Option } from "effect"
import { Mac } from "effect/crypto"
import { Settings } from "../settings.ts"
import { hasEnded } from "../storage/live.ts"
import type { StoredUser } from "./user.ts"

// The users of `test_users`, such as reviewers of an app store, who sign in with a code of the configuration.

const utf8 = new TextEncoder()

/** The code of the configuration for this address or telephone number, if it has one now. */
const configuredCode = Effect.fnUntraced(function* configuredCode(recipient: string) {
  const { test_users } = yield* Settings
  if (test_users === undefined || hasEnded(test_users.valid_until ?? null, yield* DateTime.now)) return undefined
  const name = recipient.includes("@") ? recipient : `+${recipient.replaceAll(/\D/g, "")}`
  return Object.hasOwn(test_users.codes, name) ? test_users.codes[name] : undefined
})

/** The same, unless the recipient has an account that exists otherwise. Nothing is sent to a recipient with a code. */
export const testCode = (recipient: string, user: Option.Option<StoredUser>) =>
  Option.exists(user, ({ is_test }) => !is_test) ? Effect.undefined : configuredCode(recipient)

/** Whether this is the code of the configuration: only test users can use it. */
export const isTestCode = (recipient: string, typed: string) =>
  Effect.map(configuredCode(recipient), (code) => code !== undefined && Mac.timingSafeEqual(utf8.encode(code), utf8.encode(typed)))
