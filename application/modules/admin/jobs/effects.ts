import { Cause, Effect } from "effect"
import { Store, StoreUnavailable, type Write } from "../../../../domain/ports/store.ts"
import type { AnyOperation } from "./operations.ts"

/** What an operation does to one user: writes that are not committed yet, or the code with which it fails. */
export interface Outcome {
  readonly user_id: string
  readonly writes: ReadonlyArray<Write>
  readonly code?: string
}

/** The writes that an effect commits, which are then not committed. */
const collected = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Store, (store) =>
    Effect.suspend(() => {
      const writes: Array<Write> = []
      const commit = (more: ReadonlyArray<Write>) => Effect.sync(() => void writes.push(...more))
      return Effect.as(Effect.provideService(run, Store, Store.of({ ...store, commit })), writes)
    }),
  )

/** A fault of the program ends what has it: otherwise every worker would fail at the same again. Without the store, the work is repeated. */
export const isOurFault = (defect: unknown) => !(defect instanceof StoreUnavailable)

export const internalError = "internal_error"

/** Runs the operation for one user. */
export const outcomeOf = (operation: AnyOperation, user_id: string, input: unknown) =>
  collected(Effect.suspend(() => operation.run(user_id, input))).pipe(
    Effect.map((writes): Outcome => ({ user_id, writes })),
    Effect.catch(({ _tag }) => Effect.succeed<Outcome>({ user_id, writes: [], code: _tag })),
    Effect.catchDefect((defect) => (isOurFault(defect) ? faulty(user_id, defect) : Effect.die(defect))),
  )

export const faulty = (user_id: string, defect: unknown) =>
  Effect.as(Effect.logError("A job failed for a user.", Cause.die(defect)), { user_id, writes: [], code: internalError } satisfies Outcome)

/** Whether no outcome writes a row that another one writes or depends on. Each was decided without the others. */
export const areIndependent = (outcomes: ReadonlyArray<Outcome>): boolean => {
  const owners = new Map<string, number>()
  for (const [at, { writes }] of outcomes.entries())
    for (const row of writes.filter(({ _tag }) => _tag !== "check").flatMap(rowsOfWrite)) {
      if ((owners.get(row) ?? at) !== at) return false
      owners.set(row, at)
    }
  const isOwn = (at: number) => (row: string) => (owners.get(row) ?? at) === at
  return outcomes.every(({ writes }, at) => writes.flatMap(rowsOfWrite).every(isOwn(at)))
}

/** The rows that a write names by their keys. */
const rowsOfWrite = (write: Write): ReadonlyArray<string> => {
  const of = (key: unknown) => `${write.table.name}\0${String(key)}`
  if ("row" in write) return [of(write.row[write.table.key])]
  if (write._tag === "removeEach") return write.keys.map(of)
  return write._tag === "removeAll" ? [] : [of(write.key)]
}
