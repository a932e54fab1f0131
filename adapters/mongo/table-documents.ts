import type { Document } from "mongodb"
import type { ForEachOptions, ListOptions, Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import type { Limits } from "./database.ts"
import type { Stored, TableRows, Where } from "./table-rows.ts"

/** A database operation. Its values are already encoded, so that no invalid value fails in the middle of a commit. */
export type Operation<A> = (limits: Limits) => Promise<A>

/** One step of a commit. Throws `Taken` or `Conflict`. */
export interface Step {
  /** Whether the step is one operation, so that alone it needs no transaction. */
  readonly isSingleOperation: boolean
  readonly run: Operation<void>
  /** The documents of an insert: consecutive inserts into one table are sent together. */
  readonly inserts?: { readonly documents: ReadonlyArray<Stored>; readonly combine: (documents: ReadonlyArray<Stored>) => Step }
}

/** The operations of one table. Building an operation checks and encodes its arguments. */
export interface TableDocuments extends TableRows {
  readonly read: (where: Where) => Operation<Document | null>
  /** The referenced document is at `joinedPath` of the first one. */
  readonly readWithReferenced: (where: Where, field: string, parent: AnyTable) => Operation<Document | undefined>
  /** The other table's documents, one or none, are an array at `joinedPath` of the first one. */
  readonly readWithReferencing: (where: Where, other: TableRows, field: string, rest: Where) => Operation<Document | undefined>
  readonly list: (where: Where, options: ListOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly listForEach: (name: string, values: ReadonlyArray<string>, options: ForEachOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly take: (where: Where) => Operation<Document | null>
  readonly removeAll: (where: Where) => Step
  readonly remove: (key: unknown, expected: number | undefined, before: Where | undefined) => Step
  readonly detach: (key: unknown, expected: number, before: Where | undefined) => Step
  readonly removeEach: (keys: ReadonlyArray<unknown>) => Step
  readonly sweep: (now: Date, limit: number) => Operation<number>
  /** Whether other tables reference this one. */
  readonly hasDependants: boolean
  readonly check: (key: unknown, expected: number, before: Where | undefined) => Step
  /** Keeps other transactions from writing the row until this one ends. */
  readonly lock: (key: unknown, before: Where | undefined) => Operation<void>
  readonly write: (write: Extract<Write, { readonly row: unknown }>) => Step
}
