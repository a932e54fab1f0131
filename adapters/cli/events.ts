import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { enable, hasten, listDeliveries, replay, setAsideOf, waitingOf } from "../../application/modules/events/replay.ts"
import { operator } from "../../domain/administration/principal.ts"
import type { Configuration } from "../config/load.ts"
import { argument, type Given, json, type Listing, listing, text } from "../flags.ts"
import { stop } from "../process/stop.ts"
import { printResult, printRows } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { demandModule, stopOnRefusal } from "./users.ts"

// Commands on events that are delivered to webhooks.

const replayed = {
  delivery: argument("delivery", "The delivery's id").pipe(Argument.optional),
  webhook: text("webhook", "The deliveries to the webhook with this id, at most 2000"),
  json,
}

const one = { webhook: argument("webhook", "The webhook's id"), json }

export type EventsWork = ReturnType<typeof listEvents | typeof replayEvents | typeof enableWebhook>

const demandEvents = demandModule("events", ": there are no webhooks")

export const listEvents = Effect.fnUntraced(function* listEvents({ limit, json }: Listing, configuration: Configuration) {
  yield* demandEvents(configuration)
  yield* printRows(yield* listDeliveries(limit), json)
})

/** Makes one delivery due now, or all of a webhook: those that were set aside, and those that wait for their next attempt. */
export const replayEvents = Effect.fnUntraced(function* replayEvents(
  { delivery, webhook, json }: Given<typeof replayed>,
  configuration: Configuration,
) {
  yield* demandEvents(configuration)
  const dead = Option.isSome(webhook) ? yield* setAsideOf(webhook.value) : Option.toArray(delivery)
  const waiting = Option.isSome(webhook) ? yield* waitingOf(webhook.value) : Option.toArray(delivery)
  const hastened = yield* Effect.filter(waiting, hasten)
  const done = [...hastened, ...(yield* Effect.filter(dead, replay))]
  if (done.length === 0)
    return yield* stop("No such delivery was set aside or waits for more than a minute; `events list` shows all of them.")
  yield* printResult(`${done.length} deliveries are due now.`, { replayed: done.length }, json)
})

export const enableWebhook = Effect.fnUntraced(function* enableWebhook({ webhook, json }: Given<typeof one>, configuration: Configuration) {
  yield* demandEvents(configuration)
  if (!(yield* stopOnRefusal(enable(webhook, operator)))) return yield* stop(`No webhook with the id ${webhook} is disabled.`)
  yield* printResult(`Webhook ${webhook} is enabled.`, { id: webhook, enabled: true }, json)
})

export const eventsCommand = <S>(onStore: StoreCommand<EventsWork, S>) =>
  Command.make("events").pipe(
    Command.withDescription("Show and repeat deliveries of events to webhooks; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "List the deliveries that wait or were set aside, without their content", listing, listEvents),
      onStore(
        "replay",
        "Send deliveries now that were set aside or wait for their next attempt: one, or those of a webhook",
        replayed,
        replayEvents,
      ),
      onStore("enable", "Enable a webhook that was disabled", one, enableWebhook),
    ]),
  )
