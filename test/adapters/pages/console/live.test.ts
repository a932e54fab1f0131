import { assert, describe, it, layer } from "@effect/vitest"
import { type Cause, Effect, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ServerSentEvent } from "../../../../adapters/http/event-stream.ts"
import type { Entry } from "../../../../adapters/pages/console/screens/audit.ts"
import { tailOf } from "../../../../adapters/pages/console/screens/audit-live.ts"
import type { FollowedEvent } from "../../../../adapters/pages/page.ts"
import { type AuthError, Forbidden } from "../../../../domain/errors.ts"
import { firstIdAt } from "../../../../domain/storage/new-id.ts"
import { times } from "../../../world.ts"
import { quickly, streamed } from "../../http/streamed.ts"
import { type Browse, browse, signedUp } from "../browse.ts"
import { states } from "../states/console-lists.ts"
import { viewOf } from "../states/rendered.ts"
import { modules, root, withConsole, withRole } from "./console.ts"

const entry: Entry = {
  id: firstIdAt(1),
  at: "1970-01-01T00:00:00.001Z",
  type: "session.opened",
  outcome: "success",
  reason: null,
  actor: { kind: "visitor", id: null },
  subject: { kind: "visitor", id: null },
  organization_id: null,
  session_id: null,
  client_id: null,
  ip_address: null,
  user_agent: null,
  request_id: null,
  trace_id: null,
  note: null,
  count: 1,
  data: {},
}

const page = states.find(({ page }) => page === "/admin/audit")!

/** A tail of the entries of a queue, and what it has sent since the last look. */
const tailed = Effect.gen(function* () {
  const events = yield* Queue.unbounded<FollowedEvent | undefined, AuthError | Cause.Done>()
  const view = yield* Effect.promise(() => viewOf(page, "en"))
  const sent: Array<ServerSentEvent> = []
  const next = Queue.take(events) as Effect.Effect<FollowedEvent | undefined, AuthError>
  const tail = tailOf(view, { next, after: firstIdAt(1) }, ({ outcome }) => outcome === "success")
  const fiber = yield* Effect.forkChild(
    Stream.runForEach(tail, (event) => Effect.sync(() => void sent.push(event))),
    { startImmediately: true },
  )
  const after = Effect.fnUntraced(function* (seconds: number) {
    yield* TestClock.adjust(`${seconds} seconds`)
    for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
    return sent.splice(0).map(({ id, event, data }) => [event, id, event === "row" ? "" : data])
  })
  const add = (id: string, outcome = "success") => {
    const value = { ...entry, id, outcome }
    return Queue.offer(events, { id, value, encoded: () => value })
  }
  return { events, fiber, add, after }
})

describe("the tail of the audit log", () => {
  it.effect("says at most each ten seconds how many records are new, and up to where the log was read", () =>
    Effect.gen(function* () {
      const { add, after } = yield* tailed
      assert.deepStrictEqual(yield* after(9), [])
      assert.deepStrictEqual(yield* after(1), [["news", firstIdAt(0), '""']])
      for (const at of [1, 2, 3, 4]) yield* add(firstIdAt(at))
      assert.deepStrictEqual(
        yield* after(9),
        [1, 2, 3, 4].map((at) => ["row", firstIdAt(at), ""]),
      )
      yield* add(firstIdAt(5), "failure")
      assert.deepStrictEqual(yield* after(1), [["news", firstIdAt(5), '"3 new records"']])
      assert.deepStrictEqual(yield* after(10), [["news", firstIdAt(20_000), '""']])
      yield* add(firstIdAt(6))
      assert.deepStrictEqual((yield* after(10)).at(-1), ["news", firstIdAt(6), '"1 new record"'])
    }),
  )

  it.effect("shows at most ten records a second, counts all, and says that there are more", () =>
    Effect.gen(function* () {
      const { add, after } = yield* tailed
      for (let at = 2; at <= 12; at++) yield* add(firstIdAt(at))
      const first = yield* after(0)
      assert.deepStrictEqual([first.length, first.at(-1)], [10, ["row", firstIdAt(11), ""]])
      yield* TestClock.adjust(999)
      yield* add(firstIdAt(13))
      assert.deepStrictEqual(yield* after(0), [])
      yield* TestClock.adjust(1)
      yield* add(firstIdAt(14))
      assert.deepStrictEqual(yield* after(0), [["row", firstIdAt(14), ""]])
      const news = '"13 new records, 11 of them shown here. “Newer” shows all."'
      assert.deepStrictEqual(yield* after(9), [["news", firstIdAt(14), news]])
      yield* add(firstIdAt(15))
      assert.deepStrictEqual((yield* after(10)).at(-1), ["news", firstIdAt(15), '"1 new record"'])
    }),
  )

  it.effect("is complete when the right to read it is lost, and only ends when the service stops", () =>
    Effect.gen(function* () {
      const lost = yield* tailed
      yield* Queue.fail(lost.events, new Forbidden())
      assert.deepStrictEqual(yield* lost.after(0), [["complete", undefined, ""]])
      const stopped = yield* tailed
      yield* Queue.offer(stopped.events, undefined)
      assert.deepStrictEqual(yield* stopped.after(0), [])
      assert.isDefined(stopped.fiber.pollUnsafe())
    }),
  )
})

