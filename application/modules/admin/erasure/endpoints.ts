import { DateTime, Effect, Option, Schema } from "effect"
import { initiator, partyOf } from "../../../../domain/administration/later.ts"
import { CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import { invalidMember, UserNotFound } from "../../../../domain/errors.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { check, removeVersioned, replace, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { notOneself } from "../oneself.ts"
import { erasureCancelled, erasureWaiting } from "./emails.ts"
import { erase } from "./erase.ts"
import { PendingErasures } from "./tables.ts"

const user_id = Schema.String

/** Stores an erasure that waits, and tells the user; it replaces an earlier one. */
const scheduled = Effect.fnUntraced(function* scheduleErasure(user_id: string, days: number) {
  const { commit, read } = yield* Store
  const user = yield* administeredUser(user_id)
  const unchanged = yield* ofPrincipal(user.row)
  const before = yield* read(PendingErasures, { user_id })
  const created_at = yield* DateTime.now
  const row = { user_id, due_at: DateTime.add(created_at, { days }), initiator: yield* initiator, created_at }
  const mails = yield* notices(user.row, () => erasureWaiting(row.due_at))
  yield* commit([...unchanged, check(Users, user), replace(PendingErasures, before, row), ...mails])
  return row.due_at
}, retryOnConflict)

const eraseUser = Endpoint.make({
  method: "POST",
  path: "/admin/users/erase",
  summary:
    "Erases a user with all traces, at once or after some days, and leaves a receipt. Mails tell the user when it will be, and that it is done.",
  access: { permission: "users:delete" },
  input: Schema.Struct({
    user_id,
    confirm: Schema.String.pipe(Schema.annotateKey({ description: "The address or the id of the user." })),
    after_days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))).pipe(
      Schema.annotateKey({ description: "Until then it can be cancelled. Default: 0, at once." }),
    ),
  }),
  output: Schema.Struct({ erased: Schema.Boolean, due_at: Schema.NullOr(Schema.DateTimeUtc) }),
  errors: [UserNotFound],
  removesUsers: true,
  takesReason: true,
  handler: Effect.fnUntraced(function* adminEraseUser({ user_id, confirm, after_days = 0 }) {
    yield* notOneself(user_id)
    const { row } = yield* administeredUser(user_id)
    if (confirm !== row.id && confirm.trim().toLowerCase() !== row.email)
      return yield* invalidMember("confirm", "Expected the address or the id of the user")
    if (after_days > 0) return Endpoint.reply({ erased: false, due_at: yield* scheduled(user_id, after_days) })
    yield* erase(user_id, { by: partyOf(yield* CurrentPrincipal), may: ofPrincipal, isTold: true })
    return Endpoint.reply({ erased: true, due_at: null })
  }),
})

const cancelErasure = Endpoint.make({
  method: "POST",
  path: "/admin/users/cancel-erasure",
  summary: "Keeps a user whose erasure waits, and tells them by mail. Succeeds as well if none waits.",
  access: { permission: "users:delete" },
  input: Schema.Struct({ user_id }),
  output: Endpoint.Success,
  errors: [UserNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminCancelErasure({ user_id }) {
    const { commit, read } = yield* Store
    const user = yield* administeredUser(user_id)
    const unchanged = yield* ofPrincipal(user.row)
    const waiting = yield* read(PendingErasures, { user_id })
    if (Option.isNone(waiting)) return Endpoint.reply(Endpoint.succeeded)
    const mails = yield* notices(user.row, () => erasureCancelled)
    yield* commit([...unchanged, check(Users, user), removeVersioned(PendingErasures, waiting.value), ...mails])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

/** The endpoints that erase users. */
export const erasureEndpoints = [eraseUser, cancelErasure] as const
