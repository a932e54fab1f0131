import { Effect } from "effect"
import type { StoredUser } from "../users/user.ts"
import { noticeAddresses } from "../users/user.ts"
import type { Text } from "./emails.ts"
import { Outbox } from "./outbox.ts"

/**
 * The writes that tell a user of a change to their account. A thief who changes the address first would otherwise hide every later
 * change, so that the last verified address is told, too, until the new one is verified.
 */
export const notices = Effect.fnUntraced(function* notices(user: StoredUser, write: (email: string) => Text) {
  const { mail } = yield* Outbox
  return yield* Effect.forEach(noticeAddresses(user), (to) => mail({ to, ...write(to) }))
})
