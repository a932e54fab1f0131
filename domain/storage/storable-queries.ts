import { Effect, Option } from "effect"
import { isStorable, type StoreService, type Versioned } from "../ports/store.ts"
import { isStorableWhere } from "./query-checks.ts"

/** The methods of the Store that return rows. */
export type Queries = Pick<StoreService, "read" | "readWithReferenced" | "readWithReferencing" | "list" | "listForEach" | "take">

/** Answers queries with unstorable text without the database: no row matches them, and the database would reject the statement. */
export const onlyStorable = (queries: Queries): Queries => ({
  read: (table, where) => Effect.suspend(() => (isStorableWhere(where) ? queries.read(table, where) : Effect.succeedNone)),
  readWithReferenced: (table, where, field) =>
    Effect.suspend(() => (isStorableWhere(where) ? queries.readWithReferenced(table, where, field) : Effect.succeedNone)),
  readWithReferencing: (table, where, other, field, rest) =>
    Effect.suspend(() => {
      if (!isStorableWhere(where)) return Effect.succeedNone
      return isStorableWhere(rest)
        ? queries.readWithReferencing(table, where, other, field, rest)
        : Effect.map(queries.read(table, where), withoutSecond)
    }),
  list: (table, where, options) =>
    Effect.suspend(() => {
      const isStorableQuery = isStorableWhere(where) && isStorable(options.prefix?.text ?? "")
      return isStorableQuery ? queries.list(table, where, options) : Effect.succeed([])
    }),
  listForEach: (table, field, values, options) =>
    Effect.suspend(() =>
      isStorableWhere(options.where ?? {}) ? queries.listForEach(table, field, values, options) : Effect.succeed(values.map(() => [])),
    ),
  take: (table, where) => Effect.suspend(() => (isStorableWhere(where) ? queries.take(table, where) : Effect.succeedNone)),
})

/** The result of `readWithReferencing` without a row of the second table. */
const withoutSecond = <R>(stored: Option.Option<Versioned<R>>) => Option.map(stored, (first) => [first, Option.none()] as const)
