import { DateTime, Duration, Effect, Option } from "effect"
import { notices } from "../../../domain/mail/notices.ts"
import { check, insert, isCommitted, removeVersioned, Store, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../domain/sessions/caller.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { Users } from "../../../domain/users/tables.ts"
import { apiKeyExpiring } from "./emails.ts"
import { type ApiKey, ApiKeyNotices, ApiKeys } from "./tables.ts"

// Users are told by mail a week and a day before a key of theirs ends.

/** Milliseconds between two rounds. */
export const mailEvery = 3_600_000
/** The maximum number of mails of one round. */
const batch = 100

const before = [Duration.days(7), Duration.days(1)]

/** The moment of the next mail; undefined if none is left. */
const nextMail = (expires_at: DateTime.Utc, now: DateTime.Utc) =>
  before.map((duration) => DateTime.subtractDuration(expires_at, duration)).find((at) => !hasEnded(at, now))

/** The write that plans the first mail about a new key. */
export const firstMail = ({ id: key_id, user_id, expires_at }: ApiKey, now: DateTime.Utc): ReadonlyArray<Write> => {
  const at = user_id === null || expires_at === null ? undefined : nextMail(expires_at, now)
  return at === undefined ? [] : [insert(ApiKeyNotices, { key_id, at })]
}

/** Sends the mails that are due. Of several processes, the one whose commit comes first sends a mail. */
export const mailExpiring = Effect.gen(function* mailExpiring() {
  const now = yield* DateTime.now
  const due = yield* (yield* Store).list(ApiKeyNotices, {}, { limit: batch, order: "at" })
  yield* Effect.forEach(
    due.filter(({ at }) => hasEnded(at, now)),
    ({ key_id }) => mailOne(key_id, now),
    { discard: true },
  )
}).pipe(Effect.provideService(Caller, noCaller))

const mailOne = Effect.fnUntraced(function* mailOne(key_id: string, now: DateTime.Utc) {
  const { read, readWithReferenced } = yield* Store
  const found = yield* readWithReferenced(ApiKeyNotices, { key_id }, "key_id")
  if (Option.isNone(found)) return
  const [notice, key] = found.value
  const user = yield* read(Users, { id: key.row.user_id ?? "" })
  const mails = Option.isNone(user) ? [] : yield* mailsAbout(key.row, user.value, now)
  const next = key.row.expires_at === null || key.row.revoked_at !== null ? undefined : nextMail(key.row.expires_at, now)
  const planned = next === undefined ? removeVersioned(ApiKeyNotices, notice) : update(ApiKeyNotices, notice, { at: next })
  yield* isCommitted([check(ApiKeys, key), planned, ...mails])
})

/** No mail about a key that has ended, for example while no process ran. */
const mailsAbout = Effect.fnUntraced(function* mailsAbout(
  { revoked_at, expires_at }: ApiKey,
  user: Versioned<typeof Users.schema.Type>,
  now: DateTime.Utc,
) {
  if (revoked_at !== null || expires_at === null || hasEnded(expires_at, now)) return []
  const left = Duration.days(daysUntil(expires_at, now))
  return yield* notices(user.row, () => apiKeyExpiring(left))
})

const daysUntil = (end: DateTime.Utc, now: DateTime.Utc) => Math.max(1, Math.round(Duration.toDays(DateTime.distance(now, end))))
