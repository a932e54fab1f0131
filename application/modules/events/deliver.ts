import { DateTime, Duration, Effect, Option, Random } from "effect"
import {
  insert,
  isCommitted,
  put,
  remove,
  removeVersioned,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../domain/ports/store.ts"
import { type WebhookAnswer, WebhookSender } from "../../../domain/ports/webhook-sender.ts"
import { makeWorkers, page } from "../../../domain/storage/workers.ts"
import type { Settings, Webhook } from "./settings.ts"
import { DeadDeliveries, Deliveries, type Delivery, States } from "./tables.ts"
import { enabledWebhooks, isWornOut, statesOf } from "./webhooks.ts"

/** Seconds between two attempts (Standard Webhooks), three days in total. */
export const delays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000]
/**
 * Longer than an attempt, so that two processes never send the same delivery at once: 15 seconds for the receiver and 5 for the commit
 * before it. The rest is for clocks that differ. What a killed process has leased waits as long.
 */
export const lease = Duration.seconds(30)
/** How long later events of a subject wait behind one that fails. */
const inOrderFor = Duration.minutes(5)
const deadFor = Duration.days(30)

/** A webhook during a round. */
interface Attempted extends Webhook {
  /** Whether it has a state that a success has to remove. */
  isFailing: boolean
}

/** Rounds of deliveries in the background. */
export const deliveries = (settings: Settings) => {
  const { start, settled } = makeWorkers()
  const round = Effect.gen(function* deliverDue() {
    const failing = new Set((yield* statesOf(settings)).map(({ id }) => id))
    const webhooks = (yield* enabledWebhooks(settings)).map((webhook) => ({ ...webhook, isFailing: failing.has(webhook.id) }))
    yield* start(webhooks.map((webhook) => receiverOf(webhook, settings)))
    yield* setAsideUnknown(webhooks)
  })
  return { round, settled }
}

/** An event waits for the one before it of the same subject. */
const receiverOf = (webhook: Attempted, settings: Settings) => ({
  id: webhook.id,
  due: Effect.map(dueOf({ webhook_id: webhook.id }), (rows) => [...Map.groupBy(rows.toSorted(byId), ({ subject }) => subject).values()]),
  lease: leased,
  attempt: (delivery: Delivery) => attempt(delivery, webhook, settings),
  isFailing: () => webhook.isFailing,
})

/** The deliveries that are due, of one webhook or of all. */
const dueOf = Effect.fnUntraced(function* dueDeliveries(where: { readonly webhook_id?: string }) {
  const rows = yield* (yield* Store).list(Deliveries, where, { limit: page, order: "due_at" })
  const now = yield* DateTime.now
  return rows.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
})

const setAsideUnknown = Effect.fnUntraced(function* setAsideUnknown(webhooks: ReadonlyArray<Attempted>) {
  const known = new Set(webhooks.map(({ id }) => id))
  const unknown = (yield* dueOf({})).filter(({ webhook_id }) => !known.has(webhook_id))
  yield* Effect.forEach(unknown, (delivery) => setAside(delivery, "the webhook is disabled or removed"), { discard: true })
})

const byId = (one: Delivery, other: Delivery) => (one.id < other.id ? -1 : 1)

const attempt = Effect.fnUntraced(function* attemptDelivery(delivery: Delivery, webhook: Attempted, settings: Settings) {
  const sender = yield* WebhookSender
  const { url, secrets } = webhook
  const message = { id: delivery.event_id, url, secrets, body: delivery.body, allow_private: settings.allow_private_addresses }
  const answer = yield* Effect.onInterrupt(sender.send(message), () => released(delivery))
  yield* answer.isAccepted ? accepted(delivery, webhook) : refused(delivery, answer, webhook)
  return answer.isAccepted
})

/**
 * Leases a due delivery. "busy" if another process delivers to the subject: its deliveries are left as they are, since the next is due as
 * soon as that one is done. Undefined if this delivery is done, or waits behind an earlier one that fails.
 */
