import { Schema } from "effect"
import * as Table from "../../domain/storage/table.ts"
import { Users } from "../../domain/storage/tables.ts"
import { Totals } from "./totals.ts"

const ImportRun = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  /** Identifies the file, so that a run continues with no other. */
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

const ImportRecord = Schema.Struct({
  /** The source, and the id there. */
  key: Schema.String,
  run_id: Schema.String,
  user_id: Schema.String,
  line: Schema.Int,
  /** Whether the record made the user, or added credentials to one. */
  kind: Schema.Literals(["user", "addition"]),
  /** The ids of the linked accounts that an addition added. */
  accounts: Schema.Array(Schema.String),
  /** Whether an addition added an authenticator app. */
  totp: Schema.Boolean,
  created_at: Schema.DateTimeUtc,
})
export interface ImportRecord extends Schema.Schema.Type<typeof ImportRecord> {}

/** Which user came from which record. A removed user takes the row along. */
export const ImportRecords = Table.make("import_record", ImportRecord, {
  key: "key",
  indexed: [["run_id", "key"]],
  references: { user_id: Users },
})

export const tables = [ImportRuns, ImportRecords]

/** The key of the record that made a user. */
export const userKey = (source: string, source_id: string) => `${source}:user:${source_id}`

/** The key of a record that adds to a user; the id names the record of the run. */
export const additionKey = (source: string, source_id: string, run_id: string, position: number) =>
  `${source}:addition:${run_id}:${position}:${source_id}`
