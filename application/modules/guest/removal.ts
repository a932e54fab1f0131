import { DateTime, Duration, Effect, Option } from "effect"
import { isCommitted, Store, update } from "../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../domain/sessions/caller.ts"
import { liveSessionsOf } from "../../../domain/sessions/sessions.ts"
import { Guests } from "../../../domain/sign-in/guests.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { userRemovalWrites } from "../../../domain/users/before-user-removal.ts"

/** Milliseconds between two rounds. */
export const visitEvery = 60_000

/** The maximum number of guests that one round visits. */
const batch = 100

/** How long a guest without a session stays. */
export const keptFor = Duration.days(30)

/** Visits the guests whose turn it is. Of several processes, the one whose commit comes first decides. */
export const visitGuests = Effect.gen(function* visitGuests() {
  const now = yield* DateTime.now
  const due = yield* (yield* Store).list(Guests, {}, { limit: batch, order: "visit_at" })
  yield* Effect.forEach(
    due.filter(({ visit_at }) => hasEnded(visit_at, now)),
    ({ user_id }) => visit(user_id, now),
    { discard: true },
  )
}).pipe(Effect.provideService(Caller, noCaller))

/** Visits a guest at the end of the last known session, or at its new end if it was extended, and then to remove the guest. */
const visit = Effect.fnUntraced(function* visitGuest(user_id: string, now: DateTime.Utc) {
  const found = yield* (yield* Store).readWithReferenced(Guests, { user_id }, "user_id")
  // Another process may have visited the guest since the list was read.
  if (Option.isNone(found) || !hasEnded(found.value[0].row.visit_at, now)) return
  const [guest, user] = found.value
  const ends = (yield* liveSessionsOf(user_id)).map(({ expires_at }) => expires_at)
  if (ends.length > 0) return yield* isCommitted([update(Guests, guest, { visit_at: latest(ends), has_ended: false })])
  const wait = [update(Guests, guest, { visit_at: DateTime.addDuration(now, keptFor), has_ended: true })]
  if (!guest.row.has_ended) return yield* isCommitted(wait)
  // A module can refuse the removal.
  return yield* isCommitted(Option.getOrElse(yield* Effect.option(userRemovalWrites(user)), () => wait))
})

const latest = (times: ReadonlyArray<DateTime.Utc>) => times.reduce((one, other) => DateTime.max(one, other))
