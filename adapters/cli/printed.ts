import { Console, DateTime, Effect } from "effect"
import { oneLine, printable } from "../printable.ts"

type Cell = string | number | boolean | null | DateTime.Utc

/** Prints rows for a program, one JSON object a line, or for people, columns separated by tabs. */
export const printRows = (rows: ReadonlyArray<Readonly<Record<string, Cell>>>, json: boolean) => {
  const lines = rows.map((row) => (json ? JSON.stringify(row) : Object.values(row).map(textOf).join("\t")))
  return lines.length === 0 ? Effect.void : Console.log(lines.join("\n"))
}

/** Prints one object: as JSON, or a line for each member. */
export const printRecord = (record: Readonly<Record<string, Cell>>, json: boolean) =>
  Console.log(
    json
      ? JSON.stringify(record)
      : Object.entries(record)
          .map(([name, value]) => `${name.padEnd(16)}${textOf(value)}`)
          .join("\n"),
  )

/** Prints what a command did: a sentence, or its result as JSON. */
export const printResult = (sentence: string, result: Readonly<Record<string, Cell>>, json: boolean) =>
  Console.log(json ? JSON.stringify(result) : sentence)

/** Names come from users: control characters could change what a terminal shows. */
const textOf = (value: Cell): string => {
  if (value === null) return "-"
  return DateTime.isDateTime(value) ? DateTime.formatIso(value) : oneLine(printable(String(value)))
}
