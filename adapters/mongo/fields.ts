import { DateTime, Schema } from "effect"
import { isStorable, UnstorableText } from "../../domain/ports/store.ts"
import type { AnyTable, ColumnKind } from "../../domain/ports/table.ts"
import * as Table from "../../domain/ports/table.ts"
import { fault, isStorableJson } from "../../domain/storage/query-checks.ts"

/** A column as a document path, with the encoding of its values. */
export interface Field {
  readonly name: string
  readonly path: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  readonly encode: (value: unknown) => unknown
  readonly decode: (value: unknown) => unknown
}

/** The revision, which grows with every write. */
export const revisionPath = "revision"
/** Counts the commits that checked the row. */
export const checksPath = "checks"
/** The path of a row that `$lookup` joins. */
export const joinedPath = "joined_row"

const reservedNames = ["_id", revisionPath, checksPath, joinedPath]

/** The columns of the table's rows. */
export const fields = (table: AnyTable): ReadonlyArray<Field> => Table.columns(table).map(fieldOf(table))

/** The columns that the store derives from each row, to search by prefix. */
export const derivedFields = (table: AnyTable): ReadonlyArray<Field> => Table.searchedColumns(table).map(fieldOf(table))

const fieldOf =
  (table: AnyTable) =>
  ({ name, kind, nullable }: Table.Column): Field => {
    if (reservedNames.includes(name)) throw fault(table, `the name ${name} is taken`)
    const { encode, decode } = codecs[kind](table, name)
    return {
      name,
      path: name === table.key ? "_id" : name,
      kind,
      nullable,
      encode: (value) => (value === null && nullable ? null : encode(value)),
      decode: (value) => {
        if (value !== null && value !== undefined) return decode === undefined ? value : decode(value)
        // A document that was written before the column was declared does not have it.
        if (nullable) return null
        throw fault(table, `a document has no ${name}`)
      },
    }
  }

interface Codec {
  readonly encode: (value: unknown) => unknown
  /** Undefined where the driver's value is the row's value. */
  readonly decode?: (value: unknown) => unknown
}

// The type of each value is checked before it reaches the driver: no value can be an operator.
const codecs: Record<ColumnKind, (table: AnyTable, name: string) => Codec> = {
  text: (table, name) => ({
    encode: (value) => {
      if (typeof value !== "string") throw fault(table, `${name} is not a text`)
      if (!isStorable(value)) throw new UnstorableText({ table: table.name, field: name })
      return value
    },
  }),
  integer: (table, name) => ({
    encode: (value) => {
      if (!Number.isSafeInteger(value)) throw fault(table, `${name} is not a whole number`)
      return value
    },
  }),
  number: (table, name) => ({
    encode: (value) => {
      if (typeof value !== "number") throw fault(table, `${name} is not a number`)
      return value
    },
  }),
  boolean: (table, name) => ({
    encode: (value) => {
      if (typeof value !== "boolean") throw fault(table, `${name} is neither true nor false`)
      return value
    },
  }),
  timestamp: (table, name) => ({
    encode: (value) => {
      if (!DateTime.isDateTime(value)) throw fault(table, `${name} is not a time`)
      return DateTime.toDateUtc(value)
    },
    decode: (value) => DateTime.makeUnsafe(value as Date),
  }),
  json: (table, name) => {
    const codec = Schema.toCodecJson(table.fields[name] as Schema.Codec<unknown>)
    const [encode, decode] = [Schema.encodeUnknownSync(codec), Schema.decodeUnknownSync(codec)]
    return {
      encode: (value) => {
        const json = encode(value)
        if (!isStorableJson(json)) throw new UnstorableText({ table: table.name, field: name })
        return renamed(json, escaped)
      },
      decode: (value) => decode(renamed(value, unescaped)),
    }
  },
}

/** Names of JSON members that the driver or the server would interpret; they are escaped. */
const special = /^\\*(\$|_bsontype$)/
const escaped = (name: string) => (special.test(name) ? `\\${name}` : name)
const unescaped = (name: string) => (name.startsWith("\\") && special.test(name) ? name.slice(1) : name)

const renamed = (json: unknown, rename: (name: string) => string): unknown => {
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.map((value) => renamed(value, rename))
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [rename(name), renamed(value, rename)]))
}
