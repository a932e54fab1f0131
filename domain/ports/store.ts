import { Array, Context, Data, Effect, Option } from "effect"
import type { AnyTable, Key, Row, TextField, Where } from "../storage/table.ts"

/** A row together with the revision it had when it was read: what a later write can be conditional on. */
export interface Versioned<R> {
  readonly row: R
  readonly revision: number
}

/** Grows with every write of a row, and no later row of the same key has it again; `"absent"` where no row has the key. */
type Expected = number | "absent"

/** One step of a commit. Made by the functions below, which check the row against its table. */
export type Write =
  | { readonly _tag: "insert"; readonly table: AnyTable; readonly row: Record<string, unknown> }
  | { readonly _tag: "put"; readonly table: AnyTable; readonly row: Record<string, unknown>; readonly expected?: Expected }
  | { readonly _tag: "remove"; readonly table: AnyTable; readonly key: unknown; readonly expected?: number }
  | { readonly _tag: "detach"; readonly table: AnyTable; readonly key: unknown; readonly expected: number }
  | { readonly _tag: "removeEach"; readonly table: AnyTable; readonly keys: ReadonlyArray<unknown> }
  | { readonly _tag: "removeAll"; readonly table: AnyTable; readonly where: Record<string, unknown> }
  | { readonly _tag: "check"; readonly table: AnyTable; readonly key: unknown; readonly expected: number }

/** The fields of a table that can be asked for and can hold keys of another one. */
type ReferencingField<O extends AnyTable, T extends AnyTable> = {
  [F in keyof Where<O> & string]-?: NonNullable<Row<O>[F]> extends Key<T> ? F : never
}[keyof Where<O> & string]

export interface ListOptions<T extends AnyTable> {
  /** At most this many rows. */
  readonly limit: number
  /** Sorted by this field, then by the key. It has to be the key, an indexed field, or `where` has to narrow the list to few rows. */
  readonly order?: keyof Row<T> & string
  readonly descending?: boolean
  /** Only rows that come after this one in the same order: the last row of the page before. The field it is sorted by and the key will do. */
  readonly after?: Partial<Row<T>>
  /** Only rows whose text begins with this one, code point by code point. Its index leads to them, whatever they are sorted by. */
  readonly prefix?: { readonly field: TextField<T>; readonly text: string }
}

/** How much of each list, as for one list. */
export interface ForEachOptions<T extends AnyTable, F extends string = never> extends Omit<ListOptions<T>, "prefix"> {
  /** What rows of all lists have in common. */
  readonly where?: Omit<Where<T>, F>
}

/**
 * Where records live. Every adapter passes `test/domain/ports/store.suite.ts`.
 *
 * A store that cannot be reached dies with `StoreUnavailable`; text that no
 * database can hold (NUL, half of a surrogate pair) dies with `UnstorableText`
 * when written and is simply not found when asked for.
 */
