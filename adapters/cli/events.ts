import { Effect, Option } from "effect"
import { enable, hasten, listDeliveries, replay, setAsideOf, waitingOf } from "../../application/modules/events/replay.ts"
import type { Configuration } from "../config/load.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import { printResult, printRows } from "./printed.ts"

// Commands on events that are delivered to webhooks.

/** One of the commands below. */
export type EventsWork = ReturnType<typeof listEvents | typeof replayEvents | typeof enableWebhook>

const demandEvents = ({ modules }: Configuration) =>
  modules.some(({ name }) => name === "events")
    ? Effect.void
    : stop("modules.events: found nothing, wanted at least {}: there are no webhooks", codes.configuration)

export const listEvents = Effect.fnUntraced(function* listEvents(
  { limit, json }: { readonly limit: number; readonly json: boolean },
  configuration: Configuration,
) {
  yield* demandEvents(configuration)
  yield* printRows(yield* listDeliveries(limit), json)
})

/** Makes one delivery due now, or all of a webhook: those that were set aside, and those that wait for their next attempt. */
export const replayEvents = Effect.fnUntraced(function* replayEvents(
  {
    delivery,
    webhook,
    json,
  }: { readonly delivery: Option.Option<string>; readonly webhook: Option.Option<string>; readonly json: boolean },
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

export const enableWebhook = Effect.fnUntraced(function* enableWebhook(
  { webhook, json }: { readonly webhook: string; readonly json: boolean },
  configuration: Configuration,
) {
  yield* demandEvents(configuration)
  if (!(yield* enable(webhook))) return yield* stop(`No webhook with the id ${webhook} is disabled.`)
  yield* printResult(`Webhook ${webhook} is enabled.`, { id: webhook, enabled: true }, json)
})
