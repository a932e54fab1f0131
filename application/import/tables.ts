import { Schema } from "effect"
import * as Table from "../../domain/ports/table.ts"
import { Users } from "../../domain/users/tables.ts"
import { Totals } from "./totals.ts"

const ImportRun = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  /** Identifies the file, so that a run cannot continue with another one. */
  fingerprint: Schema.String,
  /** Records of the file that are committed. */
  position: Schema.Int,
  /** Length of the file of refused records when they were committed. */
  refused_bytes: Schema.Int,
  totals: Totals,
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
  finished_at: Schema.NullOr(Schema.DateTimeUtc),
  undone_at: Schema.NullOr(Schema.DateTimeUtc),
})
export interface ImportRun extends Schema.Schema.Type<typeof ImportRun> {}

/** The runs of `import users`. */
export const ImportRuns = Table.make("import_run", ImportRun, { key: "id" })

const MadeRow = Schema.Struct({
  table: Schema.String,
  key: Schema.String,
  /** The hash of the row's content as the import wrote it: `undo` keeps users whose rows have changed since. */
  hash: Schema.String,
})
export interface MadeRow extends Schema.Schema.Type<typeof MadeRow> {}

const ImportRecord = Schema.Struct({
  /** The source, and the record's id in the source. */
  key: Schema.String,
  run_id: Schema.String,
  user_id: Schema.String,
  line: Schema.Int,
  /** Whether the record created the user, or added credentials to one. */
  kind: Schema.Literals(["user", "addition"]),
  /** The rows that the record made. */
  rows: Schema.Array(MadeRow),
  created_at: Schema.DateTimeUtc,
})
export interface ImportRecord extends Schema.Schema.Type<typeof ImportRecord> {}

/** The users of the records. A row is removed with its user. */
export const ImportRecords = Table.make("import_record", ImportRecord, {
  key: "key",
  indexed: [["run_id", "key"]],
  references: { user_id: Users },
  data: { personal: ["key", "created_at"], other: ["run_id", "user_id", "line", "kind", "rows"] },
})

export const tables = [ImportRuns, ImportRecords]

/** The key of the record that created a user. */
export const userKey = (source: string, source_id: string) => `${source}:user:${source_id}`

/** The id of the record that created a user, from its `userKey`. No name of a source has a colon. */
export const sourceIdOf = (key: string): string => key.split(":").slice(2).join(":")

/** The key of a record that adds to a user; run and position make it unique. */
export const additionKey = (source: string, source_id: string, run_id: string, position: number) =>
  `${source}:addition:${run_id}:${position}:${source_id}`
