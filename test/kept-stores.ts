import type { Scope } from "effect"
import { Cause, Effect, Exit, Layer, Scope as Scopes } from "effect"
import type { StoreService } from "../domain/ports/store.ts"
import { Store } from "../domain/ports/store.ts"
import type { AnyTable } from "../domain/ports/table.ts"

/** A store that can be emptied and used again. */
export interface Reusable {
  readonly store: StoreService
  /** Removes every row of these tables: those that a test wrote to. */
  readonly empty: (written: ReadonlyArray<AnyTable>) => Effect.Effect<void>
}

interface Kept extends Reusable {
  readonly key: string
  readonly scope: Scope.Closeable
}

/**
 * Stores that are built once and used by one test after the other, because creating tables and indexes takes longer than most tests. A store
 * is empty at the start of each test. If there are more than `most` stores, the least recently used ones are removed.
 */
export const keeping = (make: (tables: ReadonlyArray<AnyTable>) => Effect.Effect<Reusable, never, Scope.Scope>, most = 4) => {
  const idle: Array<Kept> = []

  const made = Effect.fnUntraced(function* (key: string, tables: ReadonlyArray<AnyTable>) {
    const scope = yield* Scopes.make()
    const reusable = yield* Effect.onError(Scopes.provide(make(tables), scope), (cause) => Scopes.close(scope, Exit.failCause(cause)))
    return { ...reusable, key, scope }
  })
  const taken = (tables: ReadonlyArray<AnyTable>) =>
    Effect.suspend(() => {
      const key = keyOf(tables)
      const at = idle.findLastIndex((kept) => kept.key === key)
      return Effect.map(at < 0 ? made(key, tables) : Effect.succeed(idle.splice(at, 1)[0]!), lent)
    })
  const givenBack = Effect.fnUntraced(function* ({ kept, end, written }: Lent) {
    if (!end()) return yield* Scopes.close(kept.scope, Exit.void)
    yield* Effect.onError(kept.empty([...written]), () => Scopes.close(kept.scope, Exit.void))
    idle.push(kept)
    if (idle.length > most) yield* Scopes.close(idle.shift()!.scope, Exit.void)
  })

  return (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> =>
    Layer.effect(
      Store,
      Effect.map(Effect.acquireRelease(taken(tables), givenBack), ({ store }) => store),
    )
}

interface Lent {
  readonly kept: Kept
  readonly store: StoreService
  /** Ends the use by a test. True if none of its operations is still running, so that the store can be used again. */
  readonly end: () => boolean
  /** The tables that the test wrote to. */
  readonly written: ReadonlySet<AnyTable>
}

/** After more rows than this, a store is not used again: they would affect its indexes and statistics. */
const many = 1000

/** An interrupted or failed call may still be running in the database: a store is used again only if all of its calls have completed. */
const lent = (kept: Kept): Lent => {
  let isOver = false
  let isSound = true
  let underWay = 0
  let writes = 0
  const written = new Set<AnyTable>()
  const watched = <A, E>(verb: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (isOver) return Effect.die(new Error("The test that had this store is over"))
      underWay++
      return Effect.onExit(verb, (exit) =>
        Effect.sync(() => {
          underWay--
          if (Exit.isFailure(exit) && (Cause.hasDies(exit.cause) || Cause.hasInterrupts(exit.cause))) isSound = false
        }),
      )
    })
  const { commit, ping, ...others } = kept.store
  const verbs = Object.entries(others).map(([name, verb]) => [
    name,
    (...asked: ReadonlyArray<never>) => watched((verb as (...asked: ReadonlyArray<never>) => Effect.Effect<unknown>)(...asked)),
  ])
  return {
    kept,
    store: {
      ...(Object.fromEntries(verbs) as typeof others),
      commit: (steps) => {
        writes += steps.length
        for (const { table } of steps) written.add(table)
        return watched(commit(steps))
      },
      ping: watched(ping),
    },
    end: () => {
      isOver = true
      return isSound && underWay === 0 && writes <= many
    },
    written,
  }
}

/** Compares the tables themselves, not only their names: a store reads and writes with the schemas that it was built with. */
const keyOf = (tables: ReadonlyArray<AnyTable>) => tables.map(numberOf).join()

const numbers = new WeakMap<AnyTable, number>()
let drawn = 0
const numberOf = (table: AnyTable) => {
  const number = numbers.get(table) ?? ++drawn
  numbers.set(table, number)
  return number
}
