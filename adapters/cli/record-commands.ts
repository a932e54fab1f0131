import { Argument, Command, Flag } from "effect/cli"
import { listOutbox, type RecordWork, retryOutbox, revokeSession } from "./records.ts"
import type { StoreCommand } from "./store-command.ts"

/** `--json` of every command that prints a result. */
export const jsonFlag = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON, one object a line"), Flag.withDefault(false))

/** `--limit` of lists. */
export const limitFlag = Flag.Int("limit").pipe(
  Flag.withMetavar("NUMBER"),
  Flag.withDescription("The maximum number of lines (1 to 1000); default: 100"),
  Flag.withDefault(100),
  Flag.filter(
    (limit) => limit >= 1 && limit <= 1000,
    () => "Expected a number between 1 and 1000",
  ),
)

const session = { session: Argument.String("session").pipe(Argument.withDescription("The session's id")), json: jsonFlag }
const message = { message: Argument.String("message").pipe(Argument.withDescription("The message's id")), json: jsonFlag }

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
      onStore("list", "List the messages, without recipient and content", { limit: limitFlag, json: jsonFlag }, listOutbox),
      onStore("retry", "Send a message now; one that was given up is retried like a new one", message, retryOutbox),
    ]),
  )
