import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { emails, linked, password, rows } from "../../../world.ts"
import { addressOf, browse, signedUp, signIn } from "../browse.ts"
import { adminWith, modules, root, rootAgain, withConsole, withRole } from "./console.ts"

const reason = "ticket 4711, lost all devices"
const byAdministrators = { schema: { type: "string", maxLength: 20 }, write: "admin" }
const declared = attributes.build(
  Schema.decodeUnknownSync(attributes.settings)({
    team: { ...byAdministrators, read: "admin" },
    note: { ...byAdministrators, read: "private" },
    seats: { schema: { type: "integer" }, write: "admin" },
    tags: { schema: { type: "array", items: { type: "string" } }, write: "admin" },
    beta: { schema: { type: "boolean" }, write: "admin" },
  }),
)
const attributed = (all: typeof modules) => [...all.filter(({ name }) => name !== "attributes"), declared]
const withAttributes = attributed(modules)

const pageOf = (id: string) => `/admin/user?id=${id}`

describe("the page of a user without required actions", () => {
  it.layer(withConsole({}, adminWith({ required_actions: false })))((it) => {
    it.effect("has no form for them", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        const page = yield* owner.open(pageOf(ada.user.id))
        assert.include(page.text, "Ways to sign in")
        assert.notInclude(page.text, "Required at the next sign-in")
      }),
    )
  })
})

describe("the page of a user, with step_up", () => {
  it.layer(withConsole({}, attributed(adminWith({ step_up: true }))))((it) => {
    it.effect("shows private attributes after a new proof of identity", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com", "Ada")
        yield* owner.api("/admin/users/update", { user_id: ada.user.id, changes: { attributes: { note: "private 4711" } } })
        const at = pageOf(ada.user.id)
        const first = yield* owner.open(at)
        assert.deepStrictEqual([first.text.includes("private 4711"), first.text.includes("Show private attributes")], [true, false])
        yield* TestClock.adjust("600 seconds")
        const later = yield* owner.open(at)
        assert.deepStrictEqual([later.text.includes("private 4711"), later.html.includes("attributes.note")], [false, false])
        const asked = yield* owner.open(`/step-up?return_to=${encodeURIComponent(at)}`)
        assert.include(later.html, `href="${asked.at}"`)
        const proved = yield* owner.press(asked, "password", { password })
        assert.deepStrictEqual([proved.at, proved.text.includes("private 4711")], [at, true])
      }),
    )
  })
})

