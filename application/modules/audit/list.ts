import { DateTime, Effect, Schema } from "effect"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import { Party, SecurityEvent } from "../../../domain/events/security-event.ts"
import { Store } from "../../../domain/ports/store.ts"
import type { Where } from "../../../domain/ports/table.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { firstIdAt } from "../../../domain/storage/new-id.ts"
import { Text } from "../../../domain/values/text.ts"
import { defaultPageSize, keyCursor, keyOfCursor, PageInput, type PageRequest } from "../../service/paging.ts"
import { type AuditRecord, Records } from "./tables.ts"

const { actor: _actor, subject: _subject, type: _type, ...shared } = SecurityEvent.fields

const entry = { ...shared, type: Schema.String, outcome: Schema.String, actor: Party, subject: Party }

/** The form of a record for owners of organizations. */
export const OrganizationEntry = Schema.Struct(entry).annotate({ identifier: "OrganizationAuditEntry" })

export const shownToOwners = (row: AuditRecord) => {
  const { actor_kind, actor_id, subject_kind, subject_id, ...rest } = row
  const { salt: _, origin_hash: __, note: ___, note_salt: ____, note_hash: _____, expires_at: ______, ...own } = rest
  const parties = { actor: { kind: actor_kind, id: actor_id }, subject: { kind: subject_kind, id: subject_id } }
  return { ...own, ...parties } as typeof OrganizationEntry.Type
}

/** The form of a record for administrators. */
export const AuditEntry = Schema.Struct({
  ...entry,
  note: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "The `reason` of the administrator, until the subject is removed." }),
  ),
}).annotate({ identifier: "AuditEntry" })

export const shown = (row: AuditRecord): typeof AuditEntry.Type => ({ ...shownToOwners(row), note: row.note })

const encode = Schema.encodeSync(Schema.toCodecJson(AuditEntry))

/** Each record as a line of JSON. */
export const linesOf = (rows: ReadonlyArray<AuditRecord>) => rows.map((row) => JSON.stringify(encode(shown(row))))

/** The form of a record for the user whom it is about. */
export const OwnEntry = Schema.Struct({
  id: Schema.String,
  at: Schema.DateTimeUtc,
  type: Schema.String,
  outcome: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** The kind of the actor: `user` for oneself or another member, `admin`, `visitor` and others. */
  by: Schema.String,
  session_id: Schema.NullOr(Schema.String),
  client_id: Schema.NullOr(Schema.String),
  organization_id: Schema.NullOr(Schema.String),
  /** Null if another user acted. */
  ip_address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  /** The module and the name of the endpoint that was called; null if another user acted. */
  method: Schema.NullOr(Schema.String),
  operation: Schema.NullOr(Schema.String),
  /** Of a credential: `credential` for a password, `passkey`, `totp`, `backup_codes`, or the id of a provider. */
  kind: Schema.NullOr(Schema.String),
  count: Schema.Int,
}).annotate({ identifier: "OwnAuditEntry" })

const textOf = (value: unknown) => (typeof value === "string" ? value : null)

export const shownToSubject = (row: AuditRecord): typeof OwnEntry.Type => {
  const { id, at, type, outcome, reason, actor_kind: by, client_id, organization_id, count, data } = row
  const isOwn = row.actor_id === row.subject_id || row.actor_id === null || row.actor_kind === "client"
  const { session_id, ip_address, user_agent } = isOwn ? row : { session_id: null, ip_address: null, user_agent: null }
  const { method, operation } = isOwn ? data : {}
  const called = { method: textOf(method), operation: textOf(operation), kind: textOf(data["kind"]) }
  return { id, at, type, outcome, reason, by, session_id, client_id, organization_id, ip_address, user_agent, ...called, count }
}

/** One of these types of events. */
export const typeOf = (events: EventKinds) => Schema.Literals(Object.keys(events))

/** The filters of lists of records, with the types of events of the service. */
export const filtersOf = (events: EventKinds) => ({
  ...PageInput,
  /** The subject: the user, organization or other row that the records concern. */
  subject_id: Schema.optionalKey(Text),
  actor_id: Schema.optionalKey(Text),
  type: Schema.optionalKey(typeOf(events)),
  /** Only records from this moment on, RFC 3339. */
  since: Schema.optionalKey(Schema.DateTimeUtcFromString),
  /** Only records before this moment. */
  until: Schema.optionalKey(Schema.DateTimeUtcFromString),
})

/** The same, and the organization, for administrators. */
export const allFiltersOf = (events: EventKinds) => ({ ...filtersOf(events), organization_id: Schema.optionalKey(Schema.String) })

interface Asked extends Where<typeof Records>, PageRequest {
  readonly since?: DateTime.Utc
  readonly until?: DateTime.Utc
}

/** A page of records, the newest first, and the place of the next one. Ids grow with time, so that the id of a moment bounds the list. */
export const pageOf = Effect.fnUntraced(function* pageOfRecords({ limit = defaultPageSize, cursor, since, until, ...where }: Asked) {
  const start = cursor !== undefined ? keyOfCursor(cursor) : until === undefined ? undefined : firstIdAt(DateTime.toEpochMillis(until))
  const after = start === undefined ? {} : { after: { id: start } }
  const found = yield* (yield* Store).list(Records, where, { limit: limit + 1, order: "id", descending: true, ...after })
  const now = yield* DateTime.now
  const isLive = liveAt(Records, now)
  const isIn = (row: AuditRecord) => isLive(row) && (since === undefined || DateTime.isGreaterThanOrEqualTo(row.at, since))
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const isOver = found.length <= limit || last === undefined || (since !== undefined && DateTime.isLessThan(last.at, since))
  return { rows: rows.filter(isIn), next: isOver ? null : keyCursor(last.id) }
})
