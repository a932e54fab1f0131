import { assert } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { delays, deliveries } from "../../../../application/modules/events/deliver.ts"
import { distribute } from "../../../../application/modules/events/distribute.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { enable, hasten, listDeliveries, replay, waitingOf } from "../../../../application/modules/events/replay.ts"
import { DeadDeliveries, Deliveries, Events, States, Webhooks } from "../../../../application/modules/events/tables.ts"
import { countDisabled } from "../../../../application/modules/events/webhooks.ts"
import { operator } from "../../../../domain/administration/principal.ts"
import { put, Store } from "../../../../domain/ports/store.ts"
import { type WebhookMessage, WebhookSender } from "../../../../domain/ports/webhook-sender.ts"
import { rulesOf } from "../../../rule.ts"
import { core, Receiver, rows, signedIn, signedUp, times } from "../../../world.ts"

const secret = `whsec_${"A".repeat(32)}`
const settingsOf = (webhooks: ReadonlyArray<object>) =>
  Schema.decodeUnknownSync(events.settings)({ webhooks: webhooks.map((each) => ({ secrets: [secret], ...each })) })
const accepting = { id: "accepting", url: "https://example.com/events", types: ["session.*", "user.created"] }
const refusing = { id: "refusing", url: "https://example.com/refusing" }
const gone = { id: "gone", url: "https://example.com/gone" }
const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
const built = events.build(settingsOf([]))
const rule = rulesOf([...core, administration, built])

/** Delivers what is due, and waits for the attempts. */
const deliver = (settings: ReturnType<typeof settingsOf>) =>
  Effect.suspend(() => {
    const { round, settled } = deliveries(settings)
    return Effect.andThen(round, settled)
  })
/** One round of the background work with these webhooks. */
const round = (...webhooks: ReadonlyArray<object>) => Effect.andThen(distribute(settingsOf(webhooks)), deliver(settingsOf(webhooks)))
/** Rounds until nothing is due. */
const rounds = (...webhooks: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    yield* distribute(settingsOf(webhooks))
    for (let left = 20; left > 0; left--) {
      yield* deliver(settingsOf(webhooks))
      yield* TestClock.adjust("1 second")
    }
  })
const received = Effect.map(Receiver, (messages) => messages.map(({ body }) => JSON.parse(body)))
const typesReceived = Effect.map(received, (bodies) => bodies.map(({ type }) => type))

rule("delivers the events that a webhook wants, without address and browser", function* () {
  const { user } = yield* signedUp("ada@example.com")
  yield* rounds(accepting)
  assert.deepStrictEqual(yield* typesReceived, ["user.created", "session.opened"])
  const [message] = yield* Receiver
  const [body] = yield* received
  assert.deepInclude(body.data, { id: message?.id, subject: { kind: "user", id: user.id }, outcome: "success" })
  assert.notMatch(JSON.stringify(yield* received), /192\.0\.2|example\.com|"test"/)
  assert.deepStrictEqual(yield* rows(Events), [])
  assert.deepStrictEqual(yield* rows(Deliveries), [])
})

rule("delivers the events of one user in their order, also when processes compete", function* () {
  yield* signedUp("ada@example.com")
  yield* signedIn("ada@example.com")
  const everything = { ...accepting, types: ["*"] }
  for (let left = 60; left > 0; left--) {
    yield* Effect.all(
      times(3, () => round(everything)),
      { concurrency: "unbounded" },
    )
    yield* TestClock.adjust("1 second")
  }
  const ids = (yield* Receiver).map(({ id }) => id)
  assert.strictEqual(ids.length, 6)
  assert.deepStrictEqual(ids, ids.toSorted())
  assert.strictEqual(new Set(ids).size, ids.length)
})

rule("a second process does not slow down the events of one user: none of them is postponed", function* () {
  yield* signedUp("ada@example.com")
  yield* Effect.all(times(10, () => signedIn("ada@example.com")))
  const all = settingsOf([{ ...accepting, types: ["session.opened"] }])
  yield* distribute(all)
  const waiting = (yield* rows(Deliveries)).length
  assert.isAbove(waiting, 9)
  for (let left = waiting; left > 0; left--)
    yield* Effect.all(
      times(3, () => deliver(all)),
      { concurrency: "unbounded" },
    )
  assert.deepStrictEqual(yield* rows(Deliveries), [])
  const ids = (yield* Receiver).map(({ id }) => id)
  assert.deepStrictEqual(ids, ids.toSorted())
  assert.strictEqual(ids.length, waiting)
})

