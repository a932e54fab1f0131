import { type DateTime, Schema, SchemaAST } from "effect"

/** An index: one field, or several fields that are queried together. */
type Index<F extends string> = F | ReadonlyArray<F>

/**
 * What the columns of a table of users contain. An export of a user has the `personal` columns; `secret` ones prove something to a server,
 * `other` ones are internal, or about another person.
 */
export interface DataKinds<F extends string = string> {
  readonly personal?: ReadonlyArray<F>
  readonly secret?: ReadonlyArray<F>
  readonly other?: ReadonlyArray<F>
  /** The indexed column with the id of the user, if the rows reference no user because they outlive them. */
  readonly user?: F
  /** The key, or an indexed column, with the email address or the number of a person, of rows that reference no user. */
  readonly address?: F
}

/**
 * The declaration of a stored record. Stores derive their schema from it. Member names are column names.
 */
export interface Table<
  R,
  K extends keyof R & string,
  I extends keyof R & string,
  Refs extends References,
  S extends string = never,
  E extends string | undefined = string | undefined,
> {
  readonly name: string
  readonly schema: Schema.Codec<R, any>
  readonly fields: Schema.Struct.Fields
  readonly key: K
  readonly unique: ReadonlyArray<Index<I>>
  readonly indexed: ReadonlyArray<Index<I>>
  /** The tables that the fields of a row reference by key, by field. Removing a row removes the rows that reference it. */
  readonly references: Refs
  /** Short texts derived from a row, for search by prefix. Stores keep them in indexed columns that no query returns. */
  readonly searched: Readonly<Record<S, (row: any) => string | null>>
  /** The column with the time from which a row counts as expired (`live.ts`); the sweeper removes it then. */
  readonly expires: E
  /**
   * The purposes that the values of sealed fields are encrypted for (`Keys.seal`), by field: `secret rotate` seals the values again. If a
   * field is indexed, every start checks its values and fails when the secret of one is missing; values that expire within a day need no
   * index.
   */
  readonly sealed: Readonly<Record<string, string>>
  /** Values that no rotation can renew, since they are HMACs under a key of the service's secret: `secret rotate` counts their rows. */
  readonly keyed: Keyed<any> | undefined
  /**
   * The fields by which a store on several servers distributes the rows. Every unique index has to begin with them. Undefined: the rows
   * stay on one server. Default: the key if it is a hash and no other index is unique.
   */
  readonly shardKey: ReadonlyArray<string> | undefined
  /**
   * The values of required columns that the table got while it was in use, for rows that were written without them: constants, or computed
   * from the row. No query can select or sort by such a column.
   */
  readonly added: Readonly<Record<string, unknown>>
  /** Whether the rows only record what happened. Such rows do not show that a user's account was used, so `import undo` ignores them. */
  readonly isLog: boolean
  /** The kind of each column, for tables whose rows belong to a user (`domain/users/owned-rows.ts`). No export has an undeclared one. */
  readonly data: DataKinds
  /**
   * Whether the rows expire and have a UUID of version 7 as their key, so that the keys of a month are a range: a store may keep the rows of
   * each month together and drop them at once, up to a month after they have expired. Only the key is unique.
   */
  readonly isByMonth: boolean
}

/** The values of required columns in rows that were written without them, by earlier versions. */
type Added<R> = { readonly [N in keyof R & string]?: null extends R[N] ? never : R[N] | ((row: Omit<R, N>) => R[N]) }

interface Keyed<R> {
  readonly isIn: (row: R) => boolean
  /** Describes the values, and what their users have to do. */
  readonly description: string
}

type References = Readonly<Record<string, AnyTable>>
export type AnyTable = Table<any, any, any, any, any>
/** A table whose rows expire. */
export type ExpiringTable = Table<any, any, any, any, any, string>
export type Row<T extends AnyTable> = T["schema"]["Type"]
export type Key<T extends AnyTable> = Row<T>[T["key"]]
type IndexedField<T extends AnyTable> =
  T extends Table<infer _R, infer K, infer I, infer Refs, infer _S> ? K | I | (keyof Refs & string) : never
type SearchedField<T extends AnyTable> = T extends Table<infer _R, infer _K, infer _I, infer _Refs, infer S> ? S : never

/**
 * Only the key and indexed fields can be queried, so no store ever scans a table. Null finds the rows without a searched text, also those
 * that were written before the table got it.
 */
export type Where<T extends AnyTable> = {
  readonly [F in IndexedField<T> | SearchedField<T>]?: F extends IndexedField<T> ? Row<T>[F] : null
}

/** Fields that can be searched by prefix: searched texts, and text fields that an index begins with. */
export type TextField<T extends AnyTable> =
  | SearchedField<T>
  | { [F in IndexedField<T>]: Row<T>[F] extends string | null ? F : never }[IndexedField<T>]

/** The columns that always contain a moment. */
type Timestamp<R> = { [F in keyof R & string]: R[F] extends DateTime.Utc ? F : never }[keyof R & string]

export const make = <
  const Fields extends Schema.Struct.Fields,
  const K extends keyof Schema.Struct.Type<Fields> & string,
  const I extends keyof Schema.Struct.Type<Fields> & string = never,
  const Refs extends References = Record<never, AnyTable>,
  const S extends string = never,
  const E extends Timestamp<Schema.Struct.Type<Fields>> | undefined = undefined,
