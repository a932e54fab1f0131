import { Argument, Command, Flag } from "effect/cli"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import { listOutbox, type RecordWork, retryOutbox, revokeSession } from "./records.ts"

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
export const sessionCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<RecordWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("session").pipe(
    Command.withDescription("End sessions in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("revoke", session, (input) => runOnStore(() => revokeSession(input))).pipe(
        Command.withDescription("End one session; `user sessions` lists the sessions of a user"),
      ),
    ]),
  )
}

/** `outbox list` and `outbox retry`. */
export const outboxCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<RecordWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("outbox").pipe(
    Command.withDescription("Show and repeat mails and short messages that wait or were given up"),
    Command.withSubcommands([
      Command.make("list", { limit: limitFlag, json: jsonFlag }, (input) => runOnStore(() => listOutbox(input))).pipe(
        Command.withDescription("List the messages, without recipient and content"),
      ),
      Command.make("retry", message, (input) => runOnStore(() => retryOutbox(input))).pipe(
        Command.withDescription("Make a message due now; one that was given up is retried like a new one"),
      ),
    ]),
  )
}