rule("an attempt that the stop of its process interrupts is due at once, and counts as none", function* () {
  yield* signedUp("ada@example.com")
  const all = settingsOf([{ ...accepting, types: ["session.opened"] }])
  yield* distribute(all)
  const stopped = Effect.andThen(deliver(all), Effect.never)
  const begun = yield* Deferred.make<void>()
  const send = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
  const fiber = yield* Effect.forkChild(Effect.provideService(stopped, WebhookSender, { send }))
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(fiber)
  const [waiting] = yield* rows(Deliveries)
  assert.deepInclude(waiting, { attempts: 0, leased_until: null, due_at: yield* DateTime.now })
})

rule("an event that a process with a slow clock has stored waits for the attempt of the one before it", function* () {
  yield* signedUp("ada@example.com")
  yield* signedIn("ada@example.com")
  const all = settingsOf([{ ...accepting, types: ["session.opened"] }])
  yield* distribute(all)
  const [first, second] = yield* rows(Deliveries)
  const { commit } = yield* Store
  const now = yield* DateTime.now
  const end = DateTime.add(now, { seconds: 30 })
  const old = DateTime.subtract(now, { minutes: 15 })
  yield* Effect.orDie(
    commit([put(Deliveries, { ...first!, due_at: end, leased_until: end }), put(Deliveries, { ...second!, created_at: old, due_at: old })]),
  )
  yield* deliver(all)
  assert.deepStrictEqual(yield* Receiver, [])
})

rule("an event whose attempt runs in another process keeps its place, and later ones of its subject wait", function* () {
  yield* signedUp("ada@example.com")
  yield* signedIn("ada@example.com")
  const all = settingsOf([{ ...accepting, types: ["session.opened"] }])
  yield* distribute(all)
  const [first] = yield* rows(Deliveries)
  const { commit } = yield* Store
  const leasedFor = (time: DateTime.Utc) => ({ due_at: time, leased_until: time })
  const end = DateTime.add(yield* DateTime.now, { seconds: 60 })
  yield* Effect.orDie(commit([put(Deliveries, { ...first!, ...leasedFor(end) })]))
  const before = yield* rows(Deliveries)
  yield* TestClock.adjust("59999 millis")
  yield* deliver(all)
  assert.deepStrictEqual(yield* rows(Deliveries), before)
  yield* TestClock.adjust("1 millis")
  yield* deliver(all)
  assert.deepStrictEqual(yield* rows(Deliveries), [])
  assert.strictEqual((yield* Receiver)[0]?.id, first!.event_id)
})

rule("a receiver that hangs does not delay the others, nor the next round", function* () {
  yield* signedUp("ada@example.com")
  const webhooks = [accepting, { ...accepting, id: "hanging", url: "https://example.com/hanging" }]
  const settings = settingsOf(webhooks)
  const sender = yield* WebhookSender
  const send = (message: WebhookMessage) => (message.url.endsWith("/hanging") ? Effect.never : sender.send(message))
  const startWorkers = Effect.provideService(deliveries(settings).round, WebhookSender, { send })
  const received = Effect.map(Receiver, ({ length }) => length)
  const settled = Effect.gen(function* () {
    for (let left = 1000; left > 0 && (yield* rows(Deliveries)).some(({ webhook_id }) => webhook_id === "accepting"); left--)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
  })
  yield* distribute(settings)
  yield* startWorkers
  yield* settled
  assert.strictEqual(yield* received, 2)
  yield* signedIn("ada@example.com")
  yield* distribute(settings)
  yield* startWorkers
  yield* settled
  assert.strictEqual(yield* received, 3)
  const attempts = (yield* rows(Deliveries)).map((row) => [row.webhook_id, row.attempts])
  assert.deepStrictEqual(attempts, [
    ["hanging", 1],
    ["hanging", 0],
    ["hanging", 0],
  ])
})