>(
  name: string,
  schema: Schema.Struct<Fields>,
  options: {
    readonly key: K
    readonly unique?: ReadonlyArray<Index<I>>
    readonly indexed?: ReadonlyArray<Index<I>>
    readonly references?: Refs
    readonly searched?: Readonly<Record<S, (row: Schema.Struct.Type<Fields>) => string | null>>
    readonly expires?: E
    readonly sealed?: { readonly [F in keyof Schema.Struct.Type<Fields> & string]?: string }
    readonly keyed?: Keyed<Schema.Struct.Type<Fields>>
    readonly shardKey?: ReadonlyArray<keyof Schema.Struct.Type<Fields> & string>
    readonly added?: Added<Schema.Struct.Type<Fields>>
    readonly isLog?: boolean
    readonly data?: DataKinds<keyof Schema.Struct.Type<Fields> & string>
    readonly isByMonth?: boolean
  },
): Table<Schema.Struct.Type<Fields>, K, I, Refs, S, E> => {
  const table = {
    name,
    schema: schema as unknown as Schema.Codec<Schema.Struct.Type<Fields>, any>,
    fields: schema.fields,
    key: options.key,
    unique: options.unique ?? [],
    indexed: options.indexed ?? [],
    references: options.references ?? ({} as Refs),
    searched: options.searched ?? ({} as Record<S, never>),
    expires: options.expires as E,
    sealed: (options.sealed ?? {}) as Readonly<Record<string, string>>,
    keyed: options.keyed,
    shardKey: options.shardKey ?? (options.key === "hash" && options.unique === undefined ? ["hash"] : undefined),
    added: options.added ?? {},
    isLog: options.isLog ?? false,
    data: options.data ?? {},
    isByMonth: options.isByMonth ?? false,
  }
  if (table.isByMonth && (table.expires === undefined || table.unique.length > 0))
    throw new Error(`table ${name}: rows by month have to expire, and only their key is unique`)
  const searched = [table.key, ...indexes(table).flatMap(({ fields }) => fields)].find((field) => field in table.added)
  if (searched !== undefined) throw new Error(`table ${name}: rows without the added column ${searched} would not be found by it`)
  return table
}

/** A row as JSON, for stores without column types. */
export const codec = <T extends AnyTable>(table: T): Schema.Codec<Row<T>, Record<string, unknown>> =>
  Schema.toCodecJson(table.schema) as unknown as Schema.Codec<Row<T>, Record<string, unknown>>

/** Derives a value from each table once: stores need it for every query. */
const once = <A>(derive: (table: AnyTable) => A): ((table: AnyTable) => A) => {
  const known = new WeakMap<AnyTable, A>()
  return (table) => {
    const value = known.get(table) ?? derive(table)
    known.set(table, value)
    return value
  }
}

interface DeclaredIndex {
  readonly fields: ReadonlyArray<string>
  readonly unique: boolean
}

/** All indexes of a table: the unique ones, the declared ones, and one for each reference, for each searched text and for the expiry. */
export const indexes = once((table): ReadonlyArray<DeclaredIndex> => {
  const list = (unique: boolean) => (index: Index<string>) => ({ fields: typeof index === "string" ? [index] : index, unique })
  const declared = [...table.unique.map(list(true)), ...table.indexed.map(list(false))]
  const implied = [
    ...Object.keys(table.references),
    ...Object.keys(table.searched),
    ...(table.expires === undefined ? [] : [table.expires]),
  ]
  const leads = (field: string) => field === table.key || declared.some(({ fields }) => fields[0] === field)
  return [...declared, ...implied.filter((field) => !leads(field)).map(list(false))]
})

/** The type of a column, independent of the database. Values that fit no other kind are `json`. */
export type ColumnKind = "text" | "integer" | "number" | "boolean" | "timestamp" | "json"
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  /** Whether stored rows can have null here, as rows without a column that was added later. */
  readonly nullable: boolean
}

/** The columns of a table, derived from its schema. */
export const columns = once(
  (table): ReadonlyArray<Column> =>
    Object.entries(table.fields).map(([name, field]) => {
      const types = members(Schema.toType(field).ast)
      const present = types.filter((type) => !SchemaAST.isNull(type))
      const kinds = new Set(present.map(kindOf))
      const [kind = "json"] = kinds
      return { name, kind: kinds.size === 1 ? kind : "json", nullable: present.length < types.length || name in table.added }
    }),
)

/** Gives a stored row the values of the columns that it was written without; undefined if the table has no such columns. */
export const completion = ({ added }: AnyTable): ((row: Record<string, unknown>) => void) | undefined => {
  const columns = Object.entries(added)
  if (columns.length === 0) return undefined
  return (row) => {
    for (const [name, value] of columns) if (row[name] === null) row[name] = typeof value === "function" ? value(row) : value
  }
}

/** The columns of the searched texts. */
export const searchedColumns = (table: AnyTable): ReadonlyArray<Column> =>
  Object.keys(table.searched).map((name) => ({ name, kind: "text", nullable: true }))

/** The searched texts of a row. */
export const searchedOf = (table: AnyTable, row: Readonly<Record<string, unknown>>): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries<(row: unknown) => string | null>(table.searched).map(([name, of]) => [name, of(row)]))

const members = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => (SchemaAST.isUnion(ast) ? ast.types.flatMap(members) : [ast])

const kindOf = (ast: SchemaAST.AST): ColumnKind => {
  if (SchemaAST.isString(ast) || (SchemaAST.isLiteral(ast) && typeof ast.literal === "string")) return "text"
  if (SchemaAST.isBoolean(ast) || (SchemaAST.isLiteral(ast) && typeof ast.literal === "boolean")) return "boolean"
  if (SchemaAST.isNumber(ast)) return ast.checks?.some((check) => represents(check.annotations, "isInt")) ? "integer" : "number"
  return SchemaAST.isDeclaration(ast) && represents(ast.annotations, "DateTimeUtc") ? "timestamp" : "json"
}

const represents = (annotations: Schema.Annotations.Annotations | undefined, name: string) =>
  (annotations?.representation as { readonly id?: string } | undefined)?.id === `effect/schema/${name}`
