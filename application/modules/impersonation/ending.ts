import { DateTime, Effect, Option, Stream } from "effect"
import { standing } from "../../../domain/administration/impersonations.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { Policies } from "../../../domain/policies.ts"
import { isCommitted, remove, rowsOf, Store, update, type Versioned } from "../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../domain/sessions/caller.ts"
import { type Impersonation, Impersonations } from "../../../domain/sessions/impersonation.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { impersonated } from "./emails.ts"
import type { ImpersonationSettings } from "./settings.ts"

/** The writes that end an impersonation with its session, and tell the user. Of several at once, the first commit wins. */
export const ending = Effect.fnUntraced(function* endingOf({ notify }: ImpersonationSettings, found: Versioned<Impersonation>) {
  const { session_id, user_id } = found.row
  const user = yield* (yield* Store).read(Users, { id: user_id })
  const mails = notify === "never" || Option.isNone(user) ? [] : yield* notices(user.value.row, () => impersonated)
  return [
    update(Impersonations, found, { state: "ended", ended_at: yield* DateTime.now }),
    remove(Sessions, session_id),
    ...(yield* (yield* Policies).sessionEnded(user_id)),
    ...mails,
  ]
})

/** Milliseconds between two rounds. */
export const endEvery = 60_000

/** Ends what has lost its ground: no call can use it any more, and its user is told. */
export const endLapsed = (settings: ImpersonationSettings) =>
  rowsOf(Impersonations, { state: "active" }, { limit: 100, order: "session_id" }).pipe(
    Stream.runForEach((row) => endIfLapsed(settings, row)),
    Effect.provideService(Caller, noCaller),
  )

const endIfLapsed = Effect.fnUntraced(function* endIfLapsed(settings: ImpersonationSettings, { session_id }: Impersonation) {
  const found = yield* (yield* Store).read(Impersonations, { session_id })
  if (Option.isNone(found) || found.value.row.state === "ended" || Option.isSome(yield* standing(found.value.row))) return
  yield* isCommitted(yield* ending(settings, found.value))
})
