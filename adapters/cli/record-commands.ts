import { Command } from "effect/cli"
import { argument, json, listing } from "../flags.ts"
import { listOutbox, type RecordWork, retryOutbox, revokeSession } from "./records.ts"
import type { StoreCommand } from "./store-command.ts"

const session = { session: argument("session", "The session's id"), json }
const message = { message: argument("message", "The message's id"), json }

/** `session revoke`. */
export const sessionCommand = <S>(onStore: StoreCommand<RecordWork, S>) =>
  Command.make("session").pipe(
    Command.withDescription("End sessions in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([onStore("revoke", "End one session; `user sessions` lists the sessions of a user", session, revokeSession)]),
  )

/** `outbox list` and `outbox retry`. */
export const outboxCommand = <S>(onStore: StoreCommand<RecordWork, S>) =>
  Command.make("outbox").pipe(
    Command.withDescription("Show and repeat mails and short messages that wait or were given up"),
    Command.withSubcommands([
      onStore("list", "List the messages, without recipient and content", listing, listOutbox),
      onStore("retry", "Send a message now; one that was given up is retried like a new one", message, retryOutbox),
    ]),
  )
