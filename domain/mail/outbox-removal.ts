import { Effect, Option, Stream } from "effect"
import { removeEach, rowsOf } from "../ports/store.ts"
import { DeadLetters, open, PendingMessages } from "./outbox-tables.ts"

const page = 100

/** The writes that remove all messages to these addresses and numbers. Their recipients are encrypted, so each message is opened. */
export const messageRemovals = Effect.fnUntraced(function* messageRemovals(recipients: ReadonlyArray<string>) {
  const idsIn = (table: typeof PendingMessages | typeof DeadLetters) =>
    rowsOf<typeof PendingMessages | typeof DeadLetters>(table, {}, { limit: page, order: "id" }).pipe(
      Stream.filterEffect(({ sealed }) =>
        Effect.map(open(sealed), (payload) => Option.exists(payload, ({ to }) => to !== null && recipients.includes(to))),
      ),
      Stream.map(({ id }) => id),
      Stream.runCollect,
    )
  return [removeEach(PendingMessages, yield* idsIn(PendingMessages)), removeEach(DeadLetters, yield* idsIn(DeadLetters))]
})
