import { DateTime, Effect, Option, Schema } from "effect"
import { EmailTaken, Forbidden } from "../errors.ts"
import { countMessage } from "../limits/messages.ts"
import type { Message } from "../mail/message.ts"
import { requestedMail } from "../mail/writing.ts"
import { Policies } from "../policies.ts"
import { check, conflictIfTaken, find, insert, remove, removeVersioned, retryOnConflict, Store, type Write } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { rereadSession, revokeAll } from "../sessions/sessions.ts"
import { Sessions } from "../sessions/tables.ts"
import { requireAllowed } from "../users/address-rules.ts"
import { Accounts, Users } from "../users/tables.ts"
import { type StoredUser, verifiedColumns } from "../users/user.ts"
import { type AccountName, newAccount } from "./account-links.ts"
import { issueToNewAccount } from "./issuing.ts"
import { addressReleases } from "./linked-accounts.ts"

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

/** The session of the caller, who has to be a guest, for a commit that is conditional on both. */
export const ownGuest = Effect.gen(function* ownGuest() {
  const own = yield* rereadSession
  return own.user.row.is_guest ? own : yield* new Forbidden({ message: "Only guests can do this." })
})
type OwnGuest = Effect.Success<typeof ownGuest>

/** Mails a guest what proves an address, which `issue` makes. A taken address makes no difference. */
export const mailGuest = Effect.fnUntraced(function* mailGuest<R>(
  email: string,
  purpose: string,
  issue: (guest: StoredUser) => Effect.Effect<Issued, never, R>,
) {
  yield* ownGuest
  yield* requireAllowed(email)
  yield* countMessage({ channel: "mail", purpose, to: email })
  const send = Effect.gen(function* sendToGuest() {
    const { user } = yield* ownGuest
    const { expires_at, write, message } = yield* issue(user.row)
    const recipient = { to: email, isKnown: false, locale: user.row.locale, expiresAt: expires_at }
    yield* (yield* Store).commit([check(Users, user), write, yield* requestedMail(recipient, message)])
  })
  yield* retryOnConflict(send)
})

/** A proof, the write that makes it valid, and the mail with it. */
interface Issued {
  readonly expires_at: DateTime.Utc
  readonly write: Write
  readonly message: Message
}

/**
 * Makes a guest a full user with an address that the caller has proved, in one commit that opens a new session and ends the others.
 * `alongside` consumes the proof. Fails with `email_taken` if another user has the address. Run it within `retryOnConflict`.
 */
export const upgradeGuest = Effect.fnUntraced(function* upgradeGuest(own: OwnGuest, email: string, alongside: ReadonlyArray<Write>) {
  yield* requireAllowed(email)
  if (Option.isSome(yield* find(Users, { email }))) return yield* new EmailTaken()
  return yield* upgraded(own, { email, ...verifiedColumns(yield* DateTime.now) }, alongside)
})

/**
 * The same with an account that no user has, such as a telephone number. The user gets the synthetic address of those who sign up with it.
 */
export const upgradeGuestByAccount = Effect.fnUntraced(function* upgradeGuestByAccount(
  own: OwnGuest,
  account: AccountName,
  addressOf: (name: string) => string,
  alongside: ReadonlyArray<Write>,
) {
  const email = addressOf(account.account_id)
  yield* requireAllowed(email)
  const updated_at = yield* DateTime.now
  const released = yield* addressReleases(email, addressOf, updated_at)
  const linked = insert(Accounts, yield* newAccount(own.user.row.id, account))
  return yield* upgraded(own, { email, updated_at }, [...alongside, ...released, linked])
})

const upgraded = Effect.fnUntraced(function* upgradedGuest(
  { session, user }: OwnGuest,
  columns: Partial<StoredUser>,
  alongside: ReadonlyArray<Write>,
) {
  const changes = { ...columns, is_guest: false }
  // Guests of a module that is disabled now have no such table.
  const guest = (yield* Policies).tables.includes(Guests) ? [remove(Guests, user.row.id)] : []
  const writes = [...alongside, removeVersioned(Sessions, session), ...(yield* revokeAll(user, changes)), ...guest]
  return yield* issueToNewAccount({ ...user.row, ...changes }, writes).pipe(conflictIfTaken)
})
