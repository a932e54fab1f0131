import { Argument, Command, Flag } from "effect/cli"
import { type EventsWork, enableWebhook, listEvents, replayEvents } from "./events.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"
import type { StoreCommand } from "./store-command.ts"

const replayed = {
  delivery: Argument.String("delivery").pipe(Argument.withDescription("The delivery's id"), Argument.optional),
  webhook: Flag.String("webhook").pipe(Flag.withDescription("The deliveries to the webhook with this id, at most 2000"), Flag.optional),
  json: jsonFlag,
}

const webhook = { webhook: Argument.String("webhook").pipe(Argument.withDescription("The webhook's id")), json: jsonFlag }

/** `events list`, `events replay` and `events enable`. */
export const eventsCommand = <S>(onStore: StoreCommand<EventsWork, S>) =>
  Command.make("events").pipe(
    Command.withDescription("Show and repeat deliveries of events to webhooks; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore(
        "list",
        "List the deliveries that wait or were set aside, without their content",
        { limit: limitFlag, json: jsonFlag },
        listEvents,
      ),
      onStore(
        "replay",
        "Send deliveries now that were set aside or wait for their next attempt: one, or those of a webhook",
        replayed,
        replayEvents,
      ),
      onStore("enable", "Enable a webhook that was disabled", webhook, enableWebhook),
    ]),
  )
