import { Data, DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Versioned, Write } from "../../domain/ports/store.ts"
import { Conflict, insert, Store, Taken, update } from "../../domain/ports/store.ts"
import { Accounts, Users } from "../../domain/storage/tables.ts"
import type { Target } from "./admission.ts"
import { admit } from "./admission.ts"
import type { Judged, Outcome } from "./decision.ts"
import { decide, totalsOf } from "./decision.ts"
import { lookUp } from "./held.ts"
import type { Entry } from "./record.ts"
import { credentialRows, userRows } from "./rows.ts"
import type { Seen } from "./seen.ts"
import type { ImportRecord, ImportRun } from "./tables.ts"
import { additionKey, ImportRecords, ImportRuns, userKey } from "./tables.ts"
import { add, none } from "./totals.ts"

// A run stores the records of a file batch by batch. One commit has the rows of a batch and the position behind it, so that a run that was
// killed continues with the first record that is not stored.

/** A run that cannot be begun or continued. */
export class RunRefused extends Data.TaggedError("RunRefused")<{
  readonly reason: "unknown" | "undone" | "another_file" | "another_source" | "running"
}> {}

const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

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

/** A run for this file; it is stored unless it is a dry run. */
export const begin = Effect.fnUntraced(function* begin(of: Of, dry: boolean) {
  const run = yield* newRun(of)
  if (!dry) yield* Effect.orDie((yield* Store).commit([insert(ImportRuns, run)]))
  return run
})

/** A run of this file that was interrupted, or is finished. */
export const resume = Effect.fnUntraced(function* resume(id: string, { source, fingerprint }: Of) {
  const held = yield* (yield* Store).read(ImportRuns, { id })
  if (Option.isNone(held)) return yield* new RunRefused({ reason: "unknown" })
  const run = held.value.row
  if (run.undone_at !== null) return yield* new RunRefused({ reason: "undone" })
  if (run.source !== source) return yield* new RunRefused({ reason: "another_source" })
  if (run.fingerprint !== fingerprint) return yield* new RunRefused({ reason: "another_file" })
  return run
})

/** What a run does with the outcomes of a batch before it is committed. */
export interface Sink<E, R> {
  /** Writes the refused records at this position of their file; answers the length of the file. */
  readonly refuse: (raw: ReadonlyArray<string>, position: number) => Effect.Effect<number, E, R>
  readonly report: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void, E, R>
}

interface Batch {
  readonly run: ImportRun
  readonly target: Target
  /** The memory of a dry run. */
  readonly seen: Seen | undefined
}

/** Attempts to decide on a batch anew when other writes took a value between the questions and the commit. */
const attempts = 20

/** Stores a batch, or only decides on it in a dry run; answers the run behind it. */
export const advance = Effect.fnUntraced(function* advance<E, R>(batch: Batch, entries: ReadonlyArray<Entry>, sink: Sink<E, R>) {
  const { run, target, seen } = batch
  const judged = entries.map((entry): Judged => ({ entry, admission: admit(entry, target) }))
  const attempt = Effect.gen(function* () {
    const outcomes = yield* outcomesOf(judged, batch)
    const refused = outcomes.filter(({ status }) => status === "refused").map(({ entry }) => entry.raw)
    const refused_bytes = seen === undefined ? yield* sink.refuse(refused, run.refused_bytes) : 0
    const totals = add(run.totals, totalsOf(outcomes))
    const next: ImportRun = { ...run, position: run.position + entries.length, refused_bytes, totals, updated_at: yield* DateTime.now }
    if (seen === undefined) yield* commit(run, next, outcomes)
    return { next, outcomes }
  })
  const { next, outcomes } = yield* Effect.catchIf(Effect.retry(attempt, { while: isRace, times: attempts }), isRace, Effect.die)
  yield* sink.report(outcomes)
  return next
})

const isRace = (error: unknown): error is Taken | Conflict => error instanceof Taken || error instanceof Conflict

const outcomesOf = Effect.fnUntraced(function* outcomesOf(judged: ReadonlyArray<Judged>, { run, target, seen }: Batch) {
  const admitted = judged.flatMap(({ admission }) => admission.admitted ?? [])
  const held = yield* lookUp(run.source, run.id, admitted, target.modules)
  const ids = yield* Effect.forEach(admitted, () => newId)
  return decide(judged, { source: run.source, run_id: run.id, held, seen, newId: () => ids.pop()! })
})

const commit = Effect.fnUntraced(function* commit(run: ImportRun, next: ImportRun, outcomes: ReadonlyArray<Outcome>) {
  const store = yield* Store
  const held = yield* store.read(ImportRuns, { id: run.id })
  if (Option.isNone(held) || held.value.row.position !== run.position || held.value.row.undone_at !== null)
    return yield* new RunRefused({ reason: "running" })
  const writes = yield* Effect.forEach(outcomes, (outcome, at) => writesOf(run, outcome, run.position + at, next.updated_at))
  const users = yield* usersAddedTo(outcomes)
  yield* store.commit([update(ImportRuns, held.value, next), ...users.map((user) => update(Users, user, {})), ...writes.flat()])
})

const writesOf = Effect.fnUntraced(function* writesOf(
  run: ImportRun,
  { entry, user, addition, user_id }: Outcome,
  position: number,
  now: DateTime.Utc,
) {
  if (user_id === undefined) return []
  const record: Omit<ImportRecord, "key" | "kind"> = {
    ...{ run_id: run.id, user_id, line: entry.line, accounts: [], totp: false, created_at: now },
  }
  if (user !== undefined) {
    const key = userKey(run.source, user.source_id)
    return [...(yield* userRows(user_id, user, now)), insert(ImportRecords, { ...record, key, kind: "user" as const })]
  }
  if (addition === undefined) return []
  const { accounts, app } = yield* credentialRows(user_id, addition, now)
  const key = additionKey(run.source, addition.source_id, run.id, position)
  const added = { key, kind: "addition" as const, accounts: accounts.map(({ id }) => id), totp: app.length > 0 }
  const writes: ReadonlyArray<Write> = [
    ...accounts.map((account) => insert(Accounts, account)),
    ...app,
    insert(ImportRecords, { ...record, ...added }),
  ]
  return writes
})

const concurrency = 10

/** Whoever adds a way to sign in also writes the user, so that a concurrent change of the account is not overlooked. */
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
  const held = yield* store.read(ImportRuns, { id: run.id })
  if (Option.isNone(held) || held.value.row.position !== run.position) return yield* new RunRefused({ reason: "running" })
  const finished = { finished_at: yield* DateTime.now }
  yield* Effect.mapError(store.commit([update(ImportRuns, held.value, finished)]), () => new RunRefused({ reason: "running" }))
})
