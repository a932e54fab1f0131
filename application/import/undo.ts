import { DateTime, Effect, Option } from "effect"
import type { Write } from "../../domain/ports/store.ts"
import { conflictIfTaken, remove, removeVersioned, retryOnConflict, Store, update } from "../../domain/ports/store.ts"
import { accountsOf } from "../../domain/sign-in/linked-accounts.ts"
import { Accounts, Sessions, Users } from "../../domain/storage/tables.ts"
import type { StoredUser } from "../../domain/users/user.ts"
import { TwoFactors } from "../modules/two_factor/tables.ts"
import { RunRefused } from "./run.ts"
import type { ImportRecord } from "./tables.ts"
import { ImportRecords, ImportRuns } from "./tables.ts"

/** What an undo did. */
export interface Undone {
  /** Users of the run that were removed. */
  readonly removed: number
  /** Additions to users of other runs that were taken back. */
  readonly taken_back: number
  /** Users and additions that stay: their users have used or changed their account since. */
  readonly kept: number
}

const page = 200
const concurrency = 8

/** Takes a run back. It can be repeated after an interruption. */
export const undo = Effect.fnUntraced(function* undo(id: string, onProgress: (undone: Undone) => void = () => {}) {
  const store = yield* Store
  const run = yield* store.read(ImportRuns, { id })
  if (Option.isNone(run)) return yield* new RunRefused({ reason: "unknown" })
  // An import that still runs finds that its run has changed, and stops.
  const undone_at = yield* DateTime.now
  yield* retryOnConflict(markUndone(id, undone_at))

  let undone: Undone = { removed: 0, taken_back: 0, kept: 0 }
  let after: ImportRecord | undefined
  do {
    const records: ReadonlyArray<ImportRecord> = yield* store.list(ImportRecords, { run_id: id }, pageAfter(after))
    const ends = yield* Effect.forEach(records, (record) => retryOnConflict(undoRecord(record)), { concurrency })
    const count = (end: keyof Undone) => undone[end] + ends.filter((each) => each === end).length
    undone = { removed: count("removed"), taken_back: count("taken_back"), kept: count("kept") }
    onProgress(undone)
    after = records.length < page ? undefined : records.at(-1)
  } while (after !== undefined)
  return undone
})

const pageAfter = (after: ImportRecord | undefined) => ({ limit: page, order: "key" as const, ...(after === undefined ? {} : { after }) })

const markUndone = Effect.fnUntraced(function* markUndone(id: string, undone_at: DateTime.Utc) {
  const store = yield* Store
  const run = yield* store.read(ImportRuns, { id })
  if (Option.isSome(run)) yield* conflictIfTaken(store.commit([update(ImportRuns, run.value, { undone_at })]))
})

const undoRecord = Effect.fnUntraced(function* undoRecord(record: ImportRecord) {
  const store = yield* Store
  const user = yield* store.read(Users, { id: record.user_id })
  if (Option.isNone(user)) return "removed"
  if (yield* isInUse(user.value.row, record)) return "kept"
  if (record.kind === "user") {
    yield* conflictIfTaken(store.commit([removeVersioned(Users, user.value)]))
    return "removed"
  }
  const app: ReadonlyArray<Write> = record.totp ? [remove(TwoFactors, record.user_id)] : []
  const accounts = record.accounts.map((account) => remove(Accounts, account))
  yield* conflictIfTaken(store.commit([update(Users, user.value, {}), ...accounts, ...app, remove(ImportRecords, record.key)]))
  return "taken_back"
})

/** Whether the user has a session, or changed the account or a way to sign in since the import. */
const isInUse = Effect.fnUntraced(function* isInUse({ id, updated_at }: StoredUser, { created_at }: ImportRecord) {
  const isLater = (time: DateTime.Utc) => DateTime.isGreaterThan(time, created_at)
  if (isLater(updated_at)) return true
  const sessions = yield* (yield* Store).list(Sessions, { user_id: id }, { limit: 1 })
  if (sessions.length > 0) return true
  return (yield* accountsOf(id)).some((account) => isLater(account.updated_at))
})