describe("the page of a user", () => {
  it.layer(withConsole({}, withAttributes))((it) => {
    it.effect("shows attributes, and changes name and language unless the user has changed meanwhile", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com", "Ada")
        const values = { team: "looms <b>", note: "private 4711" }
        yield* owner.api("/admin/users/update", { user_id: ada.user.id, changes: { attributes: values } })
        const page = yield* owner.open(pageOf(ada.user.id))
        assert.include(page.html, "looms &lt;b&gt;")
        assert.include(page.text, "private 4711")
        const saved = yield* owner.press(page, "edit", { name: "Augusta", locale: "de" })
        assert.deepStrictEqual([saved.heading, saved.notice], ["Augusta", "Your changes were saved."])
        assert.include(saved.text, "Deutsch")
        const refused = yield* owner.press(page, "edit", { name: "Byron" })
        assert.deepStrictEqual([refused.status, refused.heading], [412, "Augusta"])
        const again = yield* owner.press(refused, "edit", { name: "" })
        assert.strictEqual(again.heading, "ada@example.com")

        const reader = yield* withRole(owner, "reader")
        const read = yield* reader.open(pageOf(ada.user.id))
        assert.include(read.text, "looms")
        assert.notInclude(read.text, "private 4711")
        assert.deepStrictEqual(
          read.forms.flatMap(({ buttons }) => Object.keys(buttons)),
          [],
        )
        assert.notMatch(read.html, /href="\/admin\/user\//)
      }),
    )

    it.effect("changes attributes, the private ones only by permission", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("attributes@example.com")
        const at = pageOf(ada.user.id)
        const page = yield* owner.open(at)
        const refused = yield* owner.press(page, "attributes", { "attributes.team": "x".repeat(21), "attributes.note": "kept" })
        assert.deepStrictEqual([refused.status, /href="#attributes\.team"/.test(refused.html)], [400, true])
        assert.match(refused.html, /<details class="confirm" open>(?:(?!<\/details>)[\s\S])*name="attributes\.team"/)
        const entered = { "attributes.team": "looms", "attributes.seats": "12", "attributes.tags": "a, b", "attributes.beta": "no" }
        yield* owner.press(refused, "attributes", entered)
        const stored = Effect.map(owner.api(`/admin/users/show?user_id=${ada.user.id}`), ({ user }) => user.attributes)
        assert.deepStrictEqual(yield* stored, { team: "looms", note: "kept", seats: 12, tags: ["a", "b"], beta: false })
        assert.strictEqual((yield* owner.press(page, "attributes", { "attributes.team": "late" })).status, 412)

        const editor = yield* withRole(owner, "editor")
        const theirs = yield* editor.open(at)
        const { fields, values } = editor.formOf(theirs, "attributes")
        assert.deepStrictEqual(fields, ["attributes.team", "attributes.seats", "attributes.tags"])
        assert.deepInclude(values, {
          "attributes.team": "looms",
          "attributes.seats": "12",
          "attributes.tags": "a, b",
          "attributes.beta": "no",
        })
        yield* editor.press(theirs, "attributes", { "attributes.team": "", "attributes.seats": "", "attributes.beta": "" })
        assert.deepStrictEqual(yield* stored, { note: "kept", tags: ["a", "b"] })
        const forged = { ...editor.formOf(yield* editor.open(at), "attributes").values, "attributes.note": "stolen", action: "attributes" }
        yield* editor.request("POST", at, forged)
        assert.deepStrictEqual(yield* stored, { note: "kept", tags: ["a", "b"] })
      }),
    )

    it.effect("gives names to sign in with, and opens the form of a refused one", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("names@example.com")
        const page = yield* owner.open(pageOf(ada.user.id))
        const refused = yield* owner.press(page, "set_username", { username: "no spaces" })
        assert.strictEqual(refused.status, 400)
        assert.match(refused.html, /<details class="confirm" open>(?:(?!<\/details>)[\s\S])*name="username"/)
        const named = yield* owner.press(refused, "set_username", { username: "lovelace" })
        assert.strictEqual(named.notice, "Your changes were saved.")
        const phoned = yield* owner.press(named, "set_phone", { phone: "+49 170 1234567" })
        assert.include(phoned.text, "+49 170 1234567")
        yield* browse().api("/sign-in/username", { username: "lovelace", password })
      }),
    )

    it.effect("sends mails, and requires actions at the next sign-in", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("mails@example.com")
        const before = (yield* emails).length
        const page = yield* owner.open(pageOf(ada.user.id))
        assert.strictEqual((yield* owner.press(page, "send_reset")).notice, "The mail is on its way.")
        assert.deepStrictEqual(
          (yield* emails).slice(before).map(({ to }) => to),
          ["mails@example.com"],
        )
        const required = yield* owner.press(page, "require", { change_password: "yes" })
        assert.strictEqual(required.notice, "Your changes were saved.")
        assert.include((yield* signIn(browse(), "mails@example.com")).text, "new password")
        const ended = yield* owner.press(required, "require", { change_password: "" })
        assert.include(ended.text, "Nothing is required.")
      }),
    )

    it.effect("shows memberships and what happened", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("member@example.com")
        yield* ada.api("/organization/create", { name: "Engines <i>", slug: "engines" })
        const page = yield* owner.open(pageOf(ada.user.id))
        assert.include(page.html, "Engines &lt;i&gt;")
        assert.include(page.text, "organization.created")
        assert.include(page.text, "The user has not allowed any application.")
      }),
    )

    it.effect("of the visitor offers nothing that administrators cannot do to themselves", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { user } = yield* owner.api("/get-session")
        const page = yield* owner.open(pageOf(user.id))
        assert.notMatch(page.html, /\/user\/(suspend|erase|remove|impersonate|merge|role|factors?|credential)/)
        assert.include(page.html, "/user/password")
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("leads to pages that change address, password, factors, credentials and sessions", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com", "Ada")
        const at = pageOf(ada.user.id)
        const openFrom = Effect.fnUntraced(function* openFrom(path: string) {
          const page = yield* owner.open(at)
          const [, href = ""] = new RegExp(`href="(/admin${path}\\?[^"]*)"`).exec(page.html) ?? []
          return yield* owner.open(href.replaceAll("&amp;", "&"))
        })

        const taken = yield* owner.press(yield* openFrom("/user/address"), "confirm", { email: "root@example.com" })
        assert.strictEqual(taken.status, 409)
        const moved = yield* owner.press(taken, "confirm", { email: "countess@example.com", verified: "yes" })
        assert.deepStrictEqual([moved.at, moved.notice], [at, "The address was changed."])
        assert.include(moved.text, "countess@example.com Verified")

        const short = yield* owner.press(yield* openFrom("/user/password"), "confirm", { new_password: "short" })
        assert.strictEqual(short.status, 400)
        const set = yield* owner.press(short, "confirm", { new_password: "another horse battery" })
        assert.strictEqual(set.notice, "The password was set.")
        assert.isNull(yield* addressOf(ada))
        const required = yield* browse().api("/sign-in/email", { email: "countess@example.com", password: "another horse battery" })
        assert.deepStrictEqual(required.required_actions, ["change_password"])

        const reset = yield* owner.press(yield* openFrom("/user/factors/reset"), "confirm", { reason })
        assert.strictEqual(reset.notice, "The factors were removed.")

        yield* owner.press(yield* owner.open(at), "set_phone", { phone: "+49 170 7654321" })
        const way = yield* openFrom("/user/credential/remove")
        assert.include(way.text, "Password")
        const removed = yield* owner.press(way, "confirm")
        assert.strictEqual(removed.notice, "The way to sign in was removed.")
        const last = yield* openFrom("/user/credential/remove")
        const kept = yield* owner.press(last, "confirm")
        assert.strictEqual(kept.status, 400)
        assert.strictEqual((yield* owner.press(kept, "confirm", { force: "yes" })).notice, "The way to sign in was removed.")
      }),
    )

    it.effect("removes one factor, with a reason", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { user } = yield* signedUp("factors@example.com")
        yield* linked(user.id, "passkey")
        const now = yield* DateTime.now
        const app = { user_id: user.id, secret: "s", backup_codes: [], used_steps: [], failures: 0, locked_until: null, created_at: now }
        const row = { ...app, confirmed_at: now, updated_at: now }
        yield* Effect.orDie((yield* Store).commit([insert(TwoFactors, row)]))
        const at = `/admin/user/factor/remove?id=${user.id}`
        const page = yield* owner.open(pageOf(user.id))
        assert.include(page.html, `${at}&amp;kind=two_factor`)
        assert.strictEqual((yield* owner.open(`${at}&kind=passkey`)).status, 404)
        const asked = yield* owner.open(`${at}&kind=two_factor`)
        assert.strictEqual((yield* owner.press(asked, "confirm", { reason: "" })).status, 400)
        const removed = yield* owner.press(asked, "confirm", { reason })
        assert.deepStrictEqual([removed.at, removed.notice], [pageOf(user.id), "The factor was removed."])
        assert.isEmpty(yield* rows(TwoFactors))
        assert.include(removed.text, "Passkey")
      }),
    )

    it.effect("ends all sessions", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("sessions@example.com")
        const asked = yield* owner.open(`/admin/user/sessions/end?id=${ada.user.id}`)
        assert.strictEqual((yield* owner.press(asked, "confirm")).notice, "All sessions have ended.")
        assert.isNull(yield* addressOf(ada))
      }),
    )

    it.effect("assigns and withdraws a role", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("roles@example.com")
        const asked = yield* owner.open(`/admin/user/role?id=${ada.user.id}`)
        const past = yield* owner.press(asked, "confirm", { role: "reader", expires_at: "1969-12-01" })
        assert.strictEqual(past.status, 400)
        const assigned = yield* owner.press(past, "confirm", { role: "reader", expires_at: "1970-03-01" })
        assert.strictEqual(assigned.notice, "The role was assigned.")
        assert.include(assigned.text, "Mar 1, 1970")
        assert.strictEqual((yield* ada.open("/admin/users")).status, 200)
        const withdrawn = yield* owner.press(yield* owner.open(`/admin/user/role/withdraw?id=${ada.user.id}&role=reader`), "confirm")
        assert.strictEqual(withdrawn.notice, "The role was withdrawn.")
        assert.strictEqual((yield* ada.open("/admin/users")).status, 404)
      }),
    )

    it.effect("shows the address of an export once, to the administrator who asked for it", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("export@example.com")
        const at = `/admin/user/export?id=${ada.user.id}`
        const ready = yield* owner.press(yield* owner.open(at), "confirm")
        assert.strictEqual(ready.at, at)
        const [, download = ""] = /href="([^"]*\/account\/export\/download\?token=[^"]*)"/.exec(ready.html) ?? []
        const { pathname, search } = new URL(download)
        const part = yield* browse().request("GET", `${pathname}${search}`)
        assert.include(part.text, "export@example.com")
        assert.notInclude((yield* owner.open(at)).html, "token=")
      }),
    )

    it.effect("opens the account of the user, and leads back", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("act@example.com")
        const asked = yield* owner.open(`/admin/user/impersonate?id=${ada.user.id}`)
        const refused = yield* owner.press(asked, "confirm", { reason: "short" })
        assert.strictEqual(refused.status, 400)
        const acting = yield* owner.press(refused, "confirm", { reason, mode: "act", minutes: "5" })
        assert.deepStrictEqual([acting.at, yield* addressOf(owner)], ["/account", "act@example.com"])
        assert.include(acting.html, "banner")
        yield* owner.press(acting, "stop")
        assert.strictEqual(yield* addressOf(owner), "root@example.com")
      }),
    )

    it.effect("erases, cancels and removes only after the address is typed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("erase@example.com")
        const typed = "erase@example.com"
        const open = (path: string) => owner.open(`/admin/user/${path}?id=${ada.user.id}`)
        for (const path of ["erase", "erase/cancel", "remove"]) {
          const refused = yield* owner.press(yield* open(path), "confirm", { typed: "other@example.com" })
          assert.deepStrictEqual([refused.status, yield* addressOf(ada)], [400, typed], path)
          assert.include(refused.problem, "The text is different.")
        }
        const waits = yield* owner.press(yield* open("erase"), "confirm", { typed, after_days: "7" })
        assert.strictEqual(waits.notice, "The user will be erased. Until then you can cancel it.")
        assert.match(waits.text, /Erasure planned for Jan 8, 1970/)
        assert.include(waits.html, "/admin/user/erase/cancel")
        const stays = yield* owner.press(yield* open("erase/cancel"), "confirm", { typed })
        assert.strictEqual(stays.notice, "No erasure is scheduled. The user stays.")
        assert.notInclude(stays.html, "/admin/user/erase/cancel")
        const erased = yield* owner.press(yield* open("erase"), "confirm", { typed })
        assert.deepStrictEqual([erased.at, erased.notice], ["/admin/users", "The user was erased."])
        assert.isNull(yield* addressOf(ada))

        const grace = yield* signedUp("remove@example.com")
        const old = yield* owner.open(`/admin/user/remove?id=${grace.user.id}`)
        yield* owner.api("/admin/users/update", { user_id: grace.user.id, changes: { name: "Changed" } })
        const kept = yield* owner.press(old, "confirm", { typed: "remove@example.com" })
        assert.deepStrictEqual([kept.status, yield* addressOf(grace)], [412, "remove@example.com"])
        const asked = yield* owner.open(`/admin/user/remove?id=${grace.user.id}`)
        const removed = yield* owner.press(asked, "confirm", { typed: "remove@example.com" })
        assert.deepStrictEqual([removed.at, removed.notice], ["/admin/users", "The user was removed."])
        assert.strictEqual((yield* owner.open(pageOf(grace.user.id))).status, 404)
      }),
    )

    it.effect("merges into the user of an address, unless either has changed meanwhile", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const former = yield* signedUp("former@example.com", "Former")
        const other = yield* signedUp("into@example.com", "Into")
        const asked = yield* owner.open(`/admin/user/merge?id=${former.user.id}&into=into%40example.com`)
        assert.include(asked.text, other.user.id)
        yield* owner.api("/admin/users/update", { user_id: other.user.id, changes: { name: "Changed" } })
        const refused = yield* owner.press(asked, "confirm", { typed: "former@example.com" })
        assert.strictEqual(refused.status, 412)
        assert.strictEqual(yield* addressOf(former), "former@example.com")
        const again = yield* owner.open(`/admin/user/merge?id=${former.user.id}&into=${other.user.id}`)
        const started = yield* owner.press(again, "confirm", { typed: "former@example.com" })
        assert.strictEqual(started.notice, "The user is suspended. The accounts are being merged.")
        assert.match(started.at, /^\/admin\/job\?id=/)
        assert.isNull(yield* addressOf(former))
      }),
    )
  })
})
