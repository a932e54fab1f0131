import type { Outcome } from "../../application/import/decision.ts"
import { codes, type Issue } from "../../application/import/record.ts"
import type { Totals } from "../../application/import/totals.ts"
import { printable } from "./fields.ts"

// The report of a run: one entry for each finding about a record, then the totals. It contains no value of a record except the id.

/** One finding, as `--json` prints it. */
interface Finding {
  readonly type: "record"
  readonly line: number
  readonly source_id: string | null
  readonly status: Outcome["status"]
  readonly field: string
  readonly code: Issue["code"]
  readonly other_line?: number
}

export const findingsOf = ({ entry, status, issues }: Outcome): ReadonlyArray<Finding> =>
  issues.map(({ field, code, other_line }) => ({
    type: "record",
    line: entry.line,
    source_id: entry.record === null ? null : printable(entry.record.source_id, 200),
    status,
    field,
    code,
    ...(other_line === undefined ? {} : { other_line }),
  }))

export const textOf = ({ line, source_id, status, field, code, other_line }: Finding): string => {
  const of = other_line === undefined ? "" : ` (line ${other_line})`
  const name = field === "" ? "" : `${field}: `
  return `line ${line}  ${source_id ?? "no id"}  ${status}  ${name}${code}${of}: ${codes[code]}`
}

/** The end of the report. */
export interface Summary {
  readonly run: string
  readonly source: string
  readonly dry_run: boolean
  readonly totals: Totals
  /** The file with the refused records. */
  readonly refused_file: string | null
}

const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none"

export const summaryText = ({ run, source, dry_run, totals, refused_file }: Summary): string => {
  const { passwords, factors, identities } = totals
  const rows = {
    read: totals.read,
    created: totals.created,
    ...(totals.added === 0 ? {} : { "added to users": totals.added }),
    "already there": totals.already_there,
    refused: `${totals.refused}${refused_file === null ? "" : ` (${refused_file})`}`,
    "passwords kept": listed(passwords.kept),
    "passwords to be reset": listed(passwords.reset),
    factors: `${factors.carried} carried, ${factors.dropped} dropped`,
    identities: `${identities.carried} carried, ${identities.dropped} dropped`,
    "fields ignored": listed(totals.ignored),
  }
  const title = dry_run ? `Dry run from ${source}: nothing was stored.` : `Run ${run} from ${source}.`
  return ["", title, ...Object.entries(rows).map(([label, value]) => `  ${label.padEnd(22)}${value}`)].join("\n")
}
