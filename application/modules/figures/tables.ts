import { Schema } from "effect"
import * as Table from "../../../domain/ports/table.ts"

/** The name of the module, which is part of the purpose of its sealed key. */
export const name = "figures"
/** The purpose of the key that the ids of active users are hashed with. */
export const keyPurpose = "active"

const Figure = Schema.Struct({
  /** `h:2026-11-23T10` for an hour, `d:2026-11-23` for a day, UTC. */
  id: Schema.String,
  /** By type of event, by `type/method` for successes, and by `type/code` for refusals. */
  counts: Schema.Record(Schema.String, Schema.Int),
  expires_at: Schema.DateTimeUtc,
})

/** How often each event happened in an hour or a day. Only commits that also replace the row of the start write these rows. */
export const Figures = Table.make("figure", Figure, { key: "id", expires: "expires_at" })

/** The sketch of the users who were active on a day. */
export const ActiveDays = Table.make(
  "figure_active",
  Schema.Struct({ day: Schema.String, registers: Schema.String, expires_at: Schema.DateTimeUtc }),
  { key: "day", expires: "expires_at" },
)

const Gap = Schema.Struct({
  /** The numbers of its first and last seal. */
  from: Schema.Int,
  to: Schema.Int,
  /** From when on the figures were complete before it, milliseconds since 1970; null for the seals before the first counted one. */
  since: Schema.NullOr(Schema.Int),
  /** Whether the figures from its end on are complete. */
  is_whole: Schema.Boolean,
})
/** Successive seals whose events were not counted. */
export type Gap = typeof Gap.Type

const Start = Schema.Struct({
  id: Schema.Literal("start"),
  /** The first hour of which every event is counted. */
  since: Schema.DateTimeUtc,
  /** The number of the last seal whose events were counted. */
  seal: Schema.Int,
  /** What was not counted, the oldest first. */
  gaps: Schema.Array(Gap),
  /** A random key for the ids of active users, encrypted: it stays the same when the secret is rotated. */
  key: Schema.String,
})
export type Start = typeof Start.Type

/** From when on the figures are complete. */
export const Starts = Table.make("figure_start", Start, {
  key: "id",
  sealed: { key: `module/${name}/${keyPurpose}` },
  added: { gaps: [] },
})
