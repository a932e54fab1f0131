import { Console, DateTime, Effect } from "effect"
import { oneLine, printable } from "../printable.ts"

type Cell = string | number | boolean | null | DateTime.Utc

type Row = Readonly<Record<string, Cell>>

/** Prints rows for a program, one JSON object a line, or for people: on a terminal as a table with names, otherwise separated by tabs. */
export const printRows = (rows: ReadonlyArray<Row>, json: boolean, isTerminal = process.stdout.isTTY === true) => {
  if (rows.length === 0) return Effect.void
  if (json) return Console.log(rows.map((row) => JSON.stringify(row)).join("\n"))
  const cells = rows.map((row) => Object.values(row).map(textOf))
  return Console.log((isTerminal ? tableOf([Object.keys(rows[0] ?? {}), ...cells]) : cells.map((row) => row.join("\t"))).join("\n"))
}

/** Lines whose columns are aligned. */
const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** Prints one object: as JSON, or a line for each member. */
export const printRecord = (record: Row, json: boolean) =>
  Console.log(
    json
      ? JSON.stringify(record)
      : Object.entries(record)
          .map(([name, value]) => `${name.padEnd(16)}${textOf(value)}`)
          .join("\n"),
  )

/** Prints what a command did: a sentence, or its result as JSON. */
export const printResult = (sentence: string, result: Row, json: boolean) => Console.log(json ? JSON.stringify(result) : sentence)

/** Names come from users: control characters could change what a terminal shows. */
const textOf = (value: Cell): string => {
  if (value === null) return "-"
  return DateTime.isDateTime(value) ? DateTime.formatIso(value) : oneLine(printable(String(value)))
}
