import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { deliveries } from "../../../../application/modules/events/deliver.ts"
import { deliveryOf, distribute } from "../../../../application/modules/events/distribute.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { DeadDeliveries, Deliveries, States } from "../../../../application/modules/events/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { put, Store } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, onWire, Receiver, rows, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const secret = `whsec_${"A".repeat(32)}`
const webhooks = [
  { id: "accepting", url: "https://example.com/events", types: ["user.created"], secrets: [secret] },
  { id: "gone", url: "https://example.com/gone", types: ["user.created"], secrets: [secret] },
]
const settings = Schema.decodeUnknownSync(events.settings)({ webhooks, operations: true })
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: { reader: ["webhooks:read"] } }))
const built = events.build(settings, owned)
const modules = [...core, administration, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
// The switch adds them, so their types are those of a union.
const { adminWebhooksDeliveries, adminWebhooksEnable, adminWebhooksReplay, adminWebhooksTest } = built.endpoints as Extract<
  typeof built.endpoints,
  { readonly adminWebhooksTest: unknown }
>

const signedUp = (email: string) => signedUpTo(email, auth)
const round = Effect.suspend(() => {
  const { round, settled } = deliveries(settings)
  return Effect.andThen(distribute(settings), Effect.andThen(round, settled))
})
const received = Effect.map(Receiver, (messages) => messages.map(({ id, body }) => ({ id, ...JSON.parse(body) })))
const recordsOf = (type: string) => Effect.map(rows(Records), (all) => all.filter((record) => record.type === type))

describe("GET /admin/webhooks/deliveries", () => {
  rule("shows what waits and what failed for good, a page at a time and without the events", function* () {
    const owner = yield* signedUp(root)
    for (const name of ["ada", "bob", "eve"]) yield* signedUp(`${name}@example.com`)
    yield* distribute(settings)
    const read = (input: object) => owner.body(adminWebhooksDeliveries, { webhook_id: "gone", ...input })
    const waiting = (yield* read({})).deliveries
    assert.lengthOf(waiting, 4)
    assert.deepInclude(waiting[0], { type: "user.created", state: "waiting", attempts: 0, reason: null })
    const paged = Effect.fnUntraced(function* (state: string) {
      const seen: Array<string> = []
      let page = yield* read({ state, limit: 1 })
      while (typeof page.next_cursor === "string") {
        seen.push(...page.deliveries.map(({ id }) => id))
        page = yield* read({ state, limit: 1, cursor: page.next_cursor })
      }
      return [...seen, ...page.deliveries.map(({ id }) => id)]
    })
    assert.deepStrictEqual(
      yield* paged("waiting"),
      waiting.map(({ id }) => id),
    )
    yield* round
    assert.deepStrictEqual((yield* read({})).deliveries, [])
    const dead = yield* read({ state: "dead" })
    assert.lengthOf(dead.deliveries, 4)
    for (const each of dead.deliveries) assert.deepInclude(each, { state: "dead", due_at: null })
    assert.deepStrictEqual(
      yield* paged("dead"),
      dead.deliveries.map(({ id }) => id),
    )
    const text = JSON.stringify(yield* onWire(adminWebhooksDeliveries, dead))
    for (const { body } of yield* rows(DeadDeliveries)) assert.notInclude(text, JSON.parse(body).data.subject.id)
    assert.notInclude(text, "whsec_")
    assert.strictEqual(yield* owner.code(adminWebhooksDeliveries, { webhook_id: "unknown" }), "webhook_not_found")
  })
})

describe("POST /admin/webhooks/replay", () => {
  rule("sends events again that were delivered, with the same id and content", function* () {
    const owner = yield* signedUp(root)
    yield* signedUp("ada@example.com")
    yield* round
    const before = yield* received
    assert.lengthOf(before, 2)
    const ids = before.map(({ id }) => id)
    const ofOthers = (yield* recordsOf("session.opened")).map(({ id }) => id)
    const event_ids = [...ids, ...ofOthers, yield* newId] as const
    const asked = { webhook_id: "accepting", event_ids: event_ids as unknown as [string, ...Array<string>] }
    assert.deepStrictEqual(yield* owner.body(adminWebhooksReplay, asked), { queued: 2, next_since: null })
    yield* TestClock.adjust("1 second")
    yield* round
    yield* round
    const after = (yield* received).slice(2)
    const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)
    assert.deepStrictEqual(after.toSorted(byId), before.toSorted(byId))
    assert.deepStrictEqual(
      (yield* recordsOf("webhook.replayed")).map(({ actor_id, subject_id, data }) => [actor_id, subject_id, data["deliveries"]]),
      [[owner.user.id, "accepting", "2"]],
    )
    assert.notMatch(JSON.stringify(after), /192\.0\.2|example\.com/)
  })

  rule("sends those of a time, and puts none in the queue twice", function* () {
    const owner = yield* signedUp(root)
    yield* TestClock.adjust("1 minute")
    yield* signedUp("ada@example.com")
    yield* round
    const since = "1970-01-01T00:01:00Z"
    const replay = (input: object) => owner.body(adminWebhooksReplay, { webhook_id: "accepting", ...input } as never)
    assert.strictEqual((yield* replay({ since })).queued, 1)
    assert.strictEqual((yield* replay({ since })).queued, 0)
    assert.lengthOf(
      (yield* rows(Deliveries)).filter(({ webhook_id }) => webhook_id === "accepting"),
      1,
    )
    assert.strictEqual((yield* replay({ since: "1970-01-01T00:00:00Z", until: since })).queued, 1)
    assert.strictEqual((yield* replay({ since: "1970-01-02T00:00:00Z" })).queued, 0)
    for (const input of [{}, { until: since }, { since, event_ids: ["1"] }])
      assert.strictEqual(yield* owner.code(adminWebhooksReplay, { webhook_id: "accepting", ...input }), "invalid_request")
    assert.strictEqual(yield* owner.code(adminWebhooksReplay, { webhook_id: "unknown", since }), "webhook_not_found")
  })

  rule("of several at once adds each delivery once", function* () {
    const owner = yield* signedUp(root)
    yield* round
    const input = { webhook_id: "accepting", since: "1970-01-01T00:00:00Z" } as never
    assert.deepStrictEqual(yield* atOnce(times(5, () => owner.body(adminWebhooksReplay, input))), { ok: 5 })
    yield* round
    yield* round
    assert.lengthOf(yield* received, 2)
  })
})

