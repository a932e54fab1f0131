import { createHash } from "node:crypto"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { DateTime, Schema } from "effect"
import type { AnyTable, ColumnKind } from "../../domain/ports/table.ts"
import * as Table from "../../domain/ports/table.ts"
import { type ColumnValues, columnValues } from "../column-values.ts"

/** The column types, as the catalog spells them. Text sorts by code point, in every locale of the database. */
const types: Record<ColumnKind, string> = {
  text: 'text COLLATE "C"',
  integer: "bigint",
  number: "double precision",
  boolean: "boolean",
  timestamp: "timestamp with time zone",
  json: "jsonb",
}

/** A column with the encoding of its values. `encode` throws on a value that the server would reject. */
export interface SqlColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** The value of rows that are inserted without the column, as SQL. */
  readonly default?: string
  readonly encode: (value: unknown) => unknown
  /** Undefined where the driver's value is the row's value. */
  readonly decode: ((value: unknown) => unknown) | undefined
}

/** Whether the column contains text. */
export const isText = ({ type }: SqlColumn): boolean => type === types.text

/** The columns of the table's rows. */
export const columns = (table: AnyTable): ReadonlyArray<SqlColumn> => Table.columns(table).map(sqlColumn(table))

/** The columns that the store derives from each row, to search by prefix. */
export const derivedColumns = (table: AnyTable): ReadonlyArray<SqlColumn> => Table.searchedColumns(table).map(sqlColumn(table))

const sqlColumn =
  (table: AnyTable) =>
  ({ name, kind, nullable }: Table.Column): SqlColumn => {
    const { encode, decode } = codecs[kind](columnValues(table, name))
    const encodedNull = nulls[kind]
    return {
      name,
      type: types[kind],
      nullable,
      ...defaultOf(table, name),
      encode: (value) => (value === null && nullable ? encodedNull : encode(value)),
      decode,
    }
  }

/** The constant of an added column. Existing rows have it at once, and so have the rows that an earlier version inserts. */
const defaultOf = ({ added, fields }: AnyTable, name: string): { readonly default?: string } => {
  const value = added[name]
  if (value === undefined || typeof value === "function") return {}
  const json = Schema.encodeUnknownSync(Schema.toCodecJson(fields[name] as Schema.Codec<unknown>))(value)
  return { default: typeof json === "number" || typeof json === "boolean" ? String(json) : literal(json) }
}

const literal = (json: unknown) => `'${(typeof json === "string" ? json : JSON.stringify(json)).replaceAll("'", "''")}'`

const codecs: Record<ColumnKind, (values: ColumnValues) => Pick<SqlColumn, "encode" | "decode">> = {
  text: ({ text }) => ({ encode: (value) => PgTypes.text(text(value)), decode: undefined }),
  integer: ({ integer }) => ({ encode: (value) => int8(integer(value)), decode: Number }),
  number: ({ number }) => ({ encode: (value) => PgTypes.float8(number(value)), decode: undefined }),
  boolean: ({ boolean }) => ({ encode: (value) => PgTypes.bool(boolean(value)), decode: undefined }),
  timestamp: ({ timestamp }) => ({
    encode: (value) => PgTypes.timestamptz(DateTime.toEpochMillis(timestamp(value))),
    decode: (value) => DateTime.makeUnsafe(value as Date),
  }),
  json: ({ json }) => {
    const { encode, decode } = json()
    return { encode: (value) => JSON.stringify(encode(value)), decode }
  },
}

/** Null is sent with its column's type: otherwise the server would prepare the statement once for each combination of types. */
const nulls: Record<ColumnKind, unknown> = {
  text: PgTypes.text(null),
  integer: PgTypes.int8(null),
  number: PgTypes.float8(null),
  boolean: PgTypes.bool(null),
  timestamp: PgTypes.timestamptz(null),
  json: null,
}

/** The column with the row's revision, which grows with every write. */
export const revisionColumn = "revision"

/** The sequence of all tables' revisions: a row that is removed and added again never gets an earlier revision. */
export const revisionSequence = "sallyport_revision"

/** A whole number as a parameter of type bigint. */
export const int8 = (value: number) => PgTypes.int8(BigInt(value))

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The name of a table or sequence in a statement. Without a schema it is found by the connection's `search_path`, which a pooler of
 * transactions does not keep.
 */
export const qualified = (schema: string | undefined, name: string): string =>
  schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`

/** The index name contains the fields, so that a violation's constraint name identifies the field. */
export const indexName = (table: AnyTable, fields: ReadonlyArray<string>, suffix: "key" | "idx" | "pkey"): string => {
  const name = [table.name, ...fields, suffix].join("__")
  if (Buffer.byteLength(name) <= longestName) return name
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 12)
  return `${name.slice(0, 40)}__${digest}__${suffix}`
}

/** PostgreSQL truncates longer names, and two of them could become equal. */
const longestName = 63
