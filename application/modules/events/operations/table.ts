import { DateTime, Effect, Schema } from "effect"
import { put } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"

/** What an administrator did last with a webhook, also with one of the configuration, which has no row of its own. */
export const WebhookOperations = Table.make(
  "webhook_operation",
  Schema.Struct({
    webhook_id: Schema.String,
    operation: Schema.Literals(["test", "replay"]),
    /** The number of deliveries that were added or hastened. */
    deliveries: Schema.Int,
    at: Schema.DateTimeUtc,
    expires_at: Schema.DateTimeUtc,
  }),
  { key: "webhook_id", expires: "expires_at" },
)

const keptDays = 30

/** Notes what an administrator does, for the audit log. */
export const noted = Effect.fnUntraced(function* notedOperation(webhook_id: string, operation: "test" | "replay", deliveries: number) {
  const at = yield* DateTime.now
  return put(WebhookOperations, { webhook_id, operation, deliveries, at, expires_at: DateTime.add(at, { days: keptDays }) })
})
