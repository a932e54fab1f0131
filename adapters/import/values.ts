import { parsedJson } from "../json-text.ts"

/** Parses a value that is JSON in a text, as objects and lists are in a CSV file. */
export const jsonOf = (value: unknown): unknown => (typeof value === "string" ? parsedJson(value) : value)

/** Whether a value is missing. Databases write missing values into CSV files in several ways. */
export const isEmpty = (value: unknown) => value === undefined || value === null || value === "" || value === "NULL" || value === "\\N"

/** The values that mean true and false in databases. */
export const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, "true", "t", "1", 1, "True", "TRUE"].map((value) => [value, true] as const),
  ...[false, "false", "f", "0", 0, "False", "FALSE"].map((value) => [value, false] as const),
])
