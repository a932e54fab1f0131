import { Schema } from "effect"
import * as Table from "../../../domain/ports/table.ts"

/** The purpose of the key that encrypts the secrets of webhooks. */
export const purpose = "webhook"

/** Events that are committed and not yet distributed to the webhooks. */
export const Events = Table.make(
  "event",
  Schema.Struct({
    id: Schema.String,
    type: Schema.String,
    /** Events of one subject reach a receiver in their order. */
    subject: Schema.String,
    /** What receivers get, as JSON. */
    body: Schema.String,
  }),
  { key: "id" },
)
export type StoredEvent = Table.Row<typeof Events>

/** The last distributed event. Each distribution replaces this row on a condition, so that two processes never distribute an event twice. */
export const Distribution = Table.make("event_distribution", Schema.Struct({ id: Schema.Literal("last"), event_id: Schema.String }), {
  key: "id",
})

const Webhook = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  types: Schema.Array(Schema.String),
  /** The secrets as JSON, encrypted. */
  sealed_secrets: Schema.String,
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})
export type StoredWebhook = typeof Webhook.Type

/** Webhooks that administrators added. */
export const Webhooks = Table.make("webhook", Webhook, {
  key: "id",
  indexed: ["sealed_secrets"],
  sealed: { sealed_secrets: purpose },
})

/** The state of a webhook that has failed, whether it is in the configuration or in the store. */
export const States = Table.make(
  "webhook_state",
  Schema.Struct({
    id: Schema.String,
    /** The first failure after the last success. */
    failing_since: Schema.NullOr(Schema.DateTimeUtc),
    disabled_at: Schema.NullOr(Schema.DateTimeUtc),
    reason: Schema.String,
  }),
  { key: "id" },
)

const delivery = {
  /** The id of the event and of the webhook, so that deliveries sort by their events. */
  id: Schema.String,
  webhook_id: Schema.String,
  event_id: Schema.String,
  type: Schema.String,
  subject: Schema.String,
  body: Schema.String,
  /** Counts leases, and identifies the current one. */
  attempts: Schema.Int,
  created_at: Schema.DateTimeUtc,
}

/** Deliveries that wait for their next attempt. */
export const Deliveries = Table.make(
  "webhook_delivery",
  Schema.Struct({
    ...delivery,
    due_at: Schema.DateTimeUtc,
    /** While an attempt runs, when its lease ends. */
    leased_until: Schema.NullOr(Schema.DateTimeUtc),
    /** Why the last attempt failed; null before the first failure. */
    reason: Schema.NullOr(Schema.String),
  }),
  { key: "id", indexed: ["due_at", ["webhook_id", "due_at"], ["webhook_id", "subject", "id"]] },
)
export type Delivery = Table.Row<typeof Deliveries>

/** Deliveries that were set aside, for operators. */
export const DeadDeliveries = Table.make(
  "webhook_dead",
  Schema.Struct({ ...delivery, reason: Schema.String, died_at: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc }),
  { key: "id", indexed: [["webhook_id", "id"]], expires: "expires_at" },
)
