import { DateTime, Effect, Option } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import { Policies } from "../../../domain/policies.ts"
import { insert, isCommitted, put, removeEach, Store, type Versioned } from "../../../domain/ports/store.ts"
import { Keys, tokenHash } from "../../../domain/tokens/keys.ts"
import { digestOf } from "./record.ts"
import { eventOf } from "./recorded-events.ts"
import { type AuditRecord, Chain, Days, type Head, Records, type Seal, Seals, Unsealed } from "./tables.ts"

/** The maximum number of records of one seal. */
export const sealSize = 1000
/** The digest before the first seal. */
export const beginning = ""
/** The purpose of the key that tags seals. */
export const purpose = "audit-seal"
/** Replaces the digest of a record that was removed before it was sealed. */
export const gone = ""

export const sealId = (number: number) => String(number).padStart(12, "0")

/** The digest of a seal. It covers everything but the tag, which another secret can replace. */
export const sealDigest = ({
  id,
  day,
  sealed_at,
  entries,
  previous,
  previous_expires,
  expires_at,
}: Omit<Seal, "digest" | "tag" | "key_id">) =>
  tokenHash(
    "audit-seal",
    JSON.stringify([id, day, DateTime.toEpochMillis(sealed_at), entries, previous, previous_expires, DateTime.toEpochMillis(expires_at)]),
  )

/**
 * Seals the records that wait. Two processes may try at once: only one of them replaces the head of the chain, and the other stops.
 */
export const seal = Effect.gen(function* sealRecords() {
  yield* closeDay
  while ((yield* sealBatch) === sealSize);
})

/**
 * Makes sure that the last seal is under the first secret, so that `verify` works after the other secrets are removed. Without new records,
 * it adds a seal without records. A last seal that no listed secret made stays the last one, because the new seal would confirm it.
 */
export const sealUnderFirstSecret = Effect.gen(function* sealUnderFirstSecret() {
  const { ids, verify } = yield* Keys
  const before = yield* headOf
  if (before !== undefined && !(yield* verify(purpose, before.row.digest, before.row.tag))) return
  yield* seal
  const head = yield* headOf
  if (head !== undefined && head.row.key_id !== ids[0]) yield* addSeal(head, [], [])
})

const headOf = Effect.flatMap(Store, (store) => store.read(Chain, { id: "head" })).pipe(Effect.map(Option.getOrUndefined))

const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

/** Stores the last seal of a past day. The event `audit.sealed` of this row reports it outside of the service. */
const closeDay = Effect.gen(function* closeDay() {
  const head = yield* headOf
  const day = yield* today
  if (head === undefined || head.row.day === day) return
  const { number, digest, tag, key_id } = head.row
  const last = { day: head.row.day, number, digest, tag, key_id }
  const closed = yield* isCommitted([put(Chain, { ...head.row, day }, head.revision), insert(Days, last)])
  if (closed) yield* Effect.annotateLogs(Effect.logInfo("audit.sealed"), { type: "audit.sealed", ...last })
})

/** Seals up to `sealSize` records and returns their number; 0 if another process was faster. */
const sealBatch = Effect.gen(function* sealBatch() {
  const { list, listForEach } = yield* Store
  // Read before the ids: if another process seals from here on, the head changes and this commit fails.
  const head = yield* headOf
  const ids = (yield* list(Unsealed, {}, { limit: sealSize, order: "id" })).map(({ id }) => id)
  if (ids.length === 0) return 0
  const records = (yield* listForEach(Records, "id", ids, { limit: 1 })).map(([record]) => record)
  const entries = yield* Effect.forEach(ids, (id, index) => entryOf(id, records[index]))
  const events = records.filter((record) => record !== undefined).map(eventOf)
  return (yield* addSeal(head, entries, events)) ? ids.length : 0
})

/** Adds a seal to the end of the chain. Returns false if another process was faster. */
const addSeal = Effect.fnUntraced(function* addSeal(
  head: Versioned<Head> | undefined,
  entries: Seal["entries"],
  events: ReadonlyArray<SecurityEvent>,
) {
  const sealed = yield* sealOf(head?.row, entries)
  const { day, digest, tag, key_id } = sealed
  const expires = DateTime.toEpochMillis(sealed.expires_at)
  const number = Number(sealed.id)
  const next: Head = { id: "head", number, day, digest, tag, key_id, expires }
  const ids = entries.map(([id]) => id)
  const added = yield* (yield* Policies).sealed({ number, events })
  return yield* isCommitted([put(Chain, next, revisionOf(head)), insert(Seals, sealed), removeEach(Unsealed, ids), ...added])
})

const revisionOf = (head: Versioned<Head> | undefined) => head?.revision ?? "absent"

const entryOf = Effect.fnUntraced(function* entryOf(id: string, record: AuditRecord | undefined) {
  if (record === undefined) return [id, gone, 0] as const
  return [id, (yield* digestOf(record)) ?? gone, DateTime.toEpochMillis(record.expires_at)] as const
})

const aDay = 86_400_000

/** A seal outlives its records, and no seal expires before the one that it follows: the chain has no gap. */
const sealOf = Effect.fnUntraced(function* sealOf(head: Head | undefined, entries: Seal["entries"]) {
  // Of one instance: a reload can replace the secrets while this runs.
  const { ids, sign } = yield* Keys
  const sealed_at = yield* DateTime.now
  const previous_expires = head?.expires ?? 0
  const expires_at = DateTime.makeUnsafe(Math.max(previous_expires, ...entries.map(([, , expires]) => expires + aDay)))
  const day = DateTime.formatIsoDateUtc(sealed_at)
  const content = {
    id: sealId((head?.number ?? 0) + 1),
    day,
    sealed_at,
    entries,
    previous: head?.digest ?? beginning,
    previous_expires,
    expires_at,
  }
  const digest = yield* sealDigest(content)
  return { ...content, digest, tag: yield* sign(purpose, digest), key_id: ids[0] } satisfies Seal
})
