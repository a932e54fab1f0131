import { DateTime, Duration, Effect, Option, Random } from "effect"
import type { Versioned, Write } from "../../../domain/ports/store.ts"
import { insert, put, removeVersioned, Store, update } from "../../../domain/ports/store.ts"
import { type WebhookAnswer, WebhookSender } from "../../../domain/ports/webhook-sender.ts"
import type { Settings, Webhook } from "./settings.ts"
import { DeadDeliveries, Deliveries, type Delivery, States } from "./tables.ts"
import { enabledWebhooks, isWornOut } from "./webhooks.ts"

/** Seconds between two attempts (Standard Webhooks). With the last of them a delivery has been tried for three days. */
export const delays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000]
/** Longer than an attempt, so that two processes never send the same delivery at once. */
const lease = Duration.minutes(1)
/** How long later events of a subject wait behind one that fails. */
const inOrderFor = Duration.minutes(5)
const deadFor = Duration.days(30)
const page = 100
const concurrency = 8

/** Batches of one round; the next round follows after a second. */
const batches = 20

/** Tries the deliveries that are due, in batches. */
export const deliverAll = (settings: Settings) =>
  Effect.gen(function* deliverBatches() {
    for (let left = batches; left > 0; left--) if ((yield* deliver(settings)) < page) return
  })

/** Tries a batch of deliveries that are due, and returns their number. */
export const deliver = (settings: Settings) =>
  Effect.gen(function* deliverDue() {
    const { list } = yield* Store
    const now = yield* DateTime.now
    const rows = yield* list(Deliveries, {}, { limit: page, order: "due_at" })
    const due = rows.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
    if (due.length === 0) return 0
    const webhooks = new Map((yield* enabledWebhooks(settings)).map((webhook) => [webhook.id, webhook]))
    const each = ({ id, webhook_id }: Delivery) => deliverOne(id, webhooks.get(webhook_id), settings)
    // One after another for each subject: the next event waits for the one before it.
    const groups = Map.groupBy(due.toSorted(byId), ({ webhook_id, subject }) => `${webhook_id} ${subject}`)
    yield* Effect.forEach(groups.values(), (group) => Effect.forEach(group, each, { discard: true }), { concurrency, discard: true })
    return due.length
  })

const byId = (one: Delivery, other: Delivery) => (one.id < other.id ? -1 : 1)

const deliverOne = Effect.fnUntraced(function* deliverOne(id: string, webhook: Webhook | undefined, settings: Settings) {
  const held = yield* leased(id)
  if (held === undefined) return
  if (webhook === undefined) return yield* setAside(held, "the webhook is disabled or removed")
  const sender = yield* WebhookSender
  const { url, secrets } = webhook
  const message = { id: held.event_id, url, secrets, body: held.body, allow_private: settings.allow_private_addresses }
  const answer = yield* sender.send(message)
  return yield* answer.isAccepted ? accepted(held) : refused(held, answer)
})

/** Leases a due delivery. Undefined if another process has it, or if an earlier event of the subject has to go first. */
const leased = Effect.fnUntraced(function* leaseDelivery(id: string) {
  const { commit, list, read } = yield* Store
  const found = Option.getOrUndefined(yield* read(Deliveries, { id }))
  const now = yield* DateTime.now
  if (found === undefined || DateTime.isGreaterThan(found.row.due_at, now)) return undefined
  const { webhook_id, subject, created_at, attempts } = found.row
  const [first] = yield* list(Deliveries, { webhook_id, subject }, { limit: 1, order: "id" })
  const waitsUntil = DateTime.addDuration(created_at, inOrderFor)
  const isBehind = first !== undefined && first.id !== id && DateTime.isLessThan(now, waitsUntil)
  const due_at = isBehind ? DateTime.min(soonAfter(first.due_at, now), waitsUntil) : DateTime.addDuration(now, lease)
  const changes = isBehind ? { due_at } : { due_at, attempts: attempts + 1 }
  const isDone = yield* ifUnchanged(commit([update(Deliveries, found, changes)]))
  return isDone && !isBehind ? { ...found.row, ...changes } : undefined
})

/** Five seconds from now, or earlier if the moment is earlier: the event before it may be on its way in another process. */
const soonAfter = (moment: DateTime.Utc, now: DateTime.Utc) => DateTime.min(moment, DateTime.add(now, { seconds: 5 }))

const ifUnchanged = <R>(commit: Effect.Effect<void, unknown, R>) => Effect.match(commit, { onSuccess: () => true, onFailure: () => false })

/** Commits only while this lease is current. */
const finish = Effect.fnUntraced(function* finishDelivery(held: Delivery, writes: (row: Versioned<Delivery>) => ReadonlyArray<Write>) {
  const { commit, read } = yield* Store
  const row = Option.getOrUndefined(yield* read(Deliveries, { id: held.id }))
  if (row?.row.attempts === held.attempts) yield* ifUnchanged(commit(writes(row)))
})

const accepted = Effect.fnUntraced(function* acceptedDelivery(held: Delivery) {
  const { commit, read } = yield* Store
  yield* finish(held, (row) => [removeVersioned(Deliveries, row)])
  const state = Option.getOrUndefined(yield* read(States, { id: held.webhook_id }))
  if (state !== undefined && state.row.disabled_at === null) yield* ifUnchanged(commit([removeVersioned(States, state)]))
})

const refused = Effect.fnUntraced(function* refusedDelivery(held: Delivery, answer: WebhookAnswer & { readonly isAccepted: false }) {
  const delay = delays[held.attempts - 1]
  yield* noteFailure(held.webhook_id, answer)
  if (delay === undefined || answer.isGone) return yield* setAside(held, answer.reason)
  const spread = 0.8 + 0.4 * (yield* Random.next)
  const wanted = Math.min(Math.max(answer.retryAfter ?? 0, delay), 2 * delay)
  const due_at = DateTime.add(yield* DateTime.now, { seconds: Math.round(answer.retryAfter === null ? delay * spread : wanted) })
  yield* Effect.logWarning("an event could not be delivered yet", { id: held.id, attempts: held.attempts, reason: answer.reason })
  return yield* finish(held, (row) => [update(Deliveries, row, { due_at })])
})

const setAside = Effect.fnUntraced(function* setAside({ due_at: _, ...held }: Delivery, reason: string) {
  const died_at = yield* DateTime.now
  const dead = { ...held, reason, died_at, expires_at: DateTime.addDuration(died_at, deadFor) }
  yield* Effect.logError("an event could not be delivered, no further attempts", { id: held.id, attempts: held.attempts, reason })
  yield* finish({ ...held, due_at: died_at }, (row) => [removeVersioned(Deliveries, row), put(DeadDeliveries, dead)])
})

/** Notes the first failure, and disables a webhook whose receiver is gone or has failed for too long. */
const noteFailure = Effect.fnUntraced(function* noteFailure(
  id: string,
  { reason, isGone }: { readonly reason: string; readonly isGone: boolean },
) {
  const { commit, read } = yield* Store
  const now = yield* DateTime.now
  const state = Option.getOrUndefined(yield* read(States, { id }))
  const failing_since = state?.row.failing_since ?? now
  const isOver = isGone || isWornOut(failing_since, now)
  const row = { id, failing_since, disabled_at: isOver ? now : null, reason }
  if (state !== undefined && (state.row.disabled_at !== null || (!isOver && state.row.reason === reason))) return
  yield* ifUnchanged(commit([state === undefined ? insert(States, row) : update(States, state, row)]))
  if (isOver) yield* Effect.logError("a webhook is disabled", { id, reason })
})
