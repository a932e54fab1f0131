import { DateTime, Predicate, Schema } from "effect"
import { isStorable, UnstorableText } from "../domain/ports/store.ts"
import type { AnyTable } from "../domain/ports/table.ts"
import { fault, isStorableJson } from "../domain/storage/query-checks.ts"

/** The values of a column. The type of each is checked before it reaches the driver: no value can be an operator. */
export const columnValues = (table: AnyTable, name: string) => {
  const checked =
    <A>(is: (value: unknown) => value is A, wanted: string) =>
    (value: unknown): A => {
      if (!is(value)) throw fault(table, `${name} is ${wanted}`)
      return value
    }
  const storable = <A>(value: A, isStored: (value: A) => boolean): A => {
    if (!isStored(value)) throw new UnstorableText({ table: table.name, field: name })
    return value
  }
  const text = checked(Predicate.isString, "not a text")
  return {
    text: (value: unknown) => storable(text(value), isStorable),
    integer: checked(isWhole, "not a whole number"),
    number: checked(Predicate.isNumber, "not a number"),
    boolean: checked(Predicate.isBoolean, "neither true nor false"),
    timestamp: checked(DateTime.isDateTime, "not a time"),
    json: () => {
      const codec = Schema.toCodecJson(table.fields[name] as Schema.Codec<unknown>)
      const encode = Schema.encodeUnknownSync(codec)
      return { encode: (value: unknown) => storable(encode(value), isStorableJson), decode: Schema.decodeUnknownSync(codec) }
    },
  }
}
export type ColumnValues = ReturnType<typeof columnValues>

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
