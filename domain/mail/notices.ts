import { Effect } from "effect"
import { noticeAddresses, type StoredUser } from "../users/user.ts"
import type { Message } from "./message.ts"
import { mail } from "./writing.ts"

/**
 * The writes that notify a user of a change to their account. Until a new address is verified, the last verified one receives the notices
 * too: otherwise an attacker who changes the address first would hide every later change.
 */
export const notices = (user: StoredUser, write: (email: string) => Message) =>
  Effect.forEach(noticeAddresses(user), (to) => mail({ to, locale: user.locale }, write(to)))
