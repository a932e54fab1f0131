import { Cause, DateTime, Effect, type Redacted, type Scope } from "effect"
import type { Verification } from "../../application/modules/audit/verify.ts"
import { Users } from "../../domain/users/tables.ts"
import { BackupFailed } from "../backup-tools.ts"
import { durationText, type Finding, fault, fine, print, warn } from "../doctor/finding.ts"
import type { Change } from "../kinds/store.ts"
import { codes, endingOf } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import { reasonOf } from "../root-cause.ts"

/** The arguments of `backup verify`. */
export interface VerifyOptions {
  /** Undefined: `restored` names a database. */
  readonly file: string | undefined
  /** A server for the copy; undefined: that of the service. */
  readonly server: Redacted.Redacted | undefined
  /** A database that was restored already, and is only read. */
  readonly restored: Redacted.Redacted | undefined
  readonly json: boolean
}

/** What is asked of the restored database. Nothing of the service runs on it, so it sends nothing. */
interface BackupView {
  readonly plan: Effect.Effect<ReadonlyArray<Change>, unknown>
  readonly migrate: Effect.Effect<ReadonlyArray<string>, unknown>
  readonly counts: Effect.Effect<ReadonlyArray<readonly [table: string, rows: number]>, unknown>
  readonly opened: Effect.Effect<ReadonlyArray<{ readonly column: string; readonly opened: number; readonly unreadable: number }>, unknown>
  /** Undefined without an audit log. */
  readonly verifyAudit: Effect.Effect<Verification, unknown> | undefined
}

/** A restored backup, and when it was made. */
export interface Copy {
  readonly view: BackupView
  readonly made: DateTime.Utc | null
  /** Whether it is only for this check, so that it may be migrated. */
  readonly isScratch: boolean
}

/** Checks a copy, prints what was found, and notes the result in the database of the service. Exits with 1 if a check fails. */
export const verifyBackup = Effect.fnUntraced(function* verifyBackup(
  restore: Effect.Effect<Copy, unknown, Scope.Scope>,
  note: (isSound: boolean, made: DateTime.Utc | null) => Effect.Effect<void, unknown>,
  json: boolean,
) {
  const { findings, made } = yield* Effect.scoped(
    Effect.matchCauseEffect(restore, {
      onFailure: (cause) => Effect.succeed({ findings: [unrestored(cause)], made: null }),
      onSuccess: (copy) => Effect.map(checked(copy), (findings) => ({ findings, made: copy.made })),
    }),
  )
  const isSound = findings.every(({ level }) => level !== "error")
  const noted = yield* Effect.matchCause(note(isSound, made), {
    onFailure: (cause): ReadonlyArray<Finding> => [
      warn(
        "note",
        `the result was not noted for \`doctor\` (${textOf(cause)})`,
        "run it again when the database of the service can be opened",
      ),
    ],
    onSuccess: () => [],
  })
  yield* Effect.forEach([...findings, ...noted], (finding) => print(finding, json))
  if (!isSound) return yield* new Stop({ code: codes.failed, lines: ["The backup is not sound; see above."] })
})

const textOf = (cause: Cause.Cause<unknown>) => {
  const fault = Cause.squash(cause)
  return endingOf(fault)?.lines.join(" ").replace(/\.$/, "") ?? reasonOf(fault)
}

const unrestored = (cause: Cause.Cause<unknown>): Finding => ({ check: "restore", level: "error", text: textOf(cause) })

const checked = Effect.fnUntraced(function* checkCopy({ view, made, isScratch }: Copy) {
  const now = yield* DateTime.now
  const findings: Array<Finding> = [ageOf(made, now)]
  const schema = yield* attempted("schema", schemaOf(view, isScratch))
  findings.push(...schema)
  if (schema.some(({ level }) => level === "error")) return findings
  findings.push(...(yield* attempted("rows", Effect.map(view.counts, rowsOf))))
  findings.push(...(yield* attempted("secrets", Effect.map(view.opened, secretsOf))))
  findings.push(
    ...(view.verifyAudit === undefined
      ? [warn("audit_log", "there is no audit log", "enable modules.audit")]
      : yield* attempted("audit_log", Effect.map(view.verifyAudit, auditOf))),
  )
  return findings
})

/** A check that cannot run is an error. */
const attempted = (check: string, findings: Effect.Effect<ReadonlyArray<Finding>, unknown>) =>
  Effect.catchCause(findings, (cause) => Effect.succeed<ReadonlyArray<Finding>>([{ check, level: "error", text: textOf(cause) }]))

const ageOf = (made: DateTime.Utc | null, now: DateTime.Utc): Finding =>
  made === null
    ? fine("age", "it does not say when it was made")
    : fine(
        "age",
        `made ${durationText((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(made)) / 1000)} ago, at ${DateTime.formatIso(made)}`,
      )

const schemaOf = Effect.fnUntraced(function* schemaOf({ plan, migrate }: BackupView, isScratch: boolean) {
  const due = yield* plan
  if (due.length === 0) return [fine("schema", "it is that of this version")]
  if (!isScratch)
    return [fault("schema", `${due.length} changes are due`, "run `migrate` on it, or check it with the version that made it")]
  yield* migrate
  return [fine("schema", `this version has made ${due.length} changes, as a start would`)]
})

const rowsOf = (counts: ReadonlyArray<readonly [string, number]>): ReadonlyArray<Finding> => {
  const rows = Object.fromEntries(counts)
  const text = counts.flatMap(([table, count]) => (count === 0 ? [] : [`${table} ${count}`])).join(", ")
  if (rows[Users.name] === 0) return [fault("rows", "there is no user in it", "find out what was backed up")]
  return [{ ...fine("rows", text), ...{ rows } }]
}

const secretsOf = (columns: Effect.Success<BackupView["opened"]>): ReadonlyArray<Finding> => {
  const faults = columns.filter(({ unreadable }) => unreadable > 0)
  const total = columns.reduce((sum, { opened }) => sum + opened, 0)
  if (faults.length === 0) return [fine("secrets", `all ${total} encrypted values can be opened`)]
  return faults.map(({ column, unreadable }) =>
    fault("secrets", `${unreadable} values of ${column} cannot be opened`, "list the secret of the time of the backup after the others"),
  )
}

const auditOf = ({ faults, records, seals }: Verification): ReadonlyArray<Finding> =>
  faults.length === 0
    ? [fine("audit_log", `${records} records under ${seals} seals are unchanged`)]
    : faults.map((text): Finding => ({ check: "audit_log", level: "error", text }))

/** A time from milliseconds since 1970. */
export const timeOf = (millis: number | null): DateTime.Utc | null => (millis === null ? null : DateTime.makeUnsafe(millis))

/** Fails unless exactly one of file and database is named. */
export const demandOneSource = ({ file, restored }: VerifyOptions) =>
  (file === undefined) === (restored === undefined)
    ? new Stop({ code: codes.usage, lines: ["Name a file, or a restored database with --restored."] })
    : Effect.void

/** There is no server to restore to, and no other database. */
export const embeddedOnly = new BackupFailed({ message: "--server and --restored are for PostgreSQL and MongoDB" })
