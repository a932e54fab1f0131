import { DateTime, Effect, Option } from "effect"
import { partyOf, principalLater } from "../../../../domain/administration/later.ts"
import { CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { Acting } from "../../../../domain/events/acting.ts"
import { isCommitted, removeVersioned, Store, update } from "../../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../../domain/sessions/caller.ts"
import { hasEnded } from "../../../../domain/storage/live.ts"
import { erase } from "./erase.ts"
import { PendingErasures } from "./tables.ts"

const page = 100

/** Erases a user as the administrator who asked for it, who must still be permitted to. */
const eraseDue = Effect.fnUntraced(function* eraseDue(user_id: string) {
  const { read } = yield* Store
  const found = yield* read(PendingErasures, { user_id })
  if (Option.isNone(found)) return
  const { initiator } = found.value.row
  const by = partyOf(initiator)
  const work = Effect.gen(function* eraseAsInitiator() {
    const principal = yield* principalLater(initiator, ["users:delete"])
    // A cancellation in the meantime makes the commit fail.
    const erasing = { by, may: ofPrincipal, more: [removeVersioned(PendingErasures, found.value)], isTold: true }
    yield* Effect.provideService(erase(user_id, erasing), CurrentPrincipal, principal)
  })
  const refused = Effect.fnUntraced(function* postpone(code: string) {
    yield* Effect.annotateLogs(Effect.logWarning("A user could not be erased; trying again in a day."), { user_id, code })
    yield* isCommitted([update(PendingErasures, found.value, { due_at: DateTime.add(yield* DateTime.now, { days: 1 }) })])
  })
  const { as } = yield* Acting
  yield* as(by)(Effect.provideService(work, Caller, noCaller)).pipe(Effect.catch(({ _tag }) => refused(_tag)))
})

/** Erases the users whose time has come. */
export const eraseAllDue = Effect.gen(function* eraseAllDue() {
  const now = yield* DateTime.now
  const waiting = yield* (yield* Store).list(PendingErasures, {}, { limit: page, order: "due_at" })
  const due = waiting.filter(({ due_at }) => hasEnded(due_at, now))
  yield* Effect.forEach(due, ({ user_id }) => eraseDue(user_id), { discard: true })
})
