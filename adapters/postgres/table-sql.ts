import type { ForEachOptions, ListOptions, Write } from "../../domain/ports/store.ts"
import type { TableRows, Where } from "./table-rows.ts"

/** A statement with its parameters. The text depends only on the table and the shape of the query, so each connection prepares it once. */
export interface Sql {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** A statement that reads the rows of a list of values, its only parameter, by a unique text field. */
export interface UniqueRead {
  readonly text: string
  /** The position of the field in the values of a result. */
  readonly column: number
}

/** The SQL of one table. Texts are built once and cached; a call only encodes its values. */
export interface TableSql extends TableRows {
  readonly read: (where: Where) => Sql
  readonly readWithReferenced: (where: Where, field: string, parent: TableRows) => Sql
  /** `read` for many values. Undefined if the condition is not that one text equals a field that is unique by itself. */
  readonly uniqueRead: (where: Where) => UniqueRead | undefined
  /** `readWithReferenced` for many values. */
  readonly uniqueReadWithReferenced: (where: Where, field: string, parent: TableRows) => UniqueRead | undefined
  readonly readWithReferencing: (where: Where, other: TableRows, field: string, rest: Where) => Sql
  readonly list: (where: Where, options: ListOptions<any>) => Sql
  /** The first column of each result is the position, from 1, of the value that the row is listed for. */
  readonly listForEach: (field: string, values: ReadonlyArray<string>, options: ForEachOptions<any>) => Sql
  /** The last statement removes and returns the row; the statements before it remove the rows that reference it. */
  readonly take: (where: Where) => ReadonlyArray<Sql>
  readonly removeAll: (where: Where) => ReadonlyArray<Sql>
  readonly remove: (key: unknown, expected: number | undefined) => ReadonlyArray<Sql>
  readonly detach: (key: unknown, expected: number) => Sql
  readonly removeEach: (keys: ReadonlyArray<unknown>) => ReadonlyArray<Sql>
  readonly due: (now: Date, limit: number) => Sql
  /** From the table, or from one of its partitions. */
  readonly removeDue: (now: Date, limit: number, from?: string) => Sql
  readonly removeKeys: (keys: ReadonlyArray<unknown>, now: Date) => ReadonlyArray<Sql>
  readonly lock: (key: unknown) => Sql
  readonly check: (key: unknown, expected: number) => Sql
  readonly write: (write: Extract<Write, { readonly row: unknown }>) => Sql
  /** Adds a row if the check matches its row, in one statement; the checked row stays locked until the new row is added. */
  readonly insertUnder: (check: Sql, row: Where) => Sql
}