rule("a receiver that fails gets one attempt a round, until it accepts one", function* () {
  const people = ["ada", "bob", "eve", "kim"]
  for (const name of people) yield* signedUp(`${name}@example.com`)
  const failing = { ...refusing, types: ["user.created"] }
  yield* round({ ...failing, types: ["user.created"] })
  const tried = Effect.map(rows(Deliveries), (all) => all.reduce((sum, { attempts }) => sum + attempts, 0))
  const first = yield* tried
  assert.isAtLeast(first, 1)
  yield* TestClock.adjust("10 minutes")
  yield* round(failing)
  assert.strictEqual(yield* tried, first + 1)
  yield* round(failing)
  assert.strictEqual(yield* tried, first + 2)
  yield* round({ ...failing, url: accepting.url })
  yield* round({ ...failing, url: accepting.url })
  assert.deepStrictEqual(yield* rows(States), [])
  yield* TestClock.adjust("1 hour")
  yield* round({ ...failing, url: accepting.url })
  assert.deepStrictEqual(yield* rows(Deliveries), [])
})

rule("tries for three days with growing pauses, then sets the delivery aside", function* () {
  yield* signedUp("ada@example.com")
  const one = { ...refusing, types: ["user.created"] }
  let elapsed = 0
  for (const delay of [0, ...delays]) {
    elapsed += delay
    yield* TestClock.adjust(`${Math.round(delay * 1.2)} seconds`)
    yield* round(one)
  }
  assert.strictEqual(elapsed, 257_705)
  assert.deepStrictEqual(yield* rows(Deliveries), [])
  const [dead] = yield* rows(DeadDeliveries)
  assert.deepInclude(dead, { attempts: delays.length + 1, reason: "status 500", webhook_id: "refusing" })
})

rule("does not try before the pause is over", function* () {
  yield* signedUp("ada@example.com")
  const one = { ...refusing, types: ["user.created"] }
  yield* round(one)
  yield* TestClock.adjust("3999 millis")
  yield* round(one)
  assert.strictEqual((yield* rows(Deliveries))[0]?.attempts, 1)
  yield* TestClock.adjust("2001 millis")
  yield* round(one)
  assert.strictEqual((yield* rows(Deliveries))[0]?.attempts, 2)
})

rule("lets later events of a subject overtake a failing one after five minutes", function* () {
  yield* signedUp("ada@example.com")
  const all = { ...refusing, types: ["user.created", "session.opened"] }
  yield* round(all)
  yield* TestClock.adjust("299 seconds")
  yield* round(all)
  const attempts = Effect.map(rows(Deliveries), (each) =>
    each.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ attempts }) => attempts),
  )
  assert.strictEqual((yield* attempts)[1], 0)
  yield* TestClock.adjust("1 second")
  yield* round(all)
  assert.strictEqual((yield* attempts)[1], 1)
})

rule("disables a webhook whose receiver is gone, and replays what was set aside", function* () {
  yield* signedUp("ada@example.com")
  const one = { ...gone, types: ["user.created"] }
  yield* round(one)
  assert.deepInclude((yield* rows(States))[0], { id: "gone", reason: "status 410" })
  assert.isNotNull((yield* rows(States))[0]?.disabled_at)
  yield* signedUp("bob@example.com")
  yield* round(one)
  const [dead, ...others] = yield* listDeliveries(10)
  assert.deepStrictEqual([dead?.state, others], ["set aside", []])

  assert.strictEqual(yield* countDisabled(settingsOf([one, accepting])), 1)
  assert.strictEqual(yield* countDisabled(settingsOf([accepting])), 0)
  assert.isFalse(yield* enable("accepting", operator))
  assert.isTrue(yield* enable("gone", operator))
  assert.isFalse(yield* enable("gone", operator))
  assert.strictEqual(yield* countDisabled(settingsOf([one])), 0)
  assert.isTrue(yield* replay(dead!.id))
  assert.isFalse(yield* replay(dead!.id))
  yield* round({ ...one, url: accepting.url })
  assert.deepStrictEqual(yield* typesReceived, ["user.created"])
})

