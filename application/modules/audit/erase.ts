import { DateTime, Effect, Option, Stream } from "effect"
import { put, remove, retryOnConflict, rowsOf, Store, update } from "../../../domain/ports/store.ts"
import type { Where } from "../../../domain/ports/table.ts"
import type { User } from "../../../domain/users/user.ts"
import { type AuditRecord, Erasures, Records } from "./tables.ts"

const page = 200

/** The write that requests the erasure of what names a removed user from records. */
export const erasureWrites = Effect.fnUntraced(function* erasureWrites({ id }: Pick<User, "id">) {
  return [put(Erasures, { user_id: id, requested_at: yield* DateTime.now })]
})

/** Erases what was requested, in batches. It can be repeated after an interruption. */
export const erase = Effect.gen(function* eraseRequested() {
  const { list, commit } = yield* Store
  for (const { user_id } of yield* list(Erasures, {}, { limit: page })) {
    yield* eraseWhere({ actor_id: user_id }, withoutOrigin)
    // The addresses of administrators who changed the user are not the user's; what they wrote about the user is.
    yield* eraseWhere({ subject_id: user_id }, (row) => withoutNote(row.actor_kind === "visitor" ? withoutOrigin(row) : row))
    yield* Effect.orDie(commit([remove(Erasures, user_id)]))
  }
})

/** A record without a part of it; the same object if it has none. */
type Without = (row: AuditRecord) => AuditRecord

const withoutOrigin: Without = (row) => (row.salt === null ? row : { ...row, ip_address: null, user_agent: null, salt: null })
const withoutNote: Without = (row) => (row.note_salt === null ? row : { ...row, note: null, note_salt: null })

const eraseWhere = Effect.fnUntraced(function* eraseWhere(where: Where<typeof Records>, without: Without) {
  const named = Stream.filter(rowsOf(Records, where, { limit: page, order: "id" }), (row) => without(row) !== row)
  yield* Stream.runForEachArray(named, (rows) => eraseEach(rows, without))
})

/** On the condition that the records are unchanged: another process may erase another part of them, for another user. */
const eraseEach = Effect.fnUntraced(function* eraseEach(rows: ReadonlyArray<AuditRecord>, without: Without) {
  const { commit, read } = yield* Store
  const found = yield* Effect.forEach(rows, ({ id }) => read(Records, { id }), { concurrency: 10 })
  yield* commit(found.flatMap(Option.toArray).map((stored) => update(Records, stored, without(stored.row))))
}, retryOnConflict)
