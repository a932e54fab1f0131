import { DateTime, Effect, Option, Schema } from "effect"
import { type ForEachOptions, Store } from "../../domain/ports/store.ts"
import type { AnyTable, ExpiringTable, Row, Where } from "../../domain/ports/table.ts"
import { liveAt } from "../../domain/storage/live.ts"
import { lastCount } from "../../domain/storage/tally.ts"
import { Text } from "../../domain/values/text.ts"
import { QueryBoolean } from "./query-boolean.ts"

/** Rows of a page if the request has no `limit`. */
export const defaultPageSize = 500
const maxLimit = 1000

const Digits = Schema.String.check(Schema.isPattern(/^\d{1,4}$/, { expected: "a whole number" }))

/** The number of rows of a page: digits in a query string, a number in other shells. */
export const limitUpTo = (maximum: number) => {
  const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))
  return Schema.optionalKey(Schema.Union([Limit, Digits.pipe(Schema.decodeTo(Schema.NumberFromString), Schema.decodeTo(Limit))]))
}

/** The text in which clients get the last row of a page. Opaque to them. */
export const cursorOf = <A>(place: Schema.Codec<A, any>) => {
  const codec = Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(place)))
  const isCursor = (text: string) => Option.isSome(Schema.decodeOption(codec)(text))
  return {
    input: Schema.String.check(Schema.makeFilter(isCursor, { expected: "the next_cursor of a page" })),
    read: Schema.decodeSync(codec),
    write: Schema.encodeSync(codec),
  }
}

const KeyCursor = cursorOf(Schema.Struct({ id: Text }))

/** The input fields of an endpoint with a paged list. */
export const PageInput = {
  limit: limitUpTo(maxLimit),
  /** The `next_cursor` of the previous page. */
  cursor: Schema.optionalKey(KeyCursor.input),
}
export interface PageRequest {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * The start of the next page, null on the last one. Present if rows remain, or if the request has `limit` or `cursor`: a complete list has
 * exactly the members of the specification.
 */
export const NextPage = { next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String)) }

/** The output field `next_cursor` of a page. */
export const nextPage = ({ limit, cursor }: { readonly limit?: number; readonly cursor?: unknown }, next_cursor: string | null) =>
  next_cursor !== null || limit !== undefined || cursor !== undefined ? { next_cursor } : {}

/** The cursor of the row with this key. */
export const keyCursor = (key: unknown): string => KeyCursor.write({ id: String(key) })

/** The key in a cursor. */
export const keyOfCursor = (cursor: string): string => KeyCursor.read(cursor).id

/** A page of rows in key order without expired ones, and the output field `next_cursor`. */
export const page = Effect.fnUntraced(function* page<T extends AnyTable>(
  table: T,
  where: Where<T>,
  request: PageRequest,
  descending = false,
) {
  const { limit: count = defaultPageSize, cursor } = request
  const after = cursor === undefined ? {} : { after: { [table.key]: keyOfCursor(cursor) } as Partial<Row<T>> }
  const fetched = yield* (yield* Store).list(table, where, { limit: count + 1, descending, ...after })
  const inPage = fetched.slice(0, count)
  const rows = inPage.filter(yield* liveOf(table))
  const last = inPage.at(-1)
  const next_cursor = fetched.length > count && last !== undefined ? keyCursor(Reflect.get(last, table.key)) : null
  return { rows, rest: nextPage(request, next_cursor) }
})

/**
 * The page of each value's list in a graph field, in one query (`Store.listForEach`), without expired rows. A list that is incomplete
 * without them is read again with a higher limit: `hasNextPage` is true exactly if the rows fill the limit.
 */
export const pageForEach = Effect.fnUntraced(function* pageForEach<T extends AnyTable, F extends keyof Where<T> & string>(
  table: T,
  field: F,
  values: ReadonlyArray<string>,
  options: ForEachOptions<T, F>,
) {
  const isLive = yield* liveOf(table)
  const pages = new Map<string, ReadonlyArray<Row<T>>>()
  let incomplete: ReadonlyArray<string> = [...new Set(values)]
  for (let limit = options.limit; incomplete.length > 0; limit *= 8) {
    const lists: ReadonlyArray<ReadonlyArray<Row<T>>> = yield* (yield* Store).listForEach(table, field, incomplete, { ...options, limit })
    incomplete = incomplete.filter((value, index) => {
      const all = lists[index] ?? []
      const live = all.filter(isLive).slice(0, options.limit)
      pages.set(value, live)
      return live.length < options.limit && all.length === limit
    })
  }
  return values.map((value) => pages.get(value) ?? [])
})

const liveOf = <T extends AnyTable>(table: T) =>
  Effect.map(DateTime.now, (now): ((row: Row<T>) => boolean) => (isExpiring(table) ? liveAt(table, now) : () => true))

const isExpiring = (table: AnyTable): table is ExpiringTable => table.expires !== undefined

/** The maximum number of rows that are read for a total. */
export const maxTotal = 1000

/** The input field that asks for a total. */
export const TotalInput = {
  total: Schema.optionalKey(QueryBoolean).pipe(
    Schema.annotateKey({
      description: `Whether those who match are counted, up to ${maxTotal.toLocaleString("en")}; without filters all.`,
    }),
  ),
}

const Total = Schema.Struct({
  count: Schema.Int,
  capped: Schema.Boolean.pipe(Schema.annotateKey({ description: "Whether there can be more." })),
  as_of: Schema.optionalKey(Schema.DateTimeUtc).pipe(
    Schema.annotateKey({ description: "When all of a large number were last counted, which happens once an hour. Absent: just now." }),
  ),
}).annotate({ identifier: "Total" })
export type Total = typeof Total.Type

/** The output field of a total. */
export const WithTotal = { total: Schema.optionalKey(Total) }

interface Counting<E, R> {
  /** The number of rows on the page if it has all of them; otherwise null. */
  readonly whole: number | null
  /** The table whose rows are all in the list if there are no filters. Null: some are out of reach of the caller. */
  readonly table: AnyTable | null
  readonly filters: object
  /** Counts those who match, up to `maxTotal`. */
  readonly counted: Effect.Effect<Total, E, R>
}

/** The total of a table by its last count; none before that, and if its rows are few enough to be read. */
export const largeTotal = (table: AnyTable): Effect.Effect<Option.Option<Total>, never, Store> =>
  Effect.map(lastCount(table), (last) =>
    Option.map(
      Option.filter(last, ({ count }) => count > maxTotal),
      (large) => ({ ...large, capped: false }),
    ),
  )

/** The total of rows, of which at most one more than `maxTotal` were read. */
export const totalOfRead = ({ length }: ReadonlyArray<unknown>): Total => ({ count: Math.min(length, maxTotal), capped: length > maxTotal })

/** The total of a list: `counted` with filters; without, that of the last count, unless all are few enough to be read. */
export const totalOf = Effect.fnUntraced(function* totalOf<E, R>({ whole, table, filters, counted }: Counting<E, R>) {
  if (whole !== null) return { count: whole, capped: false }
  if (table === null || Object.keys(filters).length > 0) return yield* counted
  const large = yield* largeTotal(table)
  if (Option.isSome(large)) return large.value
  return totalOfRead(yield* (yield* Store).list(table, {}, { limit: maxTotal + 1, order: table.key }))
})
