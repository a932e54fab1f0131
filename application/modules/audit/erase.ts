import { DateTime, Effect, Stream } from "effect"
import { put, remove, rowsOf, Store } from "../../../domain/ports/store.ts"
import type { Where } from "../../../domain/ports/table.ts"
import type { User } from "../../../domain/users/user.ts"
import { type AuditRecord, Erasures, Records } from "./tables.ts"

const page = 200

/** The write that requests the erasure of addresses and browsers from the records of a removed user. */
export const erasureWrites = Effect.fnUntraced(function* erasureWrites({ id }: Pick<User, "id">) {
  return [put(Erasures, { user_id: id, requested_at: yield* DateTime.now })]
})

/** Erases what was requested, in batches. It can be repeated after an interruption. */
export const erase = Effect.gen(function* eraseRequested() {
  const { list, commit } = yield* Store
  for (const { user_id } of yield* list(Erasures, {}, { limit: page })) {
    yield* eraseWhere({ actor_id: user_id }, () => true)
    // The addresses of administrators who changed the user are not the user's.
    yield* eraseWhere({ subject_id: user_id }, ({ actor_kind }) => actor_kind === "visitor")
    yield* Effect.orDie(commit([remove(Erasures, user_id)]))
  }
})

const eraseWhere = Effect.fnUntraced(function* eraseWhere(where: Where<typeof Records>, isOwn: (row: AuditRecord) => boolean) {
  const { commit } = yield* Store
  const named = Stream.filter(rowsOf(Records, where, { limit: page, order: "id" }), (row) => row.salt !== null && isOwn(row))
  // A write may restore a row that has expired and that was just removed: the next sweep removes it again.
  const erased = Stream.map(named, (row) => put(Records, { ...row, ip_address: null, user_agent: null, salt: null }))
  yield* Stream.runForEachArray(erased, (writes) => Effect.orDie(commit(writes)))
})
