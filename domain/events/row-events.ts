import type { Operation } from "../policies.ts"
import type { Write } from "../ports/store.ts"
import type { AnyTable, Row } from "../ports/table.ts"
import type { Happening } from "./security-event.ts"

/** A change of one row by a commit: `before` is null for a new row, `after` for a removed one. */
export type Change<R> =
  | { readonly before: null; readonly after: R }
  | { readonly before: R; readonly after: R }
  | { readonly before: R; readonly after: null }

/** The commit that a change belongs to. */
export interface Committing {
  readonly operation: Operation
  readonly writes: ReadonlyArray<Write>
}

/** What the changes of a table's rows mean for security. */
export interface RowEvents<out Own extends string = string> {
  readonly table: AnyTable
  readonly of: (change: Change<any>, committing: Committing) => ReadonlyArray<Happening<Own>>
}

/** Declares the events of a table. Events are derived from the rows that a commit writes, so handlers contain no code for them. */
export const rowEvents = <T extends AnyTable, Own extends string = never>(
  table: T,
  of: (change: Change<Row<T>>, committing: Committing) => ReadonlyArray<Happening<Own>>,
): RowEvents<Own> => ({ table, of })

/** The names of the fields that differ. */
export const changedFields = <R extends object>(before: R, after: R, fields: ReadonlyArray<keyof R & string>): ReadonlyArray<string> =>
  fields.filter((field) => before[field] !== after[field])
