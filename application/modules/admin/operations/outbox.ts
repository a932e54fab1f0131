import { Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { discardMessage, type OutboxEntry, pageOfMessages, retryMessage } from "../../../../domain/mail/outbox-retry.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { defaultPageSize, keyCursor, keyOfCursor, NextPage, nextPage, PageInput } from "../../../service/paging.ts"
import { MessageNotFound } from "./errors.ts"

const State = Schema.Literals(["waiting", "dead"]).annotate({ identifier: "OutboxState" })

/** The form of a message for administrators: no recipient, no text, and no text of a mail server, which could repeat them. */
const ShownMessage = Schema.Struct({
  id: Schema.String,
  kind: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "`mail`, `sms`, or the kind of a message to another service. Null in rows of earlier versions." }),
  ),
  state: State,
  attempts: Schema.Int,
  last_code: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "The code of the last failure, such as `550`. Null without a failure, or if it had none." }),
  ),
  created_at: Schema.DateTimeUtc,
  due_at: Schema.NullOr(Schema.DateTimeUtc).pipe(Schema.annotateKey({ description: "The next attempt; null: none follows." })),
}).annotate({ identifier: "OutboxMessage" })

/** A status of SMTP or HTTP, or the code of a connection that failed. */
const codeIn = (reason: string) => reason.match(/^E[A-Z]+(?=[: ])|(?<=^|[A-Za-z] )[1-5]\d{2}(?=$|[ ,])/)?.[0] ?? null

const shown = ({ id, receiver, state, attempts, reason, created_at, at }: OutboxEntry): typeof ShownMessage.Type => ({
  id,
  kind: receiver?.split(":", 1)[0] ?? null,
  state: state === "pending" ? "waiting" : "dead",
  attempts,
  last_code: reason === null ? null : codeIn(reason),
  created_at,
  due_at: state === "pending" ? at : null,
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/outbox/list",
  summary: "Messages that wait to be delivered or were given up, without recipient and text, the oldest first.",
  access: { permission: "outbox:read" },
  input: Schema.Struct({ state: Schema.optionalKey(State), ...PageInput }),
  output: Schema.Struct({ messages: Schema.Array(ShownMessage), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListOutbox({ state, ...request }) {
    const { limit = defaultPageSize, cursor } = request
    const asked = state === undefined ? undefined : state === "waiting" ? "pending" : "given_up"
    const { messages, next } = yield* pageOfMessages(asked, limit, cursor === undefined ? "" : keyOfCursor(cursor))
    return Endpoint.reply({ messages: messages.map(shown), ...nextPage(request, next === null ? null : keyCursor(next)) })
  }),
})

const One = Schema.Struct({ message_id: Schema.String })

export const retryPath = "/admin/outbox/retry"
export const discardPath = "/admin/outbox/discard"

const retry = Endpoint.make({
  method: "POST",
  path: retryPath,
  summary: "Sends a message now. One that was given up is retried like a new one.",
  access: { permission: "outbox:retry" },
  input: One,
  output: Endpoint.Success,
  errors: [MessageNotFound],
  handler: Effect.fnUntraced(function* adminRetryMessage({ message_id }) {
    if (!(yield* retryMessage(message_id, ofPrincipal))) return yield* new MessageNotFound()
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

const discard = Endpoint.make({
  method: "POST",
  path: discardPath,
  summary: "Removes a message from the outbox: it is not sent any more.",
  access: { permission: "outbox:retry" },
  input: One,
  output: Endpoint.Success,
  errors: [MessageNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminDiscardMessage({ message_id }) {
    if (!(yield* discardMessage(message_id, ofPrincipal))) return yield* new MessageNotFound()
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

export const outboxEndpoints = [list, retry, discard] as const
