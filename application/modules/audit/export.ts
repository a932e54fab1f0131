import { DateTime, Effect, Schema } from "effect"
import { FullReason } from "../../../domain/administration/reason.ts"
import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import type { Happening } from "../../../domain/events/security-event.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { allFiltersOf, linesOf, pageOf } from "./list.ts"
import type { Retention } from "./record.ts"

/** The maximum number of records in one export. */
export const mostExported = 10_000
/** The number of records in one read. */
const page = 1000

/** The exports of records by administrators. */
export const Exports = Table.make(
  "audit_export",
  Schema.Struct({
    id: Schema.String,
    records: Schema.Int,
    /** The names of the filters. */
    filters: Schema.Array(Schema.String),
    at: Schema.DateTimeUtc,
    expires_at: Schema.DateTimeUtc,
  }),
  { key: "id", expires: "expires_at" },
)

export const exportTypes = {
  "audit.exported": change("An administrator exported records of the audit log."),
} as const satisfies EventKinds

export const exportEvents = rowEvents(Exports, ({ before, after }): ReadonlyArray<Happening<keyof typeof exportTypes>> => {
  if (before !== null || after === null) return []
  const data = { records: String(after.records), filters: after.filters }
  return [{ type: "audit.exported", subject: { kind: "service", id: null }, data }]
})

/** The newest records that match, as JSON lines. They are read page by page, so that no query takes long. */
const exported = Effect.fnUntraced(function* exportedRecords(filters: Parameters<typeof pageOf>[0]) {
  const lines: Array<string> = []
  let next: string | null | undefined
  for (let read = 0; read < mostExported && next !== null; read += page) {
    const place: { readonly cursor?: string } = next === undefined ? {} : { cursor: next }
    const found: Effect.Success<ReturnType<typeof pageOf>> = yield* pageOf({ ...filters, limit: page, ...place })
    lines.push(...linesOf(found.rows))
    next = found.next
  }
  return { lines: lines.map((line) => `${line}\n`).join(""), records: lines.length, capped: next !== null }
})

/** Records for administrators to keep elsewhere. */
export const exportAll = ({ events, keep, keep_changes }: Retention) => {
  const { limit: _, cursor: __, ...filters } = allFiltersOf(events)
  return Endpoint.make({
    method: "POST",
    path: "/admin/audit/export",
    summary:
      "At most 10,000 records of the audit log, the newest first, with the filters of `GET /admin/audit/list`. The log keeps who exported them.",
    access: { permission: "audit:export" },
    takesReason: true,
    input: Schema.Struct({
      ...filters,
      reason: FullReason.pipe(Schema.annotateKey({ description: "Why: 10 to 500 characters." })),
    }),
    output: Schema.Struct({
      lines: Schema.String.pipe(
        Schema.annotateKey({ description: "JSON lines: each is an entry of `GET /admin/audit/list`, and ends with a line feed." }),
      ),
      records: Schema.Int,
      capped: Schema.Boolean.pipe(Schema.annotateKey({ description: "Whether there can be more: those before the last one of these." })),
    }),
    handler: Effect.fnUntraced(function* auditExport({ reason: _, ...asked }) {
      const found = yield* exported(asked)
      const at = yield* DateTime.now
      const expires_at = DateTime.add(at, { seconds: Math.max(keep, keep_changes) })
      const row = { id: yield* newId, records: found.records, filters: Object.keys(asked).sort(), at, expires_at }
      yield* Effect.orDie((yield* Store).commit([insert(Exports, row)]))
      return Endpoint.reply(found)
    }),
  })
}
