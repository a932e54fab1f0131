import { Schema } from "effect"
import type { EventType } from "./event-types.ts"

/** Who acted, and whom or what it concerns. The id of a user stays in records after the user is removed; it then names no person. */
export const Party = Schema.Struct({
  kind: Schema.Literals([
    "visitor",
    "user",
    "admin",
    "client",
    "operator",
    "system",
    "identifier",
    "organization",
    "webhook",
    "service",
    "api_key",
    "application",
  ]),
  /** Null for a visitor, an operator and the service itself; a service account is a `service` with an id. For `identifier`, a keyed hash of a typed name. */
  id: Schema.NullOr(Schema.String),
})
export type Party = typeof Party.Type

export const Data = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)]))
export type Data = typeof Data.Type

/** A security-relevant outcome (NIST SP 800-53 AU-3). It contains no secret, no address and no name of a user. */
export const SecurityEvent = Schema.Struct({
  /** A UUID of version 7: events sort by it. Receivers recognise a repeated event by it. */
  id: Schema.String,
  at: Schema.DateTimeUtc,
  /** A type of the domain, or of an enabled module. */
  type: Schema.String,
  outcome: Schema.Literals(["success", "failure"]),
  /** For a failure, the error code. */
  reason: Schema.NullOr(Schema.String),
  actor: Party,
  subject: Party,
  organization_id: Schema.NullOr(Schema.String),
  session_id: Schema.NullOr(Schema.String),
  client_id: Schema.NullOr(Schema.String),
  ip_address: Schema.NullOr(Schema.String),
  /** At most `maxUserAgent` characters. */
  user_agent: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  trace_id: Schema.NullOr(Schema.String),
  /** The number of equal failures that this event represents. */
  count: Schema.Int,
  data: Data,
}).annotate({ identifier: "SecurityEvent" })
export type SecurityEvent = typeof SecurityEvent.Type

/** A longer `User-Agent` is cut. */
export const maxUserAgent = 256

/**
 * What happened, as a module derives it from a changed row (`row-events.ts`). The service adds who, where and when. `Own`: the types of the
 * module.
 */
export interface Happening<out Own extends string = never> {
  readonly type: EventType | Own
  readonly subject: Party
  readonly organization_id?: string
  readonly session_id?: string
  readonly client_id?: string
  readonly outcome?: "failure"
  readonly reason?: string
  readonly data?: Data
}

/** A subject that is a user. */
export const user = (id: string | null): Party => ({ kind: "user", id })