export interface StoreService {
  /** The row of a key or of a unique index, with its revision. */
  read<T extends AnyTable>(table: T, where: Where<T>): Effect.Effect<Option.Option<Versioned<Row<T>>>>
  /** A row and the one that its `field` points at, in one round trip; none when either is missing. */
  readWithReferenced<T extends AnyTable, F extends keyof T["references"] & string>(
    table: T,
    where: Where<T>,
    field: F,
  ): Effect.Effect<Option.Option<readonly [Versioned<Row<T>>, Versioned<Row<T["references"][F]>>]>>
  /**
   * The row of a key or of a unique index and, where there is one, the row of another table whose `field` holds its key, in one
   * round trip. A unique index has to lead from that field and the fields of `rest` to at most one row.
   */
  readWithReferencing<T extends AnyTable, O extends AnyTable, F extends ReferencingField<O, T>>(
    table: T,
    where: Where<T>,
    other: O,
    field: F,
    rest: Omit<Where<O>, F>,
  ): Effect.Effect<Option.Option<readonly [Versioned<Row<T>>, Option.Option<Versioned<Row<O>>>]>>
  list<T extends AnyTable>(table: T, where: Where<T>, options: ListOptions<T>): Effect.Effect<ReadonlyArray<Row<T>>>
  /** The list of each of these values of a text field, in their order: one round trip, however many there are. */
  listForEach<T extends AnyTable, F extends keyof Where<T> & string>(
    table: T,
    field: F,
    values: ReadonlyArray<string>,
    options: ForEachOptions<T, F>,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<Row<T>>>>
  /** Removes the row and returns it: of many at once, one gets it. */
  take<T extends AnyTable>(table: T, where: Where<T>): Effect.Effect<Option.Option<Row<T>>>
  /**
   * Applies the writes in their order, all or none, seen by nobody in between.
   * `check` holds a row at its revision until the commit is over, so that what
   * was decided on that row is still true when the other writes appear.
   */
  commit(writes: ReadonlyArray<Write>): Effect.Effect<void, Taken | Conflict>
  /** Removes up to `limit` rows of each table whose time has come, and says how many. */
  sweep(now: Date, limit: number): Effect.Effect<number>
  /** Succeeds when the store answers. */
  readonly ping: Effect.Effect<void>
}

export class Store extends Context.Service<Store, StoreService>()("sallyport/Store") {}

/** A unique value is already held by another row. */
export class Taken extends Data.TaggedError("Taken")<{ readonly table: string; readonly field: string }> {}

/** A row is no longer what the write was conditional on. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly table: string }> {}

/** The store cannot be reached, or did not answer in time. Dies: no caller can do anything but answer 503. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly cause: unknown }> {}

/** Text that not every database can hold. Inputs are checked before, so this is a fault of the program. */
export class UnstorableText extends Data.TaggedError("UnstorableText")<{ readonly table: string; readonly field: string }> {}

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

// The steps of a commit.

/** Adds a row; `Taken` when its key or a unique value is held. */
export const insert = <T extends AnyTable>(table: T, row: Row<T>): Write => ({ _tag: "insert", table, row })

/** Adds or replaces the row of this key. */
export const put = <T extends AnyTable>(table: T, row: Row<T>, expected?: Expected): Write =>
  expected === undefined ? { _tag: "put", table, row } : { _tag: "put", table, row, expected }

/** Replaces a row that was read; `Conflict` when it has changed or gone since. */
export const update = <T extends AnyTable>(table: T, versioned: Versioned<Row<T>>, changes: Partial<Row<T>>): Write => ({
  _tag: "put",
  table,
  row: { ...versioned.row, ...changes },
  expected: versioned.revision,
})

/** Removes the row of this key, if there is one. */
export const remove = <T extends AnyTable>(table: T, key: Key<T>): Write => ({ _tag: "remove", table, key })

/** Removes a row that was read; `Conflict` when it has changed or gone since. */
export const removeVersioned = <T extends AnyTable>(table: T, versioned: Versioned<Row<T>>): Write => ({
  _tag: "remove",
  table,
  key: versioned.row[table.key],
  expected: versioned.revision,
})

/**
 * Removes a row that was read and leaves the rows that reference it; `Conflict` when it has changed or gone since. Commit a
 * `Removals` row along with it, or those rows stay for ever.
 */
export const detach = <T extends AnyTable>(table: T, versioned: Versioned<Row<T>>): Write => ({
  _tag: "detach",
  table,
  key: versioned.row[table.key],
  expected: versioned.revision,
})

/** Removes the rows of these keys that exist. */
export const removeEach = <T extends AnyTable>(table: T, keys: ReadonlyArray<Key<T>>): Write => ({ _tag: "removeEach", table, keys })

/** Removes every row that matches an index. */
export const removeAll = <T extends AnyTable>(table: T, where: Where<T>): Write => ({ _tag: "removeAll", table, where })

/** `Conflict` unless the row is still as it was read; no other commit changes it before this one is over. */
export const check = <T extends AnyTable>(table: T, versioned: Versioned<Row<T>>): Write => ({
  _tag: "check",
  table,
  key: versioned.row[table.key],
  expected: versioned.revision,
})

// What is written once, over the verbs above.

/** The row of a key or of a unique index. */
export const find = Effect.fnUntraced(function* <T extends AnyTable>(table: T, where: Where<T>) {
  const versioned = yield* (yield* Store).read(table, where)
  return Option.map(versioned, ({ row }) => row as Row<T>)
})

/**
 * Runs an attempt that reads, decides and commits; when somebody else was faster,
 * it reads and decides anew. What becomes of a value that is `Taken` it has to say itself: a code of its own, or `conflictIfTaken`.
 */
export const retryOnConflict = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Conflict | Taken>, R> =>
  attempt.pipe(
    Effect.tapError((error) => (error instanceof Conflict ? Effect.yieldNow : Effect.void)),
    Effect.retry({ while: (error) => error instanceof Conflict, times: 100 }),
    Effect.catch((error) => (error instanceof Conflict || error instanceof Taken ? Effect.die(error) : Effect.fail(error))),
  ) as Effect.Effect<A, Exclude<E, Conflict | Taken>, R>

/** Begins anew, within `retryOnConflict`, when a value that is to be unique was taken since it was read to be free. */
export const conflictIfTaken = <A, E, R>(commit: Effect.Effect<A, E | Taken, R>) =>
  Effect.mapError(commit, (error) => (error instanceof Taken ? new Conflict({ table: error.table }) : error))

/**
 * Reads the row of a key, lets a pure function decide what stays, and writes that
 * if nobody else has written in between; otherwise the function decides again.
 */
export const modify = Effect.fnUntraced(function* <T extends AnyTable, A>(
  table: T,
  key: Key<T>,
  decision: (row: Option.Option<Row<T>>) => readonly [answer: A, left: Option.Option<Row<T>>],
) {
  const store = yield* Store
  return yield* retryOnConflict(
    Effect.gen(function* () {
      const versioned = yield* store.read(table, { [table.key]: key } as Where<T>)
      const [answer, left] = decision(Option.map(versioned, ({ row }) => row))
      const writes = Array.fromOption(change(table, versioned, left))
      if (writes.length > 0) yield* store.commit(writes)
      return answer
    }),
  )
})

const change = <T extends AnyTable>(
  table: T,
  versioned: Option.Option<Versioned<Row<T>>>,
  left: Option.Option<Row<T>>,
): Option.Option<Write> => {
  if (Option.isNone(versioned)) return Option.map(left, (row) => put(table, row, "absent"))
  if (Option.isNone(left)) return Option.some(removeVersioned(table, versioned.value))
  return left.value === versioned.value.row ? Option.none() : Option.some(update(table, versioned.value, left.value))
}

/** The tables that hold keys of this one, and in which field. Their rows go with the row they point at, and so on down. */
export const dependants = (tables: ReadonlyArray<AnyTable>, table: AnyTable): ReadonlyArray<Dependant> =>
  tables.flatMap((child) =>
    Object.entries(child.references as Record<string, AnyTable>)
      .filter(([, parent]) => parent.name === table.name)
      .map(([field]) => ({ table: child, field })),
  )

export interface Dependant {
  readonly table: AnyTable
  readonly field: string
}

/** The rows that a commit is conditional on, as somebody has read them. */
export const conditionalRows = (writes: ReadonlyArray<Write>) =>
  writes.flatMap((write) => {
    if (!("expected" in write) || typeof write.expected !== "number") return []
    const { table, expected } = write
    return [{ table, expected, key: "row" in write ? write.row[table.key] : write.key, isCheck: write._tag === "check" }]
  })

/** Sweeps every table whose rows expire; how many were removed. */
export const sweepEach = (tables: ReadonlyArray<AnyTable>, sweep: (table: AnyTable) => Effect.Effect<number>): Effect.Effect<number> =>
  Effect.map(
    Effect.forEach(
      tables.filter(({ expires }) => expires !== undefined),
      sweep,
    ),
    (removed) => removed.reduce((sum, count) => sum + count, 0),
  )
