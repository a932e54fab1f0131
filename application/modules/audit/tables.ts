import { Schema } from "effect"
import { Data } from "../../../domain/events/security-event.ts"
import * as Table from "../../../domain/ports/table.ts"

const Record = Schema.Struct({
  id: Schema.String,
  at: Schema.DateTimeUtc,
  type: Schema.String,
  outcome: Schema.String,
  reason: Schema.NullOr(Schema.String),
  actor_kind: Schema.String,
  actor_id: Schema.NullOr(Schema.String),
  subject_kind: Schema.String,
  subject_id: Schema.NullOr(Schema.String),
  organization_id: Schema.NullOr(Schema.String),
  session_id: Schema.NullOr(Schema.String),
  client_id: Schema.NullOr(Schema.String),
  ip_address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  trace_id: Schema.NullOr(Schema.String),
  count: Schema.Int,
  data: Data,
  /** Random. Null after the address and the browser were erased: without it they cannot be guessed from `origin_hash`. */
  salt: Schema.NullOr(Schema.String),
  /** A hash of salt, address and browser. It stays when they are erased, so that the record stays verifiable. */
  origin_hash: Schema.String,
  /** Why the administrator did it; null if they did not say, and after it was erased. */
  note: Schema.NullOr(Schema.String),
  /** As `salt` and `origin_hash`, of the note: it is the subject's, address and browser are the actor's. Null without a note. */
  note_salt: Schema.NullOr(Schema.String),
  note_hash: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})
export type AuditRecord = typeof Record.Type

/** Records of what happened. They reference no row, because they outlive the users whom they name. */
export const Records = Table.make("audit_record", Record, {
  key: "id",
  indexed: [
    ["subject_id", "id"],
    ["actor_id", "id"],
    ["organization_id", "id"],
    ["type", "id"],
  ],
  expires: "expires_at",
  shardKey: ["subject_id", "id"],
  isLog: true,
  isByMonth: true,
  data: {
    // Not the subject: the addresses of administrators who changed the user are not the user's.
    user: "actor_id",
    personal: ["at", "type", "outcome", "reason", "organization_id", "session_id", "client_id", "ip_address", "user_agent", "count"],
    secret: ["salt", "origin_hash", "note_salt", "note_hash"],
    other: ["id", "actor_kind", "actor_id", "subject_kind", "subject_id", "request_id", "trace_id", "data", "note", "expires_at"],
  },
})

/** Records without a seal. A row is added in the commit of its record, so that a record that is committed late is sealed too. */
export const Unsealed = Table.make("audit_unsealed", Schema.Struct({ id: Schema.String }), { key: "id" })

/** What a seal covers: the id of a record, its digest, and its expiry in milliseconds since 1970. */
export const Entry = Schema.Tuple([Schema.String, Schema.String, Schema.Number])

const Seal = Schema.Struct({
  /** The number of the seal, counted from 1, with leading zeros. */
  id: Schema.String,
  /** The day on which it was made, UTC, such as `2026-11-22`. */
  day: Schema.String,
  sealed_at: Schema.DateTimeUtc,
  entries: Schema.Array(Entry),
  /** The digest of the seal before. */
  previous: Schema.String,
  /** The expiry of the seal before, in milliseconds since 1970. If that seal is missing earlier, an attacker has removed it. */
  previous_expires: Schema.Number,
  digest: Schema.String,
  /** HMAC of the digest under a key of the service's secret. */
  tag: Schema.String,
  /** The id of that secret. */
  key_id: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export type Seal = typeof Seal.Type

/** The hash chain: each seal covers up to 1000 records and the seal before. */
export const Seals = Table.make("audit_seal", Seal, { key: "id", expires: "expires_at" })

const Head = Schema.Struct({
  id: Schema.Literal("head"),
  number: Schema.Int,
  day: Schema.String,
  digest: Schema.String,
  tag: Schema.String,
  key_id: Schema.String,
  /** The expiry of the last seal, in milliseconds since 1970. */
  expires: Schema.Number,
})
export type Head = typeof Head.Type

/** The end of the chain. Each seal replaces this row on a condition, so that two processes never continue the same seal. */
export const Chain = Table.make("audit_chain", Head, { key: "id" })

/** The last seal of each day on which something was sealed. These rows are never removed. */
export const Days = Table.make(
  "audit_day",
  Schema.Struct({ day: Schema.String, number: Schema.Int, digest: Schema.String, tag: Schema.String, key_id: Schema.String }),
  { key: "day" },
)

/** Removed users whose addresses and browsers have to be erased from records. */
export const Erasures = Table.make("audit_erasure", Schema.Struct({ user_id: Schema.String, requested_at: Schema.DateTimeUtc }), {
  key: "user_id",
})
