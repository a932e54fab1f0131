import { Effect } from "effect"
import type { StoredUser } from "../users/user.ts"
import { noticeAddresses } from "../users/user.ts"
import type { Text } from "./emails.ts"
import { Outbox } from "./outbox.ts"

/**
 * The writes that notify a user of a change to their account. Until a new address is verified, the last verified one receives the notices
 * too: otherwise an attacker who changes the address first would hide every later change.
 */
export const notices = Effect.fnUntraced(function* notices(user: StoredUser, write: (email: string) => Text) {
  const { mail } = yield* Outbox
  return yield* Effect.forEach(noticeAddresses(user), (to) => mail({ to, ...write(to) }))
})
