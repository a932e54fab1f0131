import { Effect, Option } from "effect"
import { enable, listDeliveries, replay, setAsideOf } from "../../application/modules/events/replay.ts"
import type { Configuration } from "../config/load.ts"
import { printResult, printRows } from "./printed.ts"
import { codes, Stop } from "./stop.ts"

// Commands on events that are delivered to webhooks.

/** One of the commands below. */
export type EventsWork = ReturnType<typeof listEvents | typeof replayEvents | typeof enableWebhook>

const stop = (line: string, code: number = codes.failed) => new Stop({ code, lines: [line] })

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

/** Makes one delivery due again, or all that were set aside for a webhook. */
export const replayEvents = Effect.fnUntraced(function* replayEvents(
  {
    delivery,
    webhook,
    json,
  }: { readonly delivery: Option.Option<string>; readonly webhook: Option.Option<string>; readonly json: boolean },
  configuration: Configuration,
) {
  yield* demandEvents(configuration)
  const ids = Option.isSome(webhook) ? yield* setAsideOf(webhook.value) : Option.toArray(delivery)
  const done = yield* Effect.filter(ids, replay)
  if (done.length === 0) return yield* stop("No such delivery was set aside; `events list` shows them.")
  yield* printResult(`${done.length} deliveries are due now.`, { replayed: done.length }, json)
})

export const enableWebhook = Effect.fnUntraced(function* enableWebhook(
  { webhook, json }: { readonly webhook: string; readonly json: boolean },
  configuration: Configuration,
) {
  yield* demandEvents(configuration)
  yield* enable(webhook)
  yield* printResult(`Webhook ${webhook} is enabled.`, { id: webhook, enabled: true }, json)
})
