import { Effect, Option, Schema } from "effect"
import * as Table from "../storage/table.ts"
import { Keys } from "../tokens/keys.ts"

const purpose = "outbox"

const EmailMessage = {
  id: Schema.String,
  /** The payload, unreadable without the secret: it carries addresses and tokens. */
  sealed: Schema.String,
  /** Counts leases; whoever holds the row knows it by this number. */
  attempts: Schema.Int,
  created_at: Schema.DateTimeUtc,
}

/** Letters that have not been delivered yet. */
export const PendingMessages = Table.make(
  "outbox",
  Schema.Struct({
    ...EmailMessage,
    /** When somebody may try next. A worker that tries moves it ahead: that is its lease. */
    due_at: Schema.DateTimeUtc,
    give_up_at: Schema.DateTimeUtc,
  }),
  { key: "id", indexed: ["due_at"], sealed: { sealed: purpose } },
)
export type PendingMessage = Table.Row<typeof PendingMessages>

/** Letters that could not be delivered, kept for a while so that somebody can find out why. */
export const DeadLetters = Table.make(
  "outbox_dead",
  Schema.Struct({ ...EmailMessage, reason: Schema.String, died_at: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc }),
  { key: "id", expires: "expires_at", sealed: { sealed: purpose } },
)

/** Everything the outbox stores. */
export const tables = [PendingMessages, DeadLetters]

/** What a letter says, by the channel it goes through. Null as `to` is a letter to nobody. */
const Payload = Schema.Union([
  Schema.TaggedStruct("mail", {
    to: Schema.NullOr(Schema.String),
    subject: Schema.String,
    text: Schema.String,
    html: Schema.String,
    expires_at: Schema.NullOr(Schema.DateTimeUtc),
  }),
  Schema.TaggedStruct("sms", {
    to: Schema.NullOr(Schema.String),
    text: Schema.String,
    expires_at: Schema.NullOr(Schema.DateTimeUtc),
  }),
])
export type Payload = typeof Payload.Type

const json = Schema.fromJsonString(Schema.toCodecJson(Payload))
/** Encrypts a payload for its row. */
export const seal = Effect.fnUntraced(function* seal(payload: Payload) {
  return yield* (yield* Keys).seal(purpose, yield* Schema.encodeEffect(json)(payload))
}, Effect.orDie)

/** None for a row that was tampered with, or sealed under a secret no longer listed. */
export const open = Effect.fnUntraced(function* open(sealed: string) {
  const text = yield* (yield* Keys).open(purpose, sealed)
  return Option.flatMap(text, Schema.decodeUnknownOption(json))
})