const leased = Effect.fnUntraced(function* leaseDelivery({ id, webhook_id, subject }: Delivery) {
  const { list, read } = yield* Store
  const [row, [first]] = yield* together(read(Deliveries, { id }), list(Deliveries, { webhook_id, subject }, { limit: 1, order: "id" }))
  const found = Option.getOrUndefined(row)
  if (found === undefined) return undefined
  const now = yield* DateTime.now
  if (isLeased(found.row, now)) return "busy"
  if (DateTime.isGreaterThan(found.row.due_at, now)) return undefined
  const before = first?.id === id ? undefined : first
  if (before !== undefined && isLeased(before, now)) return "busy"
  const waitsUntil = DateTime.addDuration(found.row.created_at, inOrderFor)
  const isBehind = before !== undefined && DateTime.isLessThan(now, waitsUntil)
  const leased_until = DateTime.addDuration(now, lease)
  const changes = isBehind
    ? { due_at: DateTime.min(DateTime.max(before.due_at, DateTime.add(now, { seconds: 1 })), waitsUntil) }
    : { due_at: leased_until, leased_until, attempts: found.row.attempts + 1 }
  const isDone = yield* isCommitted([update(Deliveries, found, changes)])
  if (isBehind) return undefined
  return isDone ? { ...found.row, ...changes } : "busy"
})

export const isLeased = ({ leased_until }: Delivery, now: DateTime.Utc) =>
  leased_until !== null && DateTime.isGreaterThan(leased_until, now)

/** Reads that the store answers in one round trip. */
const together = <A, B, R>(one: Effect.Effect<A, never, R>, other: Effect.Effect<B, never, R>) =>
  Effect.all([one, other], { concurrency: 2 })

/** Commits only while this lease is current. */
const finish = Effect.fnUntraced(function* finishDelivery(delivery: Delivery, writes: (row: Versioned<Delivery>) => ReadonlyArray<Write>) {
  const row = Option.getOrUndefined(yield* (yield* Store).read(Deliveries, { id: delivery.id }))
  if (row?.row.attempts === delivery.attempts) yield* isCommitted(writes(row))
})

/** Ends the lease of an attempt that the stop of this process interrupts: the next process need not wait for it. */
const released = Effect.fnUntraced(function* releasedDelivery(delivery: Delivery) {
  const due_at = yield* DateTime.now
  yield* finish(delivery, (row) => [update(Deliveries, row, { due_at, leased_until: null, attempts: delivery.attempts - 1 })])
})

/** An accepted delivery is over, even if its lease has ended and another process tries it as well. */
const accepted = Effect.fnUntraced(function* acceptedDelivery({ id, webhook_id }: Delivery, webhook: Attempted) {
  yield* isCommitted([remove(Deliveries, id)])
  if (!webhook.isFailing) return
  webhook.isFailing = false
  const state = Option.getOrUndefined(yield* (yield* Store).read(States, { id: webhook_id }))
  if (state !== undefined && state.row.disabled_at === null) yield* isCommitted([removeVersioned(States, state)])
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
  const { id, attempts } = delivery
  const { reason } = answer
  yield* Effect.annotateLogs(Effect.logWarning("an event could not be delivered yet"), { id, attempts, reason })
  return yield* finish(delivery, (row) => [update(Deliveries, row, { due_at, leased_until: null, reason })])
})

const setAside = Effect.fnUntraced(function* setAside({ due_at: _, leased_until: __, ...delivery }: Delivery, reason: string) {
  const died_at = yield* DateTime.now
  const dead = { ...delivery, reason, died_at, expires_at: DateTime.addDuration(died_at, deadFor) }
  const { id, attempts } = delivery
  yield* Effect.annotateLogs(Effect.logError("an event could not be delivered, no further attempts"), { id, attempts, reason })
  yield* finish({ ...delivery, due_at: died_at, leased_until: null }, (row) => [
    removeVersioned(Deliveries, row),
    put(DeadDeliveries, dead),
  ])
})

/** Records the first failure, and disables a webhook whose receiver is gone (410) or has failed for too long. */
const noteFailure = Effect.fnUntraced(function* noteFailure(
  id: string,
  { reason, isGone }: { readonly reason: string; readonly isGone: boolean },
) {
  const now = yield* DateTime.now
  const state = Option.getOrUndefined(yield* (yield* Store).read(States, { id }))
  const failing_since = state?.row.failing_since ?? now
  const isOver = isGone || isWornOut(failing_since, now)
  const row = { id, failing_since, disabled_at: isOver ? now : null, reason }
  if (state !== undefined && (state.row.disabled_at !== null || (!isOver && state.row.reason === reason))) return
  yield* isCommitted([state === undefined ? insert(States, row) : update(States, state, row)])
  if (isOver) yield* Effect.annotateLogs(Effect.logError("a webhook is disabled"), { id, reason })
})