describe("POST /admin/webhooks/replay of a delivery that waits", () => {
  const waiting = Effect.fnUntraced(function* (changes: { readonly due: number; readonly leased?: number; readonly attempts?: number }) {
    const now = yield* DateTime.now
    const after = (seconds: number) => DateTime.add(now, { seconds })
    const event = { id: yield* newId, type: "user.created", subject: "user:1", body: "{}" }
    const leased_until = changes.leased === undefined ? null : after(changes.leased)
    const row = { ...deliveryOf(event, "accepting", now), due_at: after(changes.due), leased_until, attempts: changes.attempts ?? 0 }
    yield* Effect.orDie((yield* Store).commit([put(Deliveries, row)]))
    return event.id
  })
  const asked = (...event_ids: readonly [string, ...Array<string>]) => ({ webhook_id: "accepting", event_ids })

  rule("sends it at once, also without a record of its event", function* () {
    const owner = yield* signedUp(root)
    yield* round
    const before = (yield* received).length
    const id = yield* waiting({ due: 72_000, attempts: 7 })
    yield* round
    assert.lengthOf(yield* received, before)
    assert.strictEqual((yield* owner.body(adminWebhooksReplay, asked(id, id))).queued, 1)
    yield* round
    assert.deepStrictEqual(
      (yield* received).slice(before).map((message) => message.id),
      [id],
    )
    assert.deepStrictEqual(yield* rows(Deliveries), [])
    assert.deepStrictEqual(
      (yield* recordsOf("webhook.replayed")).map(({ subject_id, data }) => [subject_id, data["deliveries"]]),
      [["accepting", "1"]],
    )
  })

  rule("leaves it if it is due, or while an attempt may be running", function* () {
    const owner = yield* signedUp(root)
    const queued = Effect.fnUntraced(function* (state: Parameters<typeof waiting>[0]) {
      return (yield* owner.body(adminWebhooksReplay, asked(yield* waiting(state)))).queued
    })
    assert.strictEqual(yield* queued({ due: 0 }), 0)
    assert.strictEqual(yield* queued({ due: 1 }), 1)
    assert.strictEqual(yield* queued({ due: 30, leased: 30 }), 0)
    assert.strictEqual(yield* queued({ due: 30, leased: 0 }), 1)
  })

  rule("of several at once, beside a worker, sends it once", function* () {
    const owner = yield* signedUp(root)
    yield* round
    const before = (yield* received).length
    const id = yield* waiting({ due: 60 })
    const replays = times(5, () => owner.body(adminWebhooksReplay, asked(id)))
    const answers = yield* Effect.all([Effect.all(replays, { concurrency: "unbounded" }), ...times(3, () => round)], {
      concurrency: "unbounded",
    })
    assert.strictEqual(
      answers[0].reduce((sum, { queued }) => sum + queued, 0),
      1,
    )
    yield* round
    assert.lengthOf(yield* received, before + 1)
  })
})

