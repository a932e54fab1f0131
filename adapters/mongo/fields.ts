import { DateTime } from "effect"
import type { AnyTable, ColumnKind } from "../../domain/ports/table.ts"
import * as Table from "../../domain/ports/table.ts"
import { fault } from "../../domain/storage/query-checks.ts"
import { type ColumnValues, columnValues } from "../column-values.ts"

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
    const { encode, decode } = codecs[kind](columnValues(table, name))
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

const codecs: Record<ColumnKind, (values: ColumnValues) => Codec> = {
  text: ({ text }) => ({ encode: text }),
  integer: ({ integer }) => ({ encode: integer }),
  number: ({ number }) => ({ encode: number }),
  boolean: ({ boolean }) => ({ encode: boolean }),
  timestamp: ({ timestamp }) => ({
    encode: (value) => DateTime.toDateUtc(timestamp(value)),
    decode: (value) => DateTime.makeUnsafe(value as Date),
  }),
  json: ({ json }) => {
    const { encode, decode } = json()
    return { encode: (value) => renamed(encode(value), escaped), decode: (value) => decode(renamed(value, unescaped)) }
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
