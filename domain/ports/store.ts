import { Array, Context, Data, Effect, Option, Stream } from "effect"
import type { AnyTable, Key, Row, TextField, Where } from "./table.ts"

/** A row with the revision at which it was read; a later write can be conditional on that revision. */
export interface Versioned<R> {
  readonly row: R
  readonly revision: number
}

/** A revision grows with every write of a row and is never used again for the same key; `"absent"` if no row has the key. */
type Expected = number | "absent"

/** The row as it was read. A store that distributes rows over servers finds the row by the shard key in it. */
interface Read {
  readonly before?: Record<string, unknown>
}

/** One step of a commit. Made by the functions below, which check the row against its table. */
export type Write =
  | { readonly _tag: "insert"; readonly table: AnyTable; readonly row: Record<string, unknown> }
  | (Read & { readonly _tag: "put"; readonly table: AnyTable; readonly row: Record<string, unknown>; readonly expected?: Expected })
  | (Read & { readonly _tag: "remove"; readonly table: AnyTable; readonly key: unknown; readonly expected?: number })
  | (Read & { readonly _tag: "detach"; readonly table: AnyTable; readonly key: unknown; readonly expected: number })
  | { readonly _tag: "removeEach"; readonly table: AnyTable; readonly keys: ReadonlyArray<unknown> }
  | { readonly _tag: "removeAll"; readonly table: AnyTable; readonly where: Record<string, unknown> }
  | (Read & { readonly _tag: "check"; readonly table: AnyTable; readonly key: unknown; readonly expected: number })

/** The indexed fields of a table that can contain keys of another table. */
type ReferencingField<O extends AnyTable, T extends AnyTable> = {
  [F in keyof Where<O> & string]-?: NonNullable<Row<O>[F]> extends Key<T> ? F : never
}[keyof Where<O> & string]

export interface ListOptions<T extends AnyTable> {
  /** At most this many rows. */
  readonly limit: number
  /** Sorted by this field, then by the key. The field has to be the key or indexed, unless `where` narrows the list to few rows. */
  readonly order?: keyof Row<T> & string
  readonly descending?: boolean
  /** Only rows after this one in the same order: the last row of the previous page. The order field and the key are enough. */
  readonly after?: Partial<Row<T>>
  /** Only rows with a text that begins with this one, compared by code point. The query uses this field's index, for every order. */
  readonly prefix?: { readonly field: TextField<T>; readonly text: string }
}

/** The options of each list, as for `list`. */
export interface ForEachOptions<T extends AnyTable, F extends string = never> extends Omit<ListOptions<T>, "prefix"> {
  /** A condition for the rows of all lists. */
  readonly where?: Omit<Where<T>, F>
}

/**
 * The storage port. Every adapter passes `testing/store-suite.ts`.
 *
 * If the store is unreachable, a call dies with `StoreUnavailable`. Writing text that no database can store (NUL, half of a surrogate pair)
 * dies with `UnstorableText`; a query for such text matches no row.
 */
export interface StoreService {
  /** The row of a key or of a unique index, with its revision. */
  read<T extends AnyTable>(table: T, where: Where<T>): Effect.Effect<Option.Option<Versioned<Row<T>>>>
  /** A row and the row that its `field` references, in one round trip; none when either is missing. */
  readWithReferenced<T extends AnyTable, F extends keyof T["references"] & string>(
    table: T,
    where: Where<T>,
    field: F,
  ): Effect.Effect<Option.Option<readonly [Versioned<Row<T>>, Versioned<Row<T["references"][F]>>]>>
  /**
   * The row of a key or of a unique index and, if there is one, the row of another table that references it by `field`, in one
   * round trip. `field` and the fields of `rest` have to contain a unique index of the other table.
   */
  readWithReferencing<T extends AnyTable, O extends AnyTable, F extends ReferencingField<O, T>>(
    table: T,
    where: Where<T>,
    other: O,
    field: F,
    rest: Omit<Where<O>, F>,
  ): Effect.Effect<Option.Option<readonly [Versioned<Row<T>>, Option.Option<Versioned<Row<O>>>]>>
  list<T extends AnyTable>(table: T, where: Where<T>, options: ListOptions<T>): Effect.Effect<ReadonlyArray<Row<T>>>
  /** One list for each of these values of a text field, in the order of the values, in one round trip. */
  listForEach<T extends AnyTable, F extends keyof Where<T> & string>(
    table: T,
    field: F,
    values: ReadonlyArray<string>,
    options: ForEachOptions<T, F>,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<Row<T>>>>
  /** Removes the row and returns it: of several concurrent calls, only one gets it. */
  take<T extends AnyTable>(table: T, where: Where<T>): Effect.Effect<Option.Option<Row<T>>>
  /**
   * Applies the writes in their order, atomically: all or none.
   * `check` keeps other commits from changing a row until this commit is over, so that a
   * decision based on that row is still valid when the other writes become visible.
   */
  commit(writes: ReadonlyArray<Write>): Effect.Effect<void, Taken | Conflict>
  /** Removes up to `limit` expired rows of each table, and returns how many. */
  sweep(now: Date, limit: number): Effect.Effect<number>
  /** Succeeds when the store answers. */
  readonly ping: Effect.Effect<void>
}

export class Store extends Context.Service<Store, StoreService>()("sallyport/Store") {}

/** Another row already has a value that must be unique. */
export class Taken extends Data.TaggedError("Taken")<{ readonly table: string; readonly field: string }> {}

/** A row has changed since the revision that the write is conditional on. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly table: string }> {}

/** The store cannot be reached or did not answer in time. A defect: every endpoint answers it with 503. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly cause: unknown
  /** Whether waiting does not help, such as for a wrong password: a start then fails at once. */
  readonly isFinal?: boolean
  /** Why, and what to change: of the error with which a start rejects. */
  readonly message?: string
}> {}

