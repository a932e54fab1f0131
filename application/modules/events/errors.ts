import { define } from "../../../domain/errors.ts"

export const WebhookNotFound = define("webhook_not_found", 404, "There is no such webhook, or it is in the configuration.", {
  remedy: "Read the webhooks from `GET /admin/webhooks/list`. Those of the configuration can be changed only in its file.",
})
