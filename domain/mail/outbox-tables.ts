import { Effect, Option, Schema } from "effect"
import * as Table from "../ports/table.ts"
import { Keys } from "../tokens/keys.ts"

const purpose = "outbox"

const EmailMessage = {
  id: Schema.String,
  /** The encrypted payload, which contains addresses and tokens. */
  sealed: Schema.String,
  /** Who gets it: `mail`, `sms`, or a channel, with the part of it after a colon. Null in rows of earlier versions. */
  receiver: Schema.NullOr(Schema.String),
  /** Counts leases, and identifies the current one. */
  attempts: Schema.Int,
  created_at: Schema.DateTimeUtc,
}

/** Messages that have not been delivered yet. */
export const PendingMessages = Table.make(
  "outbox",
  Schema.Struct({
    ...EmailMessage,
    /** The earliest time of the next attempt. A worker leases the row by setting this time to the end of the lease. */
    due_at: Schema.DateTimeUtc,
    give_up_at: Schema.DateTimeUtc,
    /** Why the last attempt failed. */
    reason: Schema.NullOr(Schema.String),
  }),
  { key: "id", indexed: ["due_at", ["receiver", "due_at"]], sealed: { sealed: purpose } },
)
export type PendingMessage = Table.Row<typeof PendingMessages>

/** Messages that could not be delivered, kept for a while so that operators can find out why. */
export const DeadLetters = Table.make(
  "outbox_dead",
  Schema.Struct({ ...EmailMessage, reason: Schema.String, died_at: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc }),
  { key: "id", expires: "expires_at", sealed: { sealed: purpose } },
)

/** The tables of the outbox. */
export const tables = [PendingMessages, DeadLetters]

const shared = { to: Schema.NullOr(Schema.String), text: Schema.String, expires_at: Schema.NullOr(Schema.DateTimeUtc) }

/** The content of a message, by channel. A message with null as `to` is discarded. */
const Payload = Schema.Union([
  Schema.TaggedStruct("mail", { ...shared, subject: Schema.String, html: Schema.String, language: Schema.optionalKey(Schema.String) }),
  Schema.TaggedStruct("sms", shared),
  /** A message to the channel `to`. */
  Schema.TaggedStruct("channel", shared),
])
export type Payload = typeof Payload.Type

const json = Schema.fromJsonString(Schema.toCodecJson(Payload))

/** Encrypts a payload for its row. */
export const seal = Effect.fnUntraced(function* seal(payload: Payload) {
  return yield* (yield* Keys).seal(purpose, yield* Schema.encodeEffect(json)(payload))
}, Effect.orDie)

/** Decrypts a payload. None for a row that was modified, or sealed with a secret that is no longer configured. */
export const open = Effect.fnUntraced(function* open(sealed: string) {
  const text = yield* (yield* Keys).open(purpose, sealed)
  return Option.flatMap(text, Schema.decodeUnknownOption(json))
})
