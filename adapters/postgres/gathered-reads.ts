import { Effect } from "effect"
import { type Budget, StoreBudget } from "../../domain/ports/store-budget.ts"
import { withinBudget } from "../within-budget.ts"

interface Reader<A, E> {
  readonly value: string
  readonly resume: (found: Effect.Effect<A | undefined, E>) => void
}

/** Runs one query for many values of a unique field. It gets the values at the moment when it is sent, and returns what it found for each. */
type Query<A, E> = (values: () => ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<unknown, A>, E>

/**
 * Joins reads by a unique field that start in one turn of the event loop into one query: for a database, a row more in a query is a small
 * part of the work of another query.
 */
export const gathered = <A, E>(query: Query<A, E>): ((value: string) => Effect.Effect<A | undefined, E>) => {
  let open: Array<Reader<A, E>> | undefined

  const begin = (first: Reader<A, E>, { limit }: Budget) => {
    const readers = [first]
    open = readers
    const close = () => {
      if (open === readers) open = undefined
    }
    setImmediate(close)
    const values = () => {
      close()
      return [...new Set(readers.map(({ value }) => value))]
    }
    // The query ends when the first reader's budget would, if that had only begun; it may have later readers.
    Effect.runFork(Effect.provideService(query(values), StoreBudget, { left: Number.POSITIVE_INFINITY, limit })).addObserver((exit) => {
      for (const { value, resume } of readers) resume(Effect.map(exit, (found) => found.get(value)))
    })
  }

  return (value) =>
    withinBudget((resume, budget) => {
      if (open === undefined) begin({ value, resume }, budget)
      else open.push({ value, resume })
    })
}
