import type { Document } from "mongodb"
import type { ForEachOptions, ListOptions, Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { Limits } from "./database.ts"
import type { Stored, TableRows, Where } from "./table-rows.ts"

/** Something for the database to do; values are encoded, so that nothing it refuses can come up halfway. */
export type Operation<A> = (limits: Limits) => Promise<A>

/** A part of a commit. Throws `Taken` or `Conflict`. */
export interface Step {
  /** Whether one operation does it, so that it needs no transaction. */
  readonly isSingleOperation: boolean
  readonly run: Operation<void>
  /** The documents of an insert: those of one table that follow one another travel together. */
  readonly inserts?: { readonly documents: ReadonlyArray<Stored>; readonly combine: (documents: ReadonlyArray<Stored>) => Step }
}

/** The operations of one table. Making one checks and encodes what it was given. */
export interface TableDocuments extends TableRows {
  readonly read: (where: Where) => Operation<Document | null>
  /** The followed document stands in the first one. */
  readonly readWithReferenced: (where: Where, field: string, parent: AnyTable) => Operation<Document | undefined>
  /** The other table's documents, one or none, stand in the first one. */
  readonly readWithReferencing: (where: Where, other: TableRows, field: string, rest: Where) => Operation<Document | undefined>
  readonly list: (where: Where, options: ListOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly listForEach: (name: string, values: ReadonlyArray<string>, options: ForEachOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly take: (where: Where) => Operation<Document | null>
  readonly removeAll: (where: Where) => Step
  readonly remove: (key: unknown, expected: number | undefined) => Step
  readonly detach: (key: unknown, expected: number) => Step
  readonly removeEach: (keys: ReadonlyArray<unknown>) => Step
  readonly sweep: (now: Date, limit: number) => Operation<number>
  /** Whether other tables hold keys of this one. */
  readonly hasDependants: boolean
  readonly check: (key: unknown, expected: number) => Step
  /** Keeps everybody else from writing the row until the transaction is over. */
  readonly lock: (key: unknown) => Operation<void>
  readonly write: (write: Extract<Write, { readonly row: unknown }>) => Step
}
