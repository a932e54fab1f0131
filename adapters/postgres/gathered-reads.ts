import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "./database.ts"
import type { UniqueRead } from "./table-sql.ts"

type Values = ReadonlyArray<unknown>

interface Reader {
  readonly value: string
  readonly resume: (rows: Effect.Effect<ReadonlyArray<Values>, SqlError.SqlError>) => void
}

/**
 * Reads rows by the values of a unique field. Reads that start in one turn of the event loop are one statement: for the database, a row more
 * in a statement is a tenth of the work of another statement.
 */
export const gatheredReads = ({ withShared }: Pick<Database["Service"], "withShared">) => {
  const open = new Map<string, Array<Reader>>()

  const begin = (read: UniqueRead, first: Reader) => {
    const readers = [first]
    open.set(read.text, readers)
    const close = () => {
      if (open.get(read.text) === readers) open.delete(read.text)
    }
    setImmediate(close)
    const run = (connection: PgConnection) => {
      close()
      return connection.queryValues(read.text, [[...new Set(readers.map(({ value }) => value))]])
    }
    Effect.runFork(Effect.map(withShared(run), (rows) => byValue(rows, read.column))).addObserver((exit) => {
      for (const { value, resume } of readers) resume(Effect.map(exit, (found) => found.get(value) ?? none))
    })
  }

  return (read: UniqueRead, value: string) =>
    Effect.callback<ReadonlyArray<Values>, SqlError.SqlError>((resume) => {
      const readers = open.get(read.text)
      if (readers === undefined) begin(read, { value, resume })
      else readers.push({ value, resume })
    })
}

const none: ReadonlyArray<Values> = []

const byValue = (rows: ReadonlyArray<Values>, column: number) => new Map(rows.map((row) => [row[column], [row]]))
