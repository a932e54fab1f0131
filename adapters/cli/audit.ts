import { Console, Effect, Option, Schema, SchemaIssue } from "effect"
import { Command } from "effect/cli"
import { allFiltersOf, linesOf, pageOf } from "../../application/modules/audit/list.ts"
import { verify as verifyLog } from "../../application/modules/audit/verify.ts"
import type { EventKinds } from "../../domain/events/event-types.ts"
import { noteChecked } from "../../domain/storage/upkeep.ts"
import type { Configuration } from "../config/load.ts"
import { type Given, json, type Listing, listing, text } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import { printRecord, printRows } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { demandModule, findUser } from "./users.ts"

// Commands on the audit log.

const filters = {
  subject: text(
    "subject",
    "Only records about the user with this id or email address, or about the organization or other row with this id",
  ),
  actor: text("actor", "Only records of what the user with this id or email address, or the client with this id, did"),
  organization: text("organization", "Only records of the organization with this id"),
  type: text("type", "Only records of this type, such as sign_in.failed"),
  since: text("since", "Only records from this moment on, such as 2026-11-22T00:00:00Z"),
  until: text("until", "Only records before this moment"),
}

/** The arguments of `audit list` and `audit export`. */
export type AuditFilter = Given<typeof filters>

export type AuditWork = ReturnType<typeof listAudit | typeof exportAudit | typeof verifyAudit>

const demandAudit = demandModule("audit", ": there is no audit log")

const formatFaults = SchemaIssue.makeFormatterStandardSchemaV1()

const time = "an ISO 8601 time such as 2026-11-22T00:00:00Z"

/** The option of each filter, and its valid values. */
const optionsOf = (events: EventKinds): Readonly<Record<string, { readonly name: string; readonly wanted: string }>> => ({
  subject_id: { name: "subject", wanted: "an id" },
  actor_id: { name: "actor", wanted: "an id" },
  organization_id: { name: "organization", wanted: "an id" },
  type: { name: "type", wanted: `one of ${Object.keys(events).join(", ")}` },
  since: { name: "since", wanted: time },
  until: { name: "until", wanted: time },
})

/** Ids contain no `@`: such a text is the address of a user. */
const idOf = (text: string) => (text.includes("@") ? Effect.map(findUser(text), ({ id }) => id) : Effect.succeed(text))

const filterOf = Effect.fnUntraced(function* filterOf(
  { subject, actor, organization, type, since, until }: AuditFilter,
  { owned: { events } }: Configuration,
) {
  const given = { subject_id: subject, actor_id: actor, organization_id: organization, type, since, until }
  const set = Object.entries(given).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  const Asked = Schema.Struct(allFiltersOf(events))
  const options = optionsOf(events)
  const lineOf = (key: string) => `--${options[key]?.name}: expected ${options[key]?.wanted}`
  const decoded = Schema.decodeUnknownEffect(Asked, { errors: "all" })(Object.fromEntries(set))
  const filter = yield* Effect.mapError(
    decoded,
    ({ issue }) => new Stop({ code: codes.usage, lines: formatFaults(issue).issues.map(({ path: [key] = [] }) => lineOf(String(key))) }),
  )
  const { subject_id, actor_id } = filter
  return {
    ...filter,
    ...(subject_id === undefined ? {} : { subject_id: yield* idOf(subject_id) }),
    ...(actor_id === undefined ? {} : { actor_id: yield* idOf(actor_id) }),
  }
})

/** The newest records, without their data. */
export const listAudit = Effect.fnUntraced(function* listAudit(
  { limit, json, ...filter }: AuditFilter & Listing,
  configuration: Configuration,
) {
  yield* demandAudit(configuration)
  const { rows } = yield* pageOf({ ...(yield* filterOf(filter, configuration)), limit })
  if (json) return yield* printLines(rows)
  const columns = rows.map(({ at, type, outcome, reason, actor_kind, actor_id, subject_id, ip_address, count }) => ({
    at,
    type,
    outcome,
    reason,
    actor: actor_id ?? actor_kind,
    subject: subject_id,
    ip_address,
    count,
  }))
  yield* printRows(columns, false)
})

const printLines = (rows: Effect.Success<ReturnType<typeof pageOf>>["rows"]) =>
  rows.length === 0 ? Effect.void : Console.log(linesOf(rows).join("\n"))

/** All records as JSON lines, the newest first, page by page. */
export const exportAudit = Effect.fnUntraced(function* exportAudit(filter: AuditFilter, configuration: Configuration) {
  yield* demandAudit(configuration)
  const where = yield* filterOf(filter, configuration)
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Effect.Success<ReturnType<typeof pageOf>> = yield* pageOf({
      ...where,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    })
    yield* printLines(page.rows)
    cursor = page.next
  }
})

/** Checks the hash chain; fails if anything was changed or removed. */
export const verifyAudit = Effect.fnUntraced(function* verifyAudit({ json }: { readonly json: boolean }, configuration: Configuration) {
  yield* demandAudit(configuration)
  const { faults, ...counts } = yield* verifyLog
  yield* noteChecked("audit_log", faults.length === 0)
  yield* printRecord({ ...counts, faults: faults.length }, json)
  if (faults.length > 0) return yield* new Stop({ code: codes.failed, lines: [...faults] })
})

export const auditCommand = <S>(onStore: StoreCommand<AuditWork, S>) =>
  Command.make("audit").pipe(
    Command.withDescription("Show, export and verify the audit log; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "List records, the newest first", { ...filters, ...listing }, listAudit),
      onStore("export", "Print all records as JSON, one object a line, the newest first", filters, exportAudit),
      onStore("verify", "Check that no record was changed or removed; fails otherwise", { json }, verifyAudit),
    ]),
  )
