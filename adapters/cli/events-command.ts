import { Argument, Command, Flag } from "effect/cli"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import { type EventsWork, enableWebhook, listEvents, replayEvents } from "./events.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"

const replayed = {
  delivery: Argument.String("delivery").pipe(Argument.withDescription("The delivery's id"), Argument.optional),
  webhook: Flag.String("webhook").pipe(Flag.withDescription("The deliveries to the webhook with this id, at most 2000"), Flag.optional),
  json: jsonFlag,
}

const webhook = { webhook: Argument.String("webhook").pipe(Argument.withDescription("The webhook's id")), json: jsonFlag }

/** `events list`, `events replay` and `events enable`. */
export const eventsCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<EventsWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("events").pipe(
    Command.withDescription("Show and repeat deliveries of events to webhooks; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("list", { limit: limitFlag, json: jsonFlag }, (input) =>
        runOnStore((configuration) => listEvents(input, configuration)),
      ).pipe(Command.withDescription("List the deliveries that wait or were set aside, without their content")),
      Command.make("replay", replayed, (input) => runOnStore((configuration) => replayEvents(input, configuration))).pipe(
        Command.withDescription("Send deliveries now that were set aside or wait for their next attempt: one, or those of a webhook"),
      ),
      Command.make("enable", webhook, (input) => runOnStore((configuration) => enableWebhook(input, configuration))).pipe(
        Command.withDescription("Enable a webhook that was disabled"),
      ),
    ]),
  )
}
