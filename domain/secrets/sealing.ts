import { Data, Effect, Option, Stream } from "effect"
import { removeVersioned, retryOnConflict, rowsOf, Store, StoreUnavailable, update } from "../ports/store.ts"
import { type AnyTable, indexes } from "../ports/table.ts"
import { secondFactorRemovalsOf } from "../sign-in/credentials.ts"
import { Keys } from "../tokens/keys.ts"
import * as SealedText from "../tokens/sealed-text.ts"
import { Users } from "../users/tables.ts"

// Rotation of sealed values, and detection of missing secrets.

/** A column of sealed values. */
export interface Column {
  readonly table: AnyTable
  readonly field: string
  readonly purpose: string
}

type Row = Readonly<Record<string, unknown>>

/** The columns of sealed values. */
export const columnsOf = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Column> =>
  tables.flatMap((table) => Object.entries(table.sealed).map(([field, purpose]) => ({ table, field, purpose })))

/** The name of a column, with its table. */
export const nameOf = ({ table, field }: Column) => `${table.name}.${field}`
/** The id of the secret under which the row's value of this column is sealed; null in values of earlier versions. */
export const idOf = ({ field }: Column, row: Row): string | null => SealedText.parsed(String(row[field])).id

/** The columns whose values outlive a rotation of the secret. Others expire within a day, so they have no index. */
export const lastingColumns = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Column> =>
  columnsOf(tables).filter(({ table, field }) => indexes(table).some(({ fields }) => fields[0] === field))

/** The result of `rotate` for one column. */
export interface Rotated {
  readonly column: string
  readonly resealed: number
  /** Values that no listed secret opens. */
  readonly unreadable: number
  /** Rows of the column's table with values that no rotation can renew. */
  readonly keyed: { readonly count: number; readonly description: string } | undefined
}

interface RotateOptions {
  /** Removes rows with a value that no listed secret opens. */
  readonly removeUnreadable: boolean
}

const page = 100
const concurrency = 8

/**
 * Seals every value of the tables under the first secret. Each write is conditional on the revision that was read, so the service
 * may run meanwhile; an interrupted run can be repeated.
 */
export const rotate = (tables: ReadonlyArray<AnyTable>, options: RotateOptions) =>
  Effect.forEach(columnsOf(tables), (column) => rotateColumn(column, options))

const rotateColumn = Effect.fnUntraced(function* rotateColumn(column: Column, options: RotateOptions) {
  const { table } = column
  const [newest] = (yield* Keys).ids
  const counts = { current: 0, resealed: 0, unreadable: 0 }
  let keyed = 0
  const rotatePage = Effect.fnUntraced(function* rotatePage(rows: ReadonlyArray<Row>) {
    const due = rows.filter((row) => idOf(column, row) !== newest)
    const rotated = (row: Row) => retryOnConflict(rotateRow(column, row[table.key as string], options))
    for (const outcome of yield* Effect.forEach(due, rotated, { concurrency })) counts[outcome] += 1
    keyed += rows.filter((row) => table.keyed?.isIn(row)).length
  })
  yield* Stream.runForEachArray(rowsOf(table, {}, { limit: page }), rotatePage)
  return {
    column: nameOf(column),
    resealed: counts.resealed,
    unreadable: counts.unreadable,
    keyed: keyed === 0 || table.keyed === undefined ? undefined : { count: keyed, description: table.keyed.description },
  } satisfies Rotated
})

const rotateRow = Effect.fnUntraced(function* rotateRow(
  { table, field, purpose }: Column,
  key: unknown,
  { removeUnreadable }: RotateOptions,
) {
  const store = yield* Store
  const versioned = yield* store.read(table, { [table.key]: key })
  if (Option.isNone(versioned)) return "current"
  const sealed = String(versioned.value.row[field])
  const resealed = yield* (yield* Keys).reseal(purpose, sealed)
  if (Option.isNone(resealed)) {
    if (removeUnreadable)
      yield* store.commit([removeVersioned(table, versioned.value), ...(yield* ownerWrites(table, versioned.value.row))])
    return "unreadable"
  }
  if (resealed.value === sealed) return "current"
  yield* store.commit([update(table, versioned.value, { [field]: resealed.value })])
  return "resealed"
})

