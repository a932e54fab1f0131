import { DateTime, Effect, Option } from "effect"
import { partyOf, principalLater } from "../../../../domain/administration/later.ts"
import { type Authority, CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { UserNotFound } from "../../../../domain/errors.ts"
import { Acting } from "../../../../domain/events/acting.ts"
import { isCommitted, removeVersioned, Store, update } from "../../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../../domain/sessions/caller.ts"
import { hasEnded } from "../../../../domain/storage/live.ts"
import { erase } from "./erase.ts"
import { type PendingErasure, PendingErasures } from "./tables.ts"

const page = 100

/** The authority of the administrator who asked for it, unless the erasure was cancelled or postponed in the meantime. */
const stillDue = (user_id: string) =>
  Effect.fnUntraced(function* authorityWhileDue(...given: Parameters<Authority>) {
    const now = yield* DateTime.now
    const found = yield* (yield* Store).read(PendingErasures, { user_id })
    const due = Option.filter(found, ({ row }) => hasEnded(row.due_at, now))
    if (Option.isNone(due)) return yield* new UserNotFound()
    return [...(yield* ofPrincipal(...given)), removeVersioned(PendingErasures, due.value)]
  })

/** Erases a user as the administrator who asked for it, who must still be permitted to. */
const eraseDue = Effect.fnUntraced(function* eraseDue({ user_id, initiator }: PendingErasure) {
  const by = partyOf(initiator)
  const work = Effect.gen(function* eraseAsInitiator() {
    const principal = yield* principalLater(initiator, ["users:delete"])
    yield* Effect.provideService(erase(user_id, { by, may: stillDue(user_id), isTold: true }), CurrentPrincipal, principal)
  })
  const { as } = yield* Acting
  yield* as(by)(Effect.provideService(work, Caller, noCaller)).pipe(
    Effect.catch(({ _tag }) => (_tag === "user_not_found" ? Effect.void : postponed(user_id, _tag))),
  )
})

const postponed = Effect.fnUntraced(function* postponeErasure(user_id: string, code: string) {
  yield* Effect.annotateLogs(Effect.logWarning("A user could not be erased; trying again in a day."), { user_id, code })
  const found = yield* (yield* Store).read(PendingErasures, { user_id })
  const due_at = DateTime.add(yield* DateTime.now, { days: 1 })
  if (Option.isSome(found)) yield* isCommitted([update(PendingErasures, found.value, { due_at })])
})

/** Erases the users whose time has come. */
export const eraseAllDue = Effect.gen(function* eraseAllDue() {
  const now = yield* DateTime.now
  const waiting = yield* (yield* Store).list(PendingErasures, {}, { limit: page, order: "due_at" })
  const due = waiting.filter(({ due_at }) => hasEnded(due_at, now))
  yield* Effect.forEach(due, eraseDue, { discard: true })
})
