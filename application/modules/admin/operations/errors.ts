import { define } from "../../../../domain/errors.ts"

export const MessageNotFound = define("message_not_found", 404, "The outbox has no such message.", {
  remedy: "Read the messages from `GET /admin/outbox/list`. A message that was delivered is no longer there.",
})