rule("shows why the last attempt failed, and sends a waiting delivery now", function* () {
  yield* signedUp("ada@example.com")
  const one = { ...refusing, types: ["user.created"] }
  yield* distribute(settingsOf([one]))
  const state = Effect.map(listDeliveries(10), (all) => all.map(({ state, attempts, reason }) => [state, attempts, reason]))
  assert.deepStrictEqual(yield* state, [["waiting", 0, null]])
  yield* round(one)
  assert.deepStrictEqual(yield* state, [["waiting", 1, "status 500"]])
  yield* TestClock.adjust("6 seconds")
  yield* round(one)
  const [id, ...others] = yield* waitingOf("refusing")
  assert.deepStrictEqual([others, yield* waitingOf("another")], [[], []])
  assert.isFalse(yield* replay(id!))
  assert.isTrue(yield* hasten(id!))
  assert.isFalse(yield* hasten(id!))
  yield* round({ ...one, url: accepting.url })
  assert.deepStrictEqual(yield* typesReceived, ["user.created"])
  assert.deepStrictEqual(yield* rows(Deliveries), [])
})

rule("leaves a waiting delivery that is due, or of which an attempt may be running", function* () {
  yield* signedUp("ada@example.com")
  const store = yield* Store
  yield* distribute(settingsOf([{ ...accepting, types: ["user.created"] }]))
  const [row] = yield* rows(Deliveries)
  const now = yield* DateTime.now
  const after = (seconds: number) => DateTime.add(now, { seconds })
  const found = Effect.fnUntraced(function* (due: number, leased: number | null) {
    const waiting = { ...row!, due_at: after(due), leased_until: leased === null ? null : after(leased) }
    yield* Effect.orDie(store.commit([put(Deliveries, waiting)]))
    return [yield* waitingOf("accepting"), yield* hasten(row!.id)]
  })
  assert.deepStrictEqual(yield* found(0, null), [[], false])
  assert.deepStrictEqual(yield* found(1, null), [[row!.id], true])
  assert.deepStrictEqual(yield* found(30, 30), [[], false])
})

rule("delivers again when a process was killed after the receiver had accepted", function* () {
  yield* signedUp("ada@example.com")
  const one = { ...accepting, types: ["user.created"] }
  yield* distribute(settingsOf([one]))
  const [before] = yield* rows(Deliveries)
  yield* deliver(settingsOf([one]))
  // The state that a process leaves that dies before it removes the delivery.
  const { due_at, attempts, ...rest } = before!
  const store = yield* Store
  yield* Effect.orDie(store.commit([put(Deliveries, { ...rest, attempts: attempts + 1, due_at })]))
  yield* deliver(settingsOf([one]))
  const ids = (yield* Receiver).map(({ id }) => id)
  assert.deepStrictEqual(ids, [ids[0], ids[0]])
})

rule("administrators add, list, change, rotate and remove webhooks", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  const { adminWebhooksCreate, adminWebhooksList, adminWebhooksUpdate, adminWebhooksRotateSecret, adminWebhooksDelete } = built.endpoints
  const input = { url: "https://example.com/events", types: ["user.created"] }
  assert.strictEqual(yield* ada.code(adminWebhooksCreate, input), "forbidden")
  assert.strictEqual(yield* root.code(adminWebhooksCreate, { ...input, types: ["unknown.type"] }), "invalid_request")
  const { webhook, secret: first } = yield* root.body(adminWebhooksCreate, input)
  assert.notInclude(JSON.stringify(yield* rows(Webhooks)), first)
  const webhook_id = webhook.id
  const { secret: second } = yield* root.body(adminWebhooksRotateSecret, { webhook_id })
  yield* root.body(adminWebhooksUpdate, { webhook_id, types: ["webhook.*"] })
  const { webhooks } = yield* root.body(adminWebhooksList)
  assert.deepStrictEqual(
    webhooks.map(({ id, types, configured }) => ({ id, types, configured })),
    [{ id: webhook_id, types: ["webhook.*"], configured: false }],
  )
  yield* rounds()
  assert.deepStrictEqual((yield* Receiver).at(-1)?.secrets, [second, first])
  yield* root.body(adminWebhooksDelete, { webhook_id })
  assert.strictEqual(yield* root.code(adminWebhooksDelete, { webhook_id }), "webhook_not_found")
})

rule("distributes nothing twice when many processes distribute", function* () {
  yield* signedUp("ada@example.com")
  yield* Effect.all(
    times(10, () => distribute(settingsOf([accepting]))),
    { concurrency: "unbounded" },
  )
  const found = yield* rows(Deliveries)
  assert.deepStrictEqual(found.map(({ type }) => type).toSorted(), ["session.opened", "user.created"])
})
