import { Effect, Schema } from "effect"
import { Store } from "../../domain/ports/store.ts"
import type { AnyTable, Row, Where } from "../../domain/storage/table.ts"
import { Text } from "../../domain/values/text.ts"

/** How many there are on a page when nothing is said. */
export const usual = 500
const most = 1000

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most }))
const Digits = Schema.String.check(Schema.isPattern(/^\d{1,4}$/, { expected: "a whole number" }))

/** What can be asked of a list that can be long. */
export const PageInput = {
  /** A query brings digits, other shells a number. */
  limit: Schema.optionalKey(Schema.Union([Limit, Digits.pipe(Schema.decodeTo(Schema.NumberFromString), Schema.decodeTo(Limit))])),
  /** The `next_cursor` of the page before. */
  cursor: Schema.optionalKey(Text),
}
export interface PageRequest {
  readonly limit?: number
  readonly cursor?: string
}

/** Where the next page begins, null after the last one. It is told when there is more than was answered, or when a page was asked for. */
export const NextPage = { next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String)) }

/** A part of the rows in the order of their keys, and what is to be told about the rest. */
export const page = Effect.fnUntraced(function* page<T extends AnyTable>(
  table: T,
  where: Where<T>,
  { limit, cursor }: PageRequest,
  descending = false,
) {
  const count = limit ?? usual
  const after = cursor === undefined ? {} : { after: { [table.key]: cursor } as Partial<Row<T>> }
  const found = yield* (yield* Store).list(table, where, { limit: count + 1, descending, ...after })
  const rows = found.slice(0, count)
  const last = rows.at(-1)
  const next_cursor = found.length > count && last !== undefined ? String(Reflect.get(last, table.key)) : null
  const isTold = next_cursor !== null || limit !== undefined || cursor !== undefined
  return { rows, rest: isTold ? { next_cursor } : {} }
})