describe("POST /admin/webhooks/enable", () => {
  rule("sends what failed for good once more, when it is enabled again", function* () {
    const owner = yield* signedUp(root)
    yield* round
    assert.isNotNull((yield* rows(States))[0]?.disabled_at)
    const event_ids = (yield* rows(DeadDeliveries)).map(({ event_id }) => event_id)
    const replay = { webhook_id: "gone", event_ids }
    assert.strictEqual(yield* owner.code(adminWebhooksReplay, replay), "invalid_request")
    assert.strictEqual(yield* owner.code(adminWebhooksTest, { webhook_id: "gone" }), "invalid_request")
    for (const _ of times(2, String))
      assert.deepStrictEqual(yield* owner.body(adminWebhooksEnable, { webhook_id: "gone" }), { success: true })
    assert.deepStrictEqual(yield* rows(States), [])
    assert.strictEqual((yield* owner.body(adminWebhooksReplay, replay as never)).queued, 1)
    assert.deepStrictEqual(yield* rows(DeadDeliveries), [])
    assert.strictEqual(yield* owner.code(adminWebhooksEnable, { webhook_id: "unknown" }), "webhook_not_found")
    assert.deepStrictEqual(
      (yield* recordsOf("webhook.enabled")).map(({ actor_id, subject_id }) => [actor_id, subject_id]),
      [[owner.user.id, "gone"]],
    )
  })
})

describe("POST /admin/webhooks/test", () => {
  rule("sends one message and shows the answer", function* () {
    const owner = yield* signedUp(root)
    yield* round
    const before = (yield* received).length
    assert.deepStrictEqual(yield* owner.body(adminWebhooksTest, { webhook_id: "accepting" }), {
      accepted: true,
      status: 200,
      reason: null,
      ms: 0,
    })
    const [message] = (yield* received).slice(before)
    assert.deepInclude(message, { type: "webhook.test" })
    yield* owner.body(adminWebhooksEnable, { webhook_id: "gone" })
    assert.deepInclude(yield* owner.body(adminWebhooksTest, { webhook_id: "gone" }), { accepted: false, status: 410, reason: "status 410" })
    assert.deepStrictEqual(yield* rows(States), [])
    assert.lengthOf(yield* recordsOf("webhook.tested"), 2)
    assert.strictEqual(yield* owner.code(adminWebhooksTest, { webhook_id: "unknown" }), "webhook_not_found")
  })

  rule(
    "is sent ten times a minute to a webhook",
    function* () {
      const owner = yield* signedUp(root)
      const test = owner.code(adminWebhooksTest, { webhook_id: "accepting" }).pipe(Effect.catchCause(() => Effect.succeed("ok")))
      const codes = yield* Effect.forEach(times(11, String), () => test)
      assert.deepStrictEqual(codes, [...times(10, () => "ok"), "rate_limited"])
      assert.lengthOf(yield* received, 10)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* test, "ok")
    },
    { rate_limit: { enabled: true } },
  )

  rule("needs more than the right to read", function* () {
    const owner = yield* signedUp(root)
    const reader = yield* signedUp("reader@example.com")
    yield* owner.body(administration.endpoints.adminSetRole, { user_id: reader.user.id, role: "reader" })
    yield* reader.body(adminWebhooksDeliveries, { webhook_id: "accepting" })
    for (const endpoint of [adminWebhooksEnable, adminWebhooksReplay, adminWebhooksTest])
      assert.strictEqual(yield* reader.code(endpoint as typeof adminWebhooksEnable, { webhook_id: "accepting" }), "forbidden")
  })
})

it("without the switch there are no such endpoints, and with it records are needed", () => {
  const off = events.build(Schema.decodeUnknownSync(events.settings)({}))
  assert.sameMembers(Object.keys(off.endpoints), [
    "adminWebhooksCreate",
    "adminWebhooksList",
    "adminWebhooksUpdate",
    "adminWebhooksRotateSecret",
    "adminWebhooksDelete",
  ])
  const faults = (modules: object) => events.faults(settings, { modules } as never, owned).map(({ path }) => path)
  assert.deepStrictEqual(faults({ events: {} }), [["operations"]])
  assert.deepStrictEqual(faults({ events: {}, audit: {} }), [])
})
