import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { chosenOf } from "../../../../adapters/pages/console/screens/settings.ts"
import { deliveryOf } from "../../../../application/modules/events/distribute.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { DeadDeliveries, Deliveries, States } from "../../../../application/modules/events/tables.ts"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { insert, removeAll, Store } from "../../../../domain/ports/store.ts"
import { owned } from "../../../owned.ts"
import { rows } from "../../../world.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

const entry = { path: "session.max", value: "1", secret: false, default: "2" }

describe("the settings in the console", () => {
  it("are chosen by the beginning of their path, and by whether they were changed", () => {
    const entries = [{ ...entry, source: "file" } as const, { ...entry, path: "secret", source: "default" } as const]
    const paths = (query: Record<string, string>) => chosenOf(entries, query).map(({ path }) => path)
    assert.deepStrictEqual(paths({}), ["session.max", "secret"])
    assert.deepStrictEqual(paths({ q: " sess" }), ["session.max"])
    assert.deepStrictEqual(paths({ q: "other" }), [])
    assert.deepStrictEqual(paths({ changed: "yes" }), ["session.max"])
  })
})

const secret = `whsec_${"A".repeat(32)}`
const webhooks = [{ id: "gone", url: "https://example.com/gone", types: ["user.created"], secrets: [secret] }]
const withWebhook = [
  ...modules.filter(({ name }) => name !== "events"),
  events.build(Schema.decodeUnknownSync(events.settings)({ webhooks, operations: true }), owned),
]

describe("the service in the console", () => {
  it.layer(withConsole({}, withWebhook))((it) => {
    it.effect("sends waiting messages now, and discards them after a question", () =>
      Effect.gen(function* () {
        const owner = yield* root
        yield* (yield* Outbox).drain
        const write = yield* (yield* Outbox).mail({ to: "canary@example.com", subject: "s", text: "t", html: "<p>t</p>" })
        yield* Effect.orDie((yield* Store).commit([write]))
        const page = yield* owner.open("/admin/outbox?state=waiting")
        assert.notInclude(page.html, "canary")
        const retried = yield* owner.press(page, "retry")
        assert.deepStrictEqual([retried.at, retried.notice], ["/admin/outbox?state=waiting", "The message is sent now."])
        const [{ id } = { id: "" }] = yield* rows(PendingMessages)
        const discarded = yield* owner.press(yield* owner.open(`/admin/outbox/discard?id=${id}`), "confirm")
        assert.deepStrictEqual([discarded.at, discarded.notice], ["/admin/outbox", "The message was discarded."])
        assert.deepStrictEqual(yield* rows(PendingMessages), [])
      }),
    )

    it.effect("rotates keys once its host is typed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const rotated = Effect.fnUntraced(function* rotated(typed: string) {
          return yield* owner.press(yield* owner.open("/admin/keys/rotate"), "confirm", { typed })
        })
        assert.strictEqual((yield* rotated("other")).status, 400)
        // The identity provider has no key before its first use.
        assert.strictEqual((yield* rotated("localhost:3000")).notice, "The next keys were published.")
        const next = yield* rotated("localhost:3000")
        assert.deepStrictEqual([next.at, next.notice], ["/admin/keys", "The next keys were published."])
        assert.include(next.text, "◔ Next")
        const again = yield* rotated("localhost:3000")
        assert.include(again.notice, "No key was added")
      }),
    )

    it.effect("shows its state and its settings", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        assert.include((yield* owner.open("/admin/health")).text, "Database answers in")
        assert.deepStrictEqual(
          [(yield* owner.open("/admin/settings?q=x")).status, (yield* owner.open("/admin/settings")).heading],
          [200, "Settings"],
        )
      }),
    )

    it.effect("sends an event again whose delivery was given up", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { events: entries = [], entries: all = entries } = yield* owner.api("/admin/audit/list?type=user.created")
        const now = yield* DateTime.now
        const event = { id: String(all[0].id), type: "user.created", subject: "subject", body: "{}" }
        const { due_at: _, leased_until: __, ...delivery } = deliveryOf(event, "gone", now)
        const dead = { ...delivery, reason: "the receiver answered 500", died_at: now, expires_at: DateTime.add(now, { days: 1 }) }
        yield* Effect.orDie((yield* Store).commit([insert(DeadDeliveries, dead)]))
        const waiting = yield* owner.open("/admin/webhook?id=gone")
        assert.notInclude(waiting.text, event.id)
        const page = yield* owner.open("/admin/webhook?id=gone&state=dead")
        assert.include(page.text, "the receiver answered 500")
        const replayed = yield* owner.press(page, "replay")
        assert.strictEqual(replayed.notice, "The event is sent again.")
        assert.notInclude(replayed.text, event.id)
        const queue = yield* owner.open("/admin/webhook?id=gone")
        assert.include(queue.text, event.id)
        assert.include((yield* owner.press(queue, "replay")).notice, "it is being sent already")
      }),
    )

    it.effect("sends an event now whose delivery waits for its next attempt", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const now = yield* DateTime.now
        const event = { id: "waiting-event", type: "user.created", subject: "subject", body: "{}" }
        const waiting = { ...deliveryOf(event, "gone", now), attempts: 9, due_at: DateTime.add(now, { hours: 20 }) }
        const { commit } = yield* Store
        yield* Effect.orDie(commit([removeAll(Deliveries, { webhook_id: "gone" }), insert(Deliveries, waiting)]))
        const page = yield* owner.open("/admin/webhook?id=gone")
        assert.include(page.text, "Send now")
        const sent = yield* owner.press(page, "replay")
        assert.deepStrictEqual([sent.at, sent.notice], ["/admin/webhook?id=gone", "The event is sent again."])
        const [row] = yield* rows(Deliveries)
        assert.isTrue(DateTime.isLessThan(row!.due_at, waiting.due_at))
        assert.strictEqual(row?.attempts, 9)
      }),
    )

    it.effect("tests webhooks, and enables those that are disabled", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        assert.include((yield* owner.open("/admin/webhooks")).html, "/admin/webhook?id=gone")
        const page = yield* owner.open("/admin/webhook?id=gone")
        assert.strictEqual((yield* owner.open("/admin/webhook?id=other")).status, 404)
        const tested = yield* owner.press(page, "test")
        assert.match(tested.text, /The receiver (accepted|did not accept) the test/)
        const { commit } = yield* Store
        const state = { id: "gone", failing_since: null, disabled_at: yield* DateTime.now, reason: "500" }
        yield* Effect.orDie(commit([insert(States, state)]))
        const enabled = yield* owner.press(yield* owner.open("/admin/webhook?id=gone"), "enable")
        assert.deepStrictEqual([enabled.at, enabled.notice], ["/admin/webhook?id=gone", "The webhook was enabled."])
        assert.deepStrictEqual(yield* rows(States), [])
        const reader = yield* withRole(owner, "reader")
        assert.strictEqual((yield* reader.open("/admin/webhook?id=gone")).status, 403)
      }),
    )
  })
})
