import { DateTime, Effect } from "effect"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import type { Party, SecurityEvent } from "../../../domain/events/security-event.ts"
import { insert } from "../../../domain/ports/store.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { type AuditRecord, Records, Unsealed } from "./tables.ts"

/** How long records are kept. */
export interface Retention {
  /** Seconds. */
  readonly keep: number
  /** The same for events that are changes. */
  readonly keep_changes: number
  /** The types of events of the service. */
  readonly events: EventKinds
}

/** The writes that store events as records. */
export const recordWrites = (retention: Retention) =>
  Effect.fnUntraced(function* recordWrites(events: ReadonlyArray<SecurityEvent>, note: string | null) {
    const isAboutUsers = events.some(isAboutUser)
    // A record that stays when its user is removed does not get a note about the user.
    const noteFor = (event: SecurityEvent) => (isAboutUsers && !isAboutUser(event) ? null : note)
    const rows = yield* Effect.forEach(events, (event) => recordOf(event, noteFor(event), retention))
    return rows.flatMap((row) => [insert(Records, row), insert(Unsealed, { id: row.id })])
  })

const isAboutUser = ({ subject }: SecurityEvent) => subject.kind === "user"

const recordOf = Effect.fnUntraced(function* recordOf(
  { actor, subject, ...event }: SecurityEvent,
  note: string | null,
  retention: Retention,
) {
  const salt = yield* randomToken
  const note_salt = note === null ? null : yield* randomToken
  return {
    ...event,
    actor_kind: actor.kind,
    actor_id: actor.id,
    subject_kind: subject.kind,
    subject_id: subject.id,
    salt,
    origin_hash: yield* originHash(salt, event.ip_address, event.user_agent),
    note,
    note_salt,
    note_hash: note === null || note_salt === null ? null : yield* noteHash(note_salt, note),
    expires_at: DateTime.add(event.at, { seconds: keptFor(event.type, subject, retention) }),
  } satisfies AuditRecord
})

/** Seconds. Anonymous clients can cause records about unknown names, so these are kept for a short time. */
const keptForUnknown = 7 * 86_400

const keptFor = (type: string, subject: Party, { keep, keep_changes, events }: Retention) => {
  if (subject.kind === "identifier") return Math.min(keep, keptForUnknown)
  return events[type]?.isChange === true ? Math.max(keep, keep_changes) : keep
}

const originHash = (salt: string, ip_address: string | null, user_agent: string | null) =>
  tokenHash("audit-origin", JSON.stringify([salt, ip_address, user_agent]))

const noteHash = (salt: string, note: string) => tokenHash("audit-note", JSON.stringify([salt, note]))

const isOriginKept = Effect.fnUntraced(function* isOriginKept({ salt, ip_address, user_agent, origin_hash }: AuditRecord) {
  if (salt === null) return ip_address === null && user_agent === null
  return (yield* originHash(salt, ip_address, user_agent)) === origin_hash
})

const isNoteKept = Effect.fnUntraced(function* isNoteKept({ note, note_salt, note_hash }: AuditRecord) {
  if (note === null || note_salt === null) return note === note_salt
  return (yield* noteHash(note_salt, note)) === note_hash
})

/** The digest of a record that a seal covers; null if its address, browser or note does not match the record's own hashes. */
export const digestOf = Effect.fnUntraced(function* digestOf(row: AuditRecord) {
  if (!(yield* isOriginKept(row)) || !(yield* isNoteKept(row))) return null
  const { salt: _, ip_address: __, user_agent: ___, note: ____, note_salt: _____, note_hash, data, ...rest } = row
  // Records without a note have the digest of the time before notes.
  const ofNote = note_hash === null ? {} : { note_hash }
  const fields = { ...rest, ...ofNote, at: DateTime.formatIso(row.at), expires_at: DateTime.formatIso(row.expires_at), data: sorted(data) }
  return yield* tokenHash("audit-record", JSON.stringify(sorted(fields)))
})

/** The members in a fixed order: databases do not keep it. */
const sorted = (members: object) => Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1))
