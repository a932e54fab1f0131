import type { AnyTable } from "../../../domain/ports/table.ts"
import type { Change as PlannedChange } from "../../kinds/store.ts"

/** What a schema of the database contains, read from its catalog. */
export interface Catalog {
  readonly name: string
  /** The configured schema; undefined if the `search_path` of the connection selects it. */
  readonly schema: string | undefined
  /** Whether tables whose rows are kept by month are to be partitioned. */
  readonly isPartitioned: boolean
  readonly exists: boolean
  readonly columns: ReadonlyArray<CatalogColumn>
  readonly indexes: ReadonlyArray<CatalogIndex>
  readonly sequence: boolean
  /** The schema version of the code that migrated the database last. */
  readonly version: DatabaseVersion
  /** How large the tables are, by name. */
  readonly sizes: ReadonlyMap<string, TableSize>
  /** The tables of the partitions, by the name of the partition. */
  readonly partitions: ReadonlyMap<string, string>
  /** What has the name of a declared table. */
  readonly occupants: ReadonlyArray<{ readonly name: string; readonly kind: string }>
}

export interface DatabaseVersion {
  readonly version: number
  readonly oldest: number
}

export interface TableSize {
  /** An estimate of the database; negative if it was never analysed. */
  readonly rows: number
  readonly bytes: number
  readonly isPartitioned: boolean
}

export interface CatalogColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Whether an INSERT without this column gives it a value. */
  readonly hasDefault: boolean
  /** Whether its default is the next value of our sequence. */
  readonly isRevision: boolean
}

export interface CatalogIndex {
  readonly table: string
  readonly name: string
  readonly fields: ReadonlyArray<string>
  readonly unique: boolean
  readonly primary: boolean
  /** Whether the index covers all rows and has only plain columns. */
  readonly isComplete: boolean
  /** Whether the index is fully built. */
  readonly isValid: boolean
}

/** A statement that makes the database match the declared tables. */
export interface Change extends PlannedChange {
  /** The index it creates. */
  readonly creates?: string
  /** The table in use that it locks against everything, for an instant. */
  readonly locks?: string
  /** Whether reads and writes go on while it runs; it cannot be part of a transaction. */
  readonly isConcurrent?: boolean
  /** Whether the database accepts more afterwards. Later code may have had a reason not to. */
  readonly isRelaxing?: boolean
  /** Whether it notes that all other changes are made. */
  readonly isVersion?: boolean
}

/** A declared table, its schema, and its name in a statement. */
export interface Place {
  readonly table: AnyTable
  readonly schema: string | undefined
  readonly name: string
  /** Undefined for a table that does not exist yet. */
  readonly size: TableSize | undefined
}
