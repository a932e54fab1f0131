import { DateTime, Effect, Option, Schema } from "effect"
import { EmailTaken } from "../errors.ts"
import { Policies } from "../policies.ts"
import { conflictIfTaken, find, remove, removeVersioned, type Versioned, type Write } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import type { StoredSession } from "../sessions/session.ts"
import { revokeAll } from "../sessions/sessions.ts"
import { Sessions } from "../sessions/tables.ts"
import { requireAllowed } from "../users/address-rules.ts"
import { Users } from "../users/tables.ts"
import { type StoredUser, verifiedColumns } from "../users/user.ts"
import { issueToNewAccount } from "./issuing.ts"

/** The guests, and when the service looks at each of them to remove those who are gone. */
export const Guests = Table.make(
  "guest",
  Schema.Struct({
    user_id: Schema.String,
    visit_at: Schema.DateTimeUtc,
    /** Whether no session was left at the last visit: the next one removes the guest. */
    has_ended: Schema.Boolean,
    /** The id of the user who turned out to be this guest. */
    merged_into: Schema.NullOr(Schema.String),
  }),
  {
    key: "user_id",
    indexed: ["visit_at"],
    references: { user_id: Users },
    data: { other: ["user_id", "visit_at", "has_ended", "merged_into"] },
  },
)

/**
 * Makes a guest a full user with an address that the caller has proved, in one commit that opens a new session and ends the others.
 * `alongside` consumes the proof. Fails with `email_taken` if another user has the address. Run it within `retryOnConflict`.
 */
export const upgradeGuest = Effect.fnUntraced(function* upgradeGuest(
  { session, user }: { readonly session: Versioned<StoredSession>; readonly user: Versioned<StoredUser> },
  email: string,
  alongside: ReadonlyArray<Write>,
) {
  yield* requireAllowed(email)
  if (Option.isSome(yield* find(Users, { email }))) return yield* new EmailTaken()
  const changes = { email, ...verifiedColumns(yield* DateTime.now), is_guest: false }
  // Guests of a module that is disabled now have no such table.
  const guest = (yield* Policies).tables.includes(Guests) ? [remove(Guests, user.row.id)] : []
  const writes = [...alongside, removeVersioned(Sessions, session), ...(yield* revokeAll(user, changes)), ...guest]
  return yield* issueToNewAccount({ ...user.row, ...changes }, writes).pipe(conflictIfTaken)
})