/** Text that some databases cannot store. Inputs are checked before, so this is a fault of the program. */
export class UnstorableText extends Data.TaggedError("UnstorableText")<{ readonly table: string; readonly field: string }> {}

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

// The steps of a commit.

/** Adds a row; `Taken` when another row has its key or a unique value. */
export const insert = <T extends AnyTable>(table: T, row: Row<T>): Write => ({ _tag: "insert", table, row })

/** Adds or replaces the row of this key. With `expected`: `Conflict` unless the row has this revision or, for `absent`, does not exist. */
export const put = <T extends AnyTable>(table: T, row: Row<T>, expected?: Expected): Write =>
  expected === undefined ? { _tag: "put", table, row } : { _tag: "put", table, row, expected }

/** Adds or replaces the row of a key that was read; `Conflict` when it has been changed, removed or added since. */
export const replace = <T extends AnyTable>(table: T, found: Option.Option<Versioned<Row<T>>>, row: Row<T>): Write =>
  put(table, row, Option.match(found, { onNone: () => "absent" as const, onSome: ({ revision }) => revision }))

/** Replaces a row that was read; `Conflict` when it has been changed or removed since. */
export const update = <T extends AnyTable>(table: T, versioned: Versioned<Row<T>>, changes: Partial<Row<T>>): Write => ({
  _tag: "put",
  table,
  row: { ...versioned.row, ...changes },
  expected: versioned.revision,
  before: versioned.row,
})

/** Removes the row of this key, if there is one. */
export const remove = <T extends AnyTable>(table: T, key: Key<T>): Write => ({ _tag: "remove", table, key })

const conditional =
  (_tag: "remove" | "detach" | "check") =>
  <T extends AnyTable>(table: T, { row, revision }: Versioned<Row<T>>): Write => ({
    _tag,
    table,
    key: row[table.key],
    expected: revision,
    before: row,
  })

/** Removes a row that was read; `Conflict` when it has been changed or removed since. */
export const removeVersioned = conditional("remove")

/**
 * Removes a row that was read and leaves the rows that reference it; `Conflict` when it has been changed or removed since. Commit a
 * `Removals` row with it: otherwise those rows are never removed.
 */
export const detach = conditional("detach")

/** `Conflict` unless the row still has the revision that was read; no other commit changes it before this one is over. */
export const check = conditional("check")

/** Removes the rows of these keys that exist. */
export const removeEach = <T extends AnyTable>(table: T, keys: ReadonlyArray<Key<T>>): Write => ({ _tag: "removeEach", table, keys })

/** Removes every row that matches an index. */
export const removeAll = <T extends AnyTable>(table: T, where: Where<T>): Write => ({ _tag: "removeAll", table, where })

/** Whether a write concerns the same row as another one. */
export const isOfSameRow = (write: Write, other: Write) =>
  write.table === other.table && keyOf(write) !== undefined && keyOf(write) === keyOf(other)

const keyOf = (write: Write): unknown => ("row" in write ? write.row[write.table.key] : "key" in write ? write.key : undefined)

// Functions built on the methods of the Store.

/** The row of a key or of a unique index. */
export const find = Effect.fnUntraced(function* findRow<T extends AnyTable>(table: T, where: Where<T>) {
  const versioned = yield* (yield* Store).read(table, where)
  return Option.map(versioned, ({ row }) => row as Row<T>)
})

/** The value that an effect finds; fails with this error if it finds none. */
export const orFail = <A, E, R, F>(found: Effect.Effect<Option.Option<A>, E, R>, absent: () => F): Effect.Effect<A, E | F, R> =>
  Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(absent()), onSome: Effect.succeed }))