/**
 * The writes to the owner of a removed row that belong in the same commit. The row can be a second factor: the user is written, so that a
 * concurrent sign-in fails, and modules remove what depends on the factor.
 */
const ownerWrites = Effect.fnUntraced(function* ownerWrites(table: AnyTable, row: Row) {
  const { user_id } = row
  if (typeof user_id !== "string") return []
  const user = yield* (yield* Store).read(Users, { id: user_id })
  if (Option.isNone(user)) return []
  return [update(Users, user.value, {}), ...(yield* secondFactorRemovalsOf(user.value.row, [table.name]))]
})

/** The values of one column that no listed secret opens. */
export interface Unreadable {
  readonly column: string
  readonly count: number
  /** Whether the count stopped at its limit. */
  readonly more: boolean
}

const mostCounted = 10_000

/**
 * The columns with values that a missing secret makes unreadable. The index allows skipping all values of a listed secret at once, so that
 * a start reads one page for each secret, however many rows there are. Values without the id of a secret are opened one by one.
 */
export const unreadable = Effect.fnUntraced(function* unreadable(tables: ReadonlyArray<AnyTable>) {
  const unreadableValues = yield* Effect.forEach(lastingColumns(tables), unreadableIn)
  return unreadableValues.filter(({ count }) => count > 0)
})

const unreadableIn = Effect.fnUntraced(function* unreadableIn(column: Column) {
  const { table, field, purpose } = column
  const store = yield* Store
  const keys = yield* Keys
  let [tried, count] = [0, 0]
  let after: Row | undefined = { [field]: "", [table.key]: "" }
  while (after !== undefined && tried < mostCounted) {
    const rows: ReadonlyArray<Row> = yield* store.list(table, {}, { limit: page, order: field, after })
    after = rows.length < page ? undefined : rows.at(-1)
    for (const row of rows) {
      const id = idOf(column, row)
      if (id !== null && keys.ids.includes(id)) {
        after = { [field]: SealedText.endOf(id), [table.key]: "" }
        break
      }
      tried += 1
      if (Option.isNone(yield* keys.open(purpose, String(row[field])))) count += 1
    }
  }
  return { column: nameOf(column), count, more: after !== undefined } satisfies Unreadable
})

/** A secret is missing in the configuration, and stored values are sealed with it. */
export class SecretMissing extends Data.TaggedError("SecretMissing")<{ readonly unreadable: ReadonlyArray<Unreadable> }> {
  override get message() {
    return `secret: ${missingSecretMessage(this.unreadable)}`
  }
}

/** Says what is wrong and how to fix it. */
export const missingSecretMessage = (unreadable: ReadonlyArray<Unreadable>): string =>
  `none of the listed secrets can decrypt ${described(unreadable)}; list the removed secret again after the others, run \`npm start -- secret rotate\`, and remove it then (if it is lost, \`secret rotate --remove-unreadable\` removes these values)`

const described = (unreadable: ReadonlyArray<Unreadable>) =>
  unreadable
    .map(({ column, count, more }) => `${count}${more ? " or more" : ""} ${count === 1 && !more ? "value" : "values"} of ${column}`)
    .join(", ")

/** Fails if stored values are sealed with a secret that is missing in the configuration. */
export const demandSecrets = (tables: ReadonlyArray<AnyTable>) =>
  unreadable(tables).pipe(
    Effect.flatMap((unreadableValues) =>
      unreadableValues.length === 0 ? Effect.void : Effect.fail(new SecretMissing({ unreadable: unreadableValues })),
    ),
    Effect.catchDefect((defect) => (defect instanceof StoreUnavailable ? Effect.fail(defect) : Effect.die(defect))),
  )
