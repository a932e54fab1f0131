import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { type PendingMessage, PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { type ModuleHealth, Policies } from "../../../../domain/policies.ts"
import { ServiceState, type ShownSetting } from "../../../../domain/ports/service-state.ts"
import { Store } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"

/** Rows of a queue that are counted. */
const mostCounted = 1000

const Queue = Schema.Struct({
  receiver: Schema.String.pipe(Schema.annotateKey({ description: "`mail`, `sms`, or the kind of other receivers." })),
  waiting: Schema.Int,
  capped: Schema.Boolean.pipe(Schema.annotateKey({ description: `Whether more wait: the oldest ${mostCounted} of a queue are counted.` })),
  oldest_s: Schema.Int.pipe(Schema.annotateKey({ description: "For how many seconds the oldest one has waited." })),
}).annotate({ identifier: "HealthQueue" })

const Health = Schema.Struct({
  processes: Schema.Array(
    Schema.Struct({ version: Schema.String, started_at: Schema.DateTimeUtc, draining: Schema.Boolean }).annotate({
      identifier: "HealthProcess",
    }),
  ).pipe(Schema.annotateKey({ description: "The process that answers." })),
  store: Schema.Struct({ ms: Schema.Int }).annotate({ identifier: "HealthStore" }),
  queues: Schema.Array(Queue),
  seal_age_s: Schema.NullOr(Schema.Int).pipe(
    Schema.annotateKey({
      description: "For how many seconds the oldest record of the audit log has waited for its seal; null without the log.",
    }),
  ),
  findings: Schema.Array(
    Schema.Struct({
      module: Schema.String,
      severity: Schema.Literals(["note", "warning"]).annotate({ identifier: "FindingSeverity" }),
      text: Schema.String,
    }).annotate({ identifier: "HealthFinding" }),
  ),
})

/** The oldest messages, by the kind of their receivers. */
const outboxQueues = Effect.gen(function* outboxQueues() {
  const rows = yield* (yield* Store).list(PendingMessages, {}, { limit: mostCounted + 1, order: "id" })
  const now = yield* DateTime.now
  const kindOf = ({ receiver }: PendingMessage) => receiver?.split(":", 1)[0] ?? "other"
  return [...Map.groupBy(rows.slice(0, mostCounted), kindOf)].map(([receiver, [oldest, ...others]]) => ({
    receiver,
    waiting: others.length + 1,
    capped: rows.length > mostCounted,
    oldest_s: oldest === undefined ? 0 : Math.max(0, Math.floor(Duration.toSeconds(DateTime.distance(oldest.created_at, now)))),
  }))
})

const timed = Effect.fnUntraced(function* timedPing() {
  const begun = yield* Clock.currentTimeMillis
  yield* (yield* Store).ping
  return (yield* Clock.currentTimeMillis) - begun
})

const health = Endpoint.make({
  method: "GET",
  path: "/admin/health",
  summary: "The state of the service: the process, the store, the queues, the audit log, and what `doctor` finds in the settings.",
  access: { permission: "health:read" },
  output: Health,
  handler: Effect.fnUntraced(function* adminHealth() {
    const state = yield* ServiceState
    const ms = yield* timed()
    const ofModules: ReadonlyArray<ModuleHealth> = yield* (yield* Policies).health
    const queues = [...(yield* outboxQueues), ...ofModules.flatMap(({ queue }) => queue ?? [])]
    const seal_age_s = ofModules.find((each) => each.seal_age_s !== undefined)?.seal_age_s ?? null
    const processes = state === null ? [] : [{ version: state.version, started_at: state.started_at, draining: state.isDraining() }]
    const findings = state === null ? [] : yield* state.findings
    return Endpoint.reply({ processes, store: { ms }, queues, seal_age_s, findings })
  }),
})

const Entry = Schema.Struct({
  path: Schema.String,
  value: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "As JSON; `set` for a secret. Null without a value, and for what is not shown, such as addresses." }),
  ),
  secret: Schema.Boolean,
  source: Schema.Literals(["file", "variable", "default"]).annotate({ identifier: "SettingSource" }),
  default: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "As JSON; null without one." })),
}).annotate({ identifier: "SettingEntry" })

const settings = Endpoint.make({
  method: "GET",
  path: "/admin/settings",
  summary: "The settings that apply, with their source and default. Numbers, switches, choices and a few texts are shown, secrets never.",
  access: { permission: "settings:read" },
  output: Schema.Struct({ entries: Schema.Array(Entry) }),
  handler: Effect.fnUntraced(function* adminSettings() {
    const state = yield* ServiceState
    const entries: ReadonlyArray<ShownSetting> = state === null ? [] : yield* state.settings
    return Endpoint.reply({ entries })
  }),
})

export const stateEndpoints = [health, settings] as const