/** Opens the tail in the name of a browser. */
const live = (their: Browse, query = "", headers: Record<string, string> = {}) =>
  streamed({
    method: "GET",
    path: `/admin/audit/live${query}`,
    headers: { cookie: [...their.cookies].map(([name, value]) => `${name}=${value}`).join("; "), ...headers },
  })

const rowsIn = (text: string) =>
  [...text.matchAll(/\n\nid: (\S+)\nevent: row\ndata: (.*)\n\n/g)].map(
    ([, id = "", data = ""]) => [id, JSON.parse(data) as string] as const,
  )

describe("GET /admin/audit/live", () => {
  const roles = { background: true, instead: quickly }
  layer(withConsole({}, modules, roles), { excludeTestServices: true })((it) => {
    it.effect("sends new records as rows in the language of the page, by its filters, and ends with the right to read them", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const guard = yield* withRole(owner, "security")
        const page = yield* guard.open("/admin/audit?type=user.created&ui_locales=de")
        const [, after = ""] = /data-after="([^"]*)"/.exec(page.html) ?? []
        assert.match(page.html, /<a [^>]*href="\/admin\/audit\?type=user\.created">Neuere<\/a>/)
        const before = yield* signedUp("before@example.com")
        const stream = yield* live(guard, `?type=user.created&ui_locales=de&after=${after}`)
        assert.strictEqual(stream.response.headers["content-type"], "text/event-stream; charset=utf-8")
        assert.strictEqual(stream.response.headers["cache-control"], "no-store")
        yield* stream.shows(before.user.id)
        const ada = yield* signedUp("ada@example.com")
        const text = yield* stream.shows(ada.user.id)
        const rows = rowsIn(text)
        assert.isAtLeast(rows.length, 2)
        for (const [id, html] of rows) {
          assert.include(html, `data-key="${id}"`)
          assert.include(html, "user.created")
          assert.include(html, "Ereignis")
        }

        const [id = ""] = rows.at(-1) ?? []
        const again = yield* live(guard, "?type=user.created&after=unknown", { "last-event-id": id })
        const eve = yield* signedUp("eve@example.com")
        assert.notInclude(yield* again.shows(eve.user.id), `id: ${id}`)

        yield* owner.api("/admin/roles/withdraw", { user_id: guard.user.id, role: "security" })
        yield* stream.closed
        assert.match(stream.said(), /\n\nevent: complete\ndata: \n\n$/)
        assert.strictEqual((yield* live(guard)).status, 404)
      }),
    )

    it.effect("is refused without the permission, to users and strangers, beyond five of a session, and for an older place", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password: "correct horse battery staple" })
        const reader = yield* withRole(owner, "reader")
        const user = yield* signedUp("user@example.com")
        assert.strictEqual((yield* live(reader)).status, 403)
        assert.strictEqual((yield* live(user)).status, 404)
        assert.strictEqual((yield* live(browse())).status, 303)
        assert.strictEqual((yield* live(owner, `?after=${firstIdAt(Date.now() - 3_700_000)}`)).status, 400)
        assert.strictEqual((yield* live(owner, "?after=7")).status, 400)
        const streams = yield* Effect.all(times(5, () => live(owner)))
        assert.strictEqual((yield* live(owner)).status, 429)
        streams[0]?.response.destroy()
        yield* Effect.sleep(300)
        assert.strictEqual((yield* live(owner)).status, 200)
      }),
    )
  })

  layer(withConsole({ max_age: 60 }, modules, { background: true }))((it) => {
    it.effect("ends when the proof of identity is too old for the console", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const stream = yield* live(owner)
        yield* stream.shows(":\n\n")
        yield* TestClock.adjust("10 seconds")
        yield* stream.shows("event: news")
        yield* TestClock.adjust("47 seconds")
        const ada = yield* signedUp("ada@example.com")
        yield* TestClock.adjust("2 seconds")
        yield* stream.shows(ada.user.id)
        yield* TestClock.adjust("999 millis")
        assert.strictEqual((yield* live(owner)).status, 200)
        assert.notInclude(stream.said(), "retry: ")
        yield* TestClock.adjust("1 millis")
        yield* stream.closed
        // The browser connects again, and is sent to the proof.
        assert.match(stream.said(), /\n\nretry: \d+\n\n$/)
        const again = yield* live(owner)
        assert.strictEqual(again.status, 303)
        assert.match(again.response.headers.location ?? "", /^\/step-up\?return_to=%2Fadmin%2Faudit%2Flive$/)
      }),
    )
  })

  layer(withConsole({ live: false }))((it) => {
    it.effect("does not exist with live: false, and the page has the link to newer records", () =>
      Effect.gen(function* () {
        const owner = yield* root
        assert.strictEqual((yield* owner.open("/admin/audit/live")).status, 404)
        const { html, text } = yield* owner.open("/admin/audit")
        assert.notInclude(html, "data-live")
        assert.include(text, "Newer")
        assert.notInclude((yield* owner.open(`/admin/audit?cursor=${encodeURIComponent("c")}`)).text, "Newer")
      }),
    )
  })
})
