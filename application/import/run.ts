import { Data, DateTime, Effect, Option } from "effect"
import { Conflict, conflictIfTaken, insert, retryOnConflict, Store, update, type Versioned, type Write } from "../../domain/ports/store.ts"
import { newId } from "../../domain/storage/new-id.ts"
import { Users } from "../../domain/users/tables.ts"
import { admit, type Target } from "./admission.ts"
import { type CheckedRecord, decide, type Outcome, totalsOf } from "./decision.ts"
import { lookUp } from "./existing-values.ts"
import { madeBy } from "./imported-rows.ts"
import type { Entry } from "./record.ts"
import { credentialRows, userRows } from "./rows.ts"
import type { Seen } from "./seen.ts"
import { additionKey, type ImportRecord, ImportRecords, type ImportRun, ImportRuns, userKey } from "./tables.ts"
import { add, none } from "./totals.ts"

// A run stores the records of a file batch by batch. One commit has the rows of a batch and the position after it, so that a killed run
// continues with the first record that is not stored.

/** A run that cannot be begun or continued. */
export class RunRefused extends Data.TaggedError("RunRefused")<{
  readonly reason: "unknown" | "undone" | "another_file" | "another_source" | "running"
}> {}

interface Of {
  readonly source: string
  readonly fingerprint: string
}

const newRun = Effect.fnUntraced(function* newRun({ source, fingerprint }: Of) {
  const now = yield* DateTime.now
  const run: ImportRun = {
    id: yield* newId,
    ...{ source, fingerprint, position: 0, refused_bytes: 0, totals: none },
    ...{ created_at: now, updated_at: now, finished_at: null, undone_at: null },
  }
  return run
})

/** Begins a run for this file, and stores the run unless it is a dry run. */
export const begin = Effect.fnUntraced(function* begin(of: Of, dry: boolean) {
  const run = yield* newRun(of)
  if (!dry) yield* Effect.orDie((yield* Store).commit([insert(ImportRuns, run)]))
  return run
})

/** The stored run with this id, to continue it. Refused if the run was undone, or belongs to another source or file. */
export const resume = Effect.fnUntraced(function* resume(id: string, { source, fingerprint }: Of) {
  const current = yield* (yield* Store).read(ImportRuns, { id })
  if (Option.isNone(current)) return yield* new RunRefused({ reason: "unknown" })
  const run = current.value.row
  if (run.undone_at !== null) return yield* new RunRefused({ reason: "undone" })
  if (run.source !== source) return yield* new RunRefused({ reason: "another_source" })
  if (run.fingerprint !== fingerprint) return yield* new RunRefused({ reason: "another_file" })
  return run
})

/** Receives the outcomes of a batch: `refuse` before the commit, `report` after it. */
export interface Sink<E, R> {
  /** Writes the refused records at this position of their file; returns the length of the file. */
  readonly refuse: (raw: ReadonlyArray<string>, position: number) => Effect.Effect<number, E, R>
  readonly report: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void, E, R>
}

interface Batch {
  readonly run: ImportRun
  readonly target: Target
  /** The values of earlier batches; only in a dry run. */
  readonly seen: Seen | undefined
}

/** Stores a batch, or only decides on it in a dry run; returns the run after it. */
export const advance = Effect.fnUntraced(function* advance<E, R>(batch: Batch, entries: ReadonlyArray<Entry>, sink: Sink<E, R>) {
  const { run, target, seen } = batch
  const checked = entries.map((entry): CheckedRecord => ({ entry, admission: admit(entry, target) }))
  const attempt = Effect.gen(function* () {
    const outcomes = yield* outcomesOf(checked, batch)
    const refused = outcomes.filter(({ status }) => status === "refused").map(({ entry }) => entry.raw)
    const refused_bytes = seen === undefined ? yield* sink.refuse(refused, run.refused_bytes) : 0
    const totals = add(run.totals, totalsOf(outcomes))
    const next: ImportRun = { ...run, position: run.position + entries.length, refused_bytes, totals, updated_at: yield* DateTime.now }
    if (seen === undefined) yield* commit(run, next, outcomes)
    return { next, outcomes }
  })
  const { next, outcomes } = yield* retryOnConflict(attempt)
  yield* sink.report(outcomes)
  return next
})

const outcomesOf = Effect.fnUntraced(function* outcomesOf(checked: ReadonlyArray<CheckedRecord>, { run, target, seen }: Batch) {
  const admitted = checked.flatMap(({ admission }) => admission.admitted ?? [])
  const existing = yield* lookUp(run.source, run.id, admitted, target.modules)
  const ids = yield* Effect.forEach(admitted, () => newId)
  return decide(checked, { source: run.source, run_id: run.id, existing, seen, newId: () => ids.pop()! })
})

const commit = Effect.fnUntraced(function* commit(run: ImportRun, next: ImportRun, outcomes: ReadonlyArray<Outcome>) {
  const store = yield* Store
  const current = yield* store.read(ImportRuns, { id: run.id })
  if (Option.isNone(current) || current.value.row.position !== run.position || current.value.row.undone_at !== null)
    return yield* new RunRefused({ reason: "running" })
  const writes = yield* Effect.forEach(outcomes, (outcome, at) => writesOf(run, outcome, run.position + at, next.updated_at))
  const users = yield* usersAddedTo(outcomes)
  const userWrites = users.map((user) => update(Users, user, {}))
  yield* conflictIfTaken(store.commit([update(ImportRuns, current.value, next), ...userWrites, ...writes.flat()]))
})

const writesOf = Effect.fnUntraced(function* writesOf(
  run: ImportRun,
  { entry, user, addition, user_id }: Outcome,
  position: number,
  now: DateTime.Utc,
) {
  if (user_id === undefined) return []
  const recorded = (kind: ImportRecord["kind"], key: string, writes: ReadonlyArray<Write>) => [
    ...writes,
    insert(ImportRecords, { key, run_id: run.id, user_id, line: entry.line, kind, rows: madeBy(writes), created_at: now }),
  ]
  if (user !== undefined) return recorded("user", userKey(run.source, user.source_id), yield* userRows(user_id, user, now))
  if (addition === undefined) return []
  const key = additionKey(run.source, addition.source_id, run.id, position)
  return recorded("addition", key, yield* credentialRows(user_id, addition, now))
})

const concurrency = 10

/** The users of earlier runs and batches who get credentials. The commit also writes them, so that it conflicts with concurrent changes. */
const usersAddedTo = Effect.fnUntraced(function* usersAddedTo(outcomes: ReadonlyArray<Outcome>) {
  const store = yield* Store
  const ids = new Set(outcomes.flatMap(({ addition }) => (addition === undefined || addition.isNew ? [] : addition.user_id)))
  const read = Effect.fnUntraced(function* readUser(id: string) {
    const user: Option.Option<Versioned<(typeof Users)["schema"]["Type"]>> = yield* store.read(Users, { id })
    return Option.isSome(user) ? user.value : yield* new Conflict({ table: Users.name })
  })
  return yield* Effect.forEach([...ids], read, { concurrency })
})

/** Marks a run as finished. */
export const finish = Effect.fnUntraced(function* finish(run: ImportRun) {
  const store = yield* Store
  const current = yield* store.read(ImportRuns, { id: run.id })
  if (Option.isNone(current) || current.value.row.position !== run.position) return yield* new RunRefused({ reason: "running" })
  const finished = { finished_at: yield* DateTime.now }
  yield* Effect.mapError(store.commit([update(ImportRuns, current.value, finished)]), () => new RunRefused({ reason: "running" }))
})
