import { DateTime, Duration, Effect, Option, Random } from "effect"
import type { Versioned, Write } from "../../../domain/ports/store.ts"
import { insert, put, remove, removeVersioned, Store, update } from "../../../domain/ports/store.ts"
import { type WebhookAnswer, WebhookSender } from "../../../domain/ports/webhook-sender.ts"
import type { Settings, Webhook } from "./settings.ts"
import { DeadDeliveries, Deliveries, type Delivery, States } from "./tables.ts"
import { enabledWebhooks, isWornOut, statesOf } from "./webhooks.ts"

/** Seconds between two attempts (Standard Webhooks), three days in total. */
export const delays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000]
/** Longer than an attempt, so that two processes never send the same delivery at once. */
export const lease = Duration.minutes(1)
/** How long later events of a subject wait behind one that fails. */
const inOrderFor = Duration.minutes(5)
const deadFor = Duration.days(30)
const page = 100
/** Deliveries at once: many of them wait for a commit or a receiver. */
const concurrency = 16

/** A webhook during a batch. */
interface Attempted extends Webhook {
  /** Whether it has a state that a success has to remove. */
  isFailing: boolean
}

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
    const failing = new Set((yield* statesOf(settings)).map(({ id }) => id))
    const enabled = yield* enabledWebhooks(settings)
    const webhooks = new Map(
      enabled.map((webhook): [string, Attempted] => [webhook.id, { ...webhook, isFailing: failing.has(webhook.id) }]),
    )
    const each = (delivery: Delivery) => deliverOne(delivery, webhooks.get(delivery.webhook_id), settings)
    // One after another for each subject: the next event waits for the one before it.
    const groups = Map.groupBy(due.toSorted(byId), ({ webhook_id, subject }) => `${webhook_id} ${subject}`)
    // Another process may have the same list: in another order, the two rarely want the same delivery at once.
    const shuffled = yield* Random.shuffle(groups.values())
    yield* Effect.forEach(shuffled, (group) => Effect.forEach(group, each, { discard: true }), { concurrency, discard: true })
    return due.length
  })

const byId = (one: Delivery, other: Delivery) => (one.id < other.id ? -1 : 1)

const deliverOne = Effect.fnUntraced(function* deliverOne(listed: Delivery, webhook: Attempted | undefined, settings: Settings) {
  const delivery = yield* leased(listed)
  if (delivery === undefined) return
  if (webhook === undefined) return yield* setAside(delivery, "the webhook is disabled or removed")
  const sender = yield* WebhookSender
  const { url, secrets } = webhook
  const message = { id: delivery.event_id, url, secrets, body: delivery.body, allow_private: settings.allow_private_addresses }
  const answer = yield* sender.send(message)
  return yield* answer.isAccepted ? accepted(delivery, webhook) : refused(delivery, answer, webhook)
})

/** Leases a due delivery. Undefined if another process has it, or if an earlier event of the subject has to go first. */
const leased = Effect.fnUntraced(function* leaseDelivery({ id, webhook_id, subject }: Delivery) {
  const { commit, list, read } = yield* Store
  const [row, [first]] = yield* together(read(Deliveries, { id }), list(Deliveries, { webhook_id, subject }, { limit: 1, order: "id" }))
  const found = Option.getOrUndefined(row)
  const now = yield* DateTime.now
  if (found === undefined || DateTime.isGreaterThan(found.row.due_at, now)) return undefined
  const { created_at, attempts } = found.row
  const waitsUntil = DateTime.addDuration(created_at, inOrderFor)
  const isBehind = first !== undefined && first.id !== id && DateTime.isLessThan(now, waitsUntil)
  const due_at = isBehind ? DateTime.min(soonAfter(first.due_at, now), waitsUntil) : DateTime.addDuration(now, lease)
  const changes = isBehind ? { due_at } : { due_at, attempts: attempts + 1 }
  const isDone = yield* ifUnchanged(commit([update(Deliveries, found, changes)]))
  return isDone && !isBehind ? { ...found.row, ...changes } : undefined
})

/** The given time, but at most five seconds from now: another process may be delivering the earlier event. */
const soonAfter = (moment: DateTime.Utc, now: DateTime.Utc) => DateTime.min(moment, DateTime.add(now, { seconds: 5 }))

/** Reads that the store answers in one round trip. */
const together = <A, B, R>(one: Effect.Effect<A, never, R>, other: Effect.Effect<B, never, R>) =>
  Effect.all([one, other], { concurrency: 2 })

const ifUnchanged = <R>(commit: Effect.Effect<void, unknown, R>) => Effect.match(commit, { onSuccess: () => true, onFailure: () => false })

/** Commits only while this lease is current. */
const finish = Effect.fnUntraced(function* finishDelivery(delivery: Delivery, writes: (row: Versioned<Delivery>) => ReadonlyArray<Write>) {
  const { commit, read } = yield* Store
  const row = Option.getOrUndefined(yield* read(Deliveries, { id: delivery.id }))
  if (row?.row.attempts === delivery.attempts) yield* ifUnchanged(commit(writes(row)))
})

/** An accepted delivery is over, even if its lease has ended and another process tries it as well. */
const accepted = Effect.fnUntraced(function* acceptedDelivery({ id, webhook_id }: Delivery, webhook: Attempted) {
  const { commit, read } = yield* Store
  yield* ifUnchanged(commit([remove(Deliveries, id)]))
  if (!webhook.isFailing) return
  const state = Option.getOrUndefined(yield* read(States, { id: webhook_id }))
  if (state !== undefined && state.row.disabled_at === null) yield* ifUnchanged(commit([removeVersioned(States, state)]))
})

const refused = Effect.fnUntraced(function* refusedDelivery(
  delivery: Delivery,
  answer: WebhookAnswer & { readonly isAccepted: false },
  webhook: Attempted,
) {
  webhook.isFailing = true
  const delay = delays[delivery.attempts - 1]
  yield* noteFailure(delivery.webhook_id, answer)
  if (delay === undefined || answer.isGone) return yield* setAside(delivery, answer.reason)
  const spread = 0.8 + 0.4 * (yield* Random.next)
  const wanted = Math.min(Math.max(answer.retryAfter ?? 0, delay), 2 * delay)
  const due_at = DateTime.add(yield* DateTime.now, { seconds: Math.round(answer.retryAfter === null ? delay * spread : wanted) })
  yield* Effect.annotateLogs(Effect.logWarning("an event could not be delivered yet"), {
    id: delivery.id,
    attempts: delivery.attempts,
    reason: answer.reason,
  })
  return yield* finish(delivery, (row) => [update(Deliveries, row, { due_at, reason: answer.reason })])
})

const setAside = Effect.fnUntraced(function* setAside({ due_at: _, ...delivery }: Delivery, reason: string) {
  const died_at = yield* DateTime.now
  const dead = { ...delivery, reason, died_at, expires_at: DateTime.addDuration(died_at, deadFor) }
  yield* Effect.annotateLogs(Effect.logError("an event could not be delivered, no further attempts"), {
    id: delivery.id,
    attempts: delivery.attempts,
    reason,
  })
  yield* finish({ ...delivery, due_at: died_at }, (row) => [removeVersioned(Deliveries, row), put(DeadDeliveries, dead)])
})

/** Records the first failure, and disables a webhook whose receiver is gone (410) or has failed for too long. */
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
  if (isOver) yield* Effect.annotateLogs(Effect.logError("a webhook is disabled"), { id, reason })
})