/** The rows with these keys, by key, in one read for any number of keys. */
export const findEach = Effect.fnUntraced(function* findRows<T extends AnyTable>(table: T, keys: ReadonlyArray<string>) {
  const distinct = [...new Set(keys)]
  const rows: ReadonlyArray<ReadonlyArray<Row<T>>> = yield* (yield* Store).listForEach(table, table.key, distinct, { limit: 1 })
  return new Map(distinct.flatMap((key, index) => (rows[index] ?? []).map((row) => [key, row] as const)))
})

/** All rows of a list, which are read page by page. */
export const rowsOf = <T extends AnyTable>(table: T, where: Where<T>, options: ListOptions<T>) =>
  Stream.paginate(
    options,
    Effect.fnUntraced(function* nextPage(page: ListOptions<T>) {
      const rows: ReadonlyArray<Row<T>> = yield* (yield* Store).list(table, where, page)
      const last = rows.at(-1)
      const isOver = last === undefined || rows.length < page.limit
      return [rows, isOver ? Option.none() : Option.some({ ...page, after: last })] as const
    }),
  )

/** Whether these writes were committed: not if a row has changed since it was read, or another row has a unique value. */
export const isCommitted = (writes: ReadonlyArray<Write>) => Effect.isSuccess(Effect.flatMap(Store, ({ commit }) => commit(writes)))

/**
 * Runs an attempt that reads, decides and commits, and repeats it after a `Conflict`. An attempt that can fail with `Taken` turns it into
 * an error code, or into another attempt by `conflictIfTaken`; otherwise `Taken` is a defect.
 */
export const retryOnConflict = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Conflict | Taken>, R> =>
  attempt.pipe(
    Effect.tapError((error) => (error instanceof Conflict ? Effect.yieldNow : Effect.void)),
    Effect.retry({ while: (error) => error instanceof Conflict, times: 100 }),
    Effect.catch((error) => (error instanceof Conflict || error instanceof Taken ? Effect.die(error) : Effect.fail(error))),
  ) as Effect.Effect<A, Exclude<E, Conflict | Taken>, R>

/**
 * Turns `Taken` into `Conflict`, so that `retryOnConflict` repeats an attempt when a concurrent commit took the unique value that it had
 * found free.
 */
export const conflictIfTaken = <A, E, R>(commit: Effect.Effect<A, E | Taken, R>) =>
  Effect.mapError(commit, (error) => (error instanceof Taken ? new Conflict({ table: error.table }) : error))

/** A commit whose unique values depend on what was read: taken ones make the attempt start again. */
export const commitOrConflict = (writes: ReadonlyArray<Write>) => Effect.flatMap(Store, ({ commit }) => conflictIfTaken(commit(writes)))

/**
 * Reads the row of a key, lets a pure function decide on the new row, and writes it. If a concurrent write changed the row in between, the
 * function runs again.
 */
export const modify = Effect.fnUntraced(function* modify<T extends AnyTable, A>(
  table: T,
  key: Key<T>,
  decision: (row: Option.Option<Row<T>>) => readonly [answer: A, next: Option.Option<Row<T>>],
) {
  const store = yield* Store
  return yield* retryOnConflict(
    Effect.gen(function* () {
      const versioned = yield* store.read(table, { [table.key]: key } as Where<T>)
      const [answer, next] = decision(Option.map(versioned, ({ row }) => row))
      const writes = Array.fromOption(change(table, versioned, next))
      if (writes.length > 0) yield* store.commit(writes)
      return answer
    }),
  )
})

const change = <T extends AnyTable>(
  table: T,
  versioned: Option.Option<Versioned<Row<T>>>,
  next: Option.Option<Row<T>>,
): Option.Option<Write> => {
  if (Option.isNone(versioned)) return Option.map(next, (row) => put(table, row, "absent"))
  if (Option.isNone(next)) return Option.some(removeVersioned(table, versioned.value))
  return next.value === versioned.value.row ? Option.none() : Option.some(update(table, versioned.value, next.value))
}

/** The tables that reference this one, and by which field. Removing a row removes their rows that reference it, recursively. */
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

/** The rows that a commit is conditional on, with the expected revisions. */
export const conditionalRows = (writes: ReadonlyArray<Write>) =>
  writes.flatMap((write) => {
    if (!("expected" in write) || typeof write.expected !== "number") return []
    const { table, expected, before } = write
    return [{ table, expected, before, key: "row" in write ? write.row[table.key] : write.key, isCheck: write._tag === "check" }]
  })

/** Sweeps every table with an expiry, and returns how many rows were removed. */
export const sweepEach = (tables: ReadonlyArray<AnyTable>, sweep: (table: AnyTable) => Effect.Effect<number>): Effect.Effect<number> =>
  Effect.map(
    Effect.forEach(
      tables.filter(({ expires }) => expires !== undefined),
      sweep,
    ),
    (removed) => removed.reduce((sum, count) => sum + count, 0),
  )
