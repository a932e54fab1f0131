import { Effect } from "effect"
import * as Module from "../../service/module.ts"
import { deliveries } from "./deliver.ts"
import { distribute, eventWrites } from "./distribute.ts"
import { endpoints } from "./endpoints.ts"
import * as Errors from "./errors.ts"
import { gauges } from "./gauges.ts"
import { health } from "./health.ts"
import { operationEndpoints } from "./operations/endpoints.ts"
import { operationEvents, operationTypes } from "./operations/events.ts"
import { WebhookOperations } from "./operations/table.ts"
import * as Own from "./own-events.ts"
import { Settings, unknownPatterns } from "./settings.ts"
import { DeadDeliveries, Deliveries, Distribution, Events, States, Webhooks } from "./tables.ts"

/** Sends security events to other services by webhooks. */
export const events = Module.define({
  name: "events",
  errors: Object.values(Errors),
  settings: Settings,
  events: { ...Own.types, ...operationTypes },
  faults: (settings, { modules = {} }, { events }) => [
    ...(settings.operations === true && !("audit" in modules)
      ? [{ path: ["operations"], wanted: "modules.audit as well, whose records are sent once more" }]
      : []),
    ...settings.webhooks.flatMap(({ id }, at) =>
      settings.webhooks.findIndex((other) => other.id === id) === at ? [] : [{ path: ["webhooks", at, "id"], wanted: "each id once" }],
    ),
    ...unknownPatterns(settings, events),
  ],
  parts: (settings, { events }) => ({
    tables: [
      ...[Events, Distribution, Webhooks, States, Deliveries, DeadDeliveries],
      ...(settings.operations === true ? [WebhookOperations] : []),
    ],
    endpoints:
      settings.operations === true
        ? ([...endpoints(settings, events), ...operationEndpoints(settings)] as const)
        : endpoints(settings, events),
    rowEvents: settings.operations === true ? [...Own.events, ...operationEvents] : Own.events,
    recorded: eventWrites,
    health,
    gauges: gauges(settings),
    background: [{ every: 1000, run: Effect.andThen(distribute(settings), deliveries(settings).round) }],
  }),
})
