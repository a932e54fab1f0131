import type { DateTime, Effect, Option } from "effect"
import type { countMessage } from "../../../../domain/limits/messages.ts"
import type { codeSms, requestedMail } from "../../../../domain/mail/writing.ts"
import type { Policies } from "../../../../domain/policies.ts"
import type { Store, Write } from "../../../../domain/ports/store.ts"
import type { AuthenticationMethod } from "../../../../domain/sessions/sign-in.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import type { emails } from "../emails.ts"
import type { OwnFactor } from "./tables.ts"

/** Where codes of a user go. */
export interface Recipient {
  /** The address or number. A code counts only while the user has it. */
  readonly name: string
  /** As shown to a caller who has proved the first factor only. */
  readonly masked: string
  /** Counts a message against the budgets. */
  readonly count: (purpose: string) => ReturnType<typeof countMessage>
  readonly message: (code: string, expires_at: DateTime.Utc, ttl: number) => ReturnType<typeof requestedMail> | ReturnType<typeof codeSms>
}

/** One way to send codes that are a second factor. */
export interface Channel {
  /** The method that a code proves (RFC 8176). */
  readonly proves: AuthenticationMethod
  /** Where the codes of a user go; none without a verified address or number. */
  readonly recipientOf: (user: StoredUser) => Effect.Effect<Option.Option<Recipient>, never, Policies | Store>
  /** Whether the user has turned codes on, and they count after these methods of a sign-in. */
  readonly countsAfter: (user_id: string, methods: ReadonlyArray<string>, now: DateTime.Utc) => Effect.Effect<boolean, never, Store>
  /** The kinds of accounts with which a user can sign in without a proof of the recipient. */
  readonly otherWays: ReadonlyArray<string>
  /** The write that turns codes on. */
  readonly turnedOn: (factor: OwnFactor) => Write
  readonly notices: { readonly on: keyof typeof emails; readonly off: keyof typeof emails }
}
