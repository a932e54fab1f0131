import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { Figures, Starts } from "../../../../application/modules/figures/tables.ts"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { put, Store } from "../../../../domain/ports/store.ts"
import { password } from "../../../world.ts"
import { get } from "../../http/served.ts"
import { signedUp } from "../browse.ts"
import { adminWith, modules, root, withConsole, withRole } from "./console.ts"

const seal = Effect.provide(sealing, commandPolicies(modules))
const without = (name: string) => modules.filter((module) => module.name !== name)
const utc = (iso: string) => DateTime.makeUnsafe(iso)
const commit = (...writes: Parameters<Store["Service"]["commit"]>[0]) =>
  Effect.flatMap(Store, (store) => Effect.orDie(store.commit(writes)))
const counted = (id: string, counts: Record<string, number>) => put(Figures, { id, counts, expires_at: utc("2028-01-01T00:00:00Z") })
const startsAt = (since: string) => put(Starts, { id: "start", since: utc(since), seal: 1, gaps: [], key: "unused" })
const setNow = TestClock.setTime(Date.UTC(2026, 10, 23, 10, 30))

describe("the overview", () => {
  it.layer(withConsole())((it) => {
    it.effect("says that nothing was counted, then from when on figures are complete", () =>
      Effect.gen(function* () {
        yield* setNow
        const owner = yield* root
        yield* signedUp("ada@example.com")
        const first = yield* owner.open("/admin")
        assert.deepStrictEqual([first.status, first.heading], [200, "Overview"])
        assert.include(first.text, "Nothing has been counted yet")
        yield* seal
        const page = yield* owner.open("/admin")
        assert.match(page.text, /Sign-ins 2 Failed sign-ins 0\.0% New users 2 /)
        assert.include(page.text, "counting began, or went on after a gap, in this hour")
        assert.notMatch(page.text, /Before|Complete from/)
        yield* TestClock.adjust("1 hour")
        assert.include((yield* owner.open("/admin")).text, "Complete from Nov 23, 2026, 11:00 AM UTC on")
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("compares each range with the time before it, if all of that was counted", () =>
      Effect.gen(function* () {
        yield* setNow
        const owner = yield* root
        yield* commit(
          startsAt("2026-11-21T11:00:00Z"),
          counted("h:2026-11-23T10", { "sign_in.succeeded": 3, "sign_in.failed": 1, "limit.reached": 2 }),
          counted("h:2026-11-22T11", {
            ...{ "sign_in.succeeded": 6, "sign_in.succeeded/passkey": 3 },
            ...{ "sign_in.succeeded/username": 1, "sign_in.succeeded/email_password": 2, "sign_in.succeeded/an_extension": 1 },
          }),
          counted("h:2026-11-22T10", { "sign_in.succeeded": 5, "sign_in.locked": 5 }),
          counted("h:2026-11-21T11", { "sign_in.succeeded": 1 }),
          counted("h:2026-11-21T10", { "sign_in.succeeded": 1_000 }),
        )
        const { text, html } = yield* owner.open("/admin")
        assert.include(text, "Sign-ins 9 +50% (before: 6)")
        assert.include(text, "Failed sign-ins 10.0% Before: 45.5%")
        assert.include(text, "Lock-outs 2 -60% (before: 5)")
        assert.include(text, "Succeeded: 9, Failed: 1, Second step asked: 0, and Locked out: 0")
        assert.include(text, "Passkey: 3, Password: 3, and an_extension: 1")
        assert.strictEqual(html.match(/<svg role="img"/g)?.length, 3)
        const week = yield* owner.open("/admin?range=7d")
        assert.include(week.text, "Sign-ins 1,015")
        assert.notInclude(week.text, "before: ")
        assert.include(week.text, "Complete from Nov 21, 2026")
        const days = yield* owner.open("/admin?range=90d")
        assert.strictEqual(days.html.match(/<th scope="row">/g)?.length, 90 * 2)
        assert.strictEqual((yield* owner.open("/admin?range=1y")).status, 200)
        yield* commit(startsAt("2026-11-21T11:00:01Z"))
        assert.notInclude((yield* owner.open("/admin")).text, "before: ")
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("shows what waits, and what has waited for too long", () =>
      Effect.gen(function* () {
        yield* setNow
        const owner = yield* root
        yield* seal
        const { drain } = yield* Outbox
        yield* drain
        assert.include((yield* owner.open("/admin")).text, "Nothing needs attention.")
        yield* owner.api("/sign-in/email", { email: "root@example.com", password: password })
        yield* drain
        yield* TestClock.adjust("7200 seconds")
        assert.include((yield* owner.open("/admin")).text, "Nothing needs attention.")
        yield* TestClock.adjust("1 second")
        const { text } = yield* owner.open("/admin")
        assert.include(text, "A record of the audit log has had no seal for 2 hours.")
      }),
    )
  })

  it.layer(withConsole({}, adminWith({ roles: { observer: ["health:read"] } })))((it) => {
    it.effect("shows administrators who may rotate keys which of them should have been replaced", () =>
      Effect.gen(function* () {
        yield* setNow
        const owner = yield* root
        const observer = yield* withRole(owner, "observer")
        yield* get("/oauth2/jwks")
        const opened = Effect.fnUntraced(function* (who: typeof owner) {
          yield* who.api("/sign-in/email", { email: who.user.email, password })
          return yield* who.open("/admin")
        })
        yield* TestClock.adjust("7775999 seconds")
        assert.notInclude((yield* opened(owner)).text, "should have been replaced")
        yield* TestClock.adjust("1 second")
        const { html, text } = yield* owner.open("/admin")
        assert.include(text, "The EdDSA key should have been replaced by Feb 21, 2027, 10:30 AM UTC")
        assert.match(html, /<a href="\/admin\/keys">The /)
        const page = yield* opened(observer)
        assert.include(page.text, "Needs attention")
        assert.notInclude(page.text, "should have been replaced")
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("shows each role what it may read, and leads others to their first screen", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const support = yield* withRole(owner, "support")
        const page = yield* support.open("/admin")
        assert.include(page.text, "Sign-ins")
        assert.notInclude(page.text, "attention")
        const reader = yield* withRole(owner, "reader")
        const users = yield* reader.open("/admin")
        assert.strictEqual(users.at, "/admin/users")
        assert.notInclude(users.html, '<li><a href="/admin"')
      }),
    )
  })

  it.layer(withConsole({}, without("figures")))((it) => {
    it.effect("shows what waits, and how to count figures, without the module", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { text, html } = yield* owner.open("/admin")
        assert.include(text, "Mails waiting")
        assert.include(text, "With modules.figures in the configuration")
        assert.notInclude(html, "<svg")
      }),
    )
  })
})
