import { Console } from "effect"

/** How bad a finding is: only an error changes the exit code. */
export type Level = "ok" | "warn" | "error"

/** The result of one check of `doctor --production`. */
export interface Finding {
  readonly check: string
  readonly level: Level
  /** One sentence, without its full stop. */
  readonly text: string
  readonly remedy?: string
}

export const fine = (check: string, text: string): Finding => ({ check, level: "ok", text })
export const warn = (check: string, text: string, remedy: string): Finding => ({ check, level: "warn", text, remedy })
export const fault = (check: string, text: string, remedy: string): Finding => ({ check, level: "error", text, remedy })

/** Prints a finding: as JSON, or in one line. */
export const print = ({ check, level, text, remedy, ...details }: Finding, json: boolean) =>
  Console.log(
    json
      ? JSON.stringify({ check, level, ok: level !== "error", text, remedy, ...details })
      : `${level.padEnd(5)}  ${check}: ${text}${remedy === undefined ? "" : `; ${remedy}`}`,
  )

/** The findings of a list, or that there is none. */
export const orFine = (findings: ReadonlyArray<Finding>, check: string, text: string): ReadonlyArray<Finding> =>
  findings.length > 0 ? findings : [fine(check, text)]

/** A number of bytes in a unit that fits. */
export const bytesText = (bytes: number): string => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

/** Seconds in a unit that fits. */
export const durationText = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.floor(seconds / 86_400)} days`
}
