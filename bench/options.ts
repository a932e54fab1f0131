// What a run of the benchmark measures: command line and environment. README.md lists the values.

import { parseArgs } from "node:util"

const words = (text: string | undefined): ReadonlyArray<string> => (text ?? "").split(/[\s,]+/).filter((word) => word !== "")
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean", default: false } } })

const one = <A extends string>(name: string, choices: ReadonlyArray<A>, normal: A): A => {
  const value = process.env[name] ?? normal
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new Error(`${name} is ${value}, wanted ${choices.join(", ")}`)
  return found
}

const whole = (name: string, normal: number): number => {
  const value = Number(process.env[name] ?? normal)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} is ${process.env[name]}, wanted a whole number of at least 1`)
  return value
}

export type StoreKind = "postgres" | "mongo" | "embedded"

/** Names of operations; `all` stands for every one. Empty: the short default run. */
export const wanted = positionals
/** Prints one JSON object per result instead of text. */
export const json = values.json
export const store = one<StoreKind>("BENCH_STORE", ["postgres", "mongo", "embedded"], "postgres")
/** Counted rounds of each side. */
export const rounds = whole("BENCH_ROUNDS", 7)
/** The length of a round. */
export const seconds = whole("BENCH_SECONDS", 5)
/** Rounds of each side that are not counted: V8 compiles the code during them. */
export const warmUps = whole("BENCH_WARM_UPS", 2)
/** Whether the server has all modules, or only those that the measured operations need. */
export const allModules = one("BENCH_MODULES", ["needed", "all"], "needed") === "all"
/** Numbers of users in the store; one database and one server for each. Empty: 256 users who signed up. */
export const sizes = words(process.env["BENCH_USERS"]).map(Number)
/** Sides beside the server with one process. */
export const sides: ReadonlyArray<string> = [
  ...words(process.env["BENCH_SIDES"] ?? "floor hashes"),
  ...(process.env["BENCH_AUDIT"] === "1" ? ["audit"] : []),
]
