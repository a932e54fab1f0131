import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../../world.ts"
import { addressOf, browse, signedUp } from "../browse.ts"
import { root, rootAgain, withConsole } from "./console.ts"

describe("the users in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("are found by the beginning of an address or a name, and by their state", () =>
      Effect.gen(function* () {
        const owner = yield* root
        yield* signedUp("ada@example.com", "Ada <b>")
        yield* signedUp("grace@example.com", "Grace")
        assert.include((yield* owner.open("/admin/users")).html, '<option value="suspender" dir="auto">suspender</option>')
        const all = yield* owner.open("/admin/users")
        assert.include(all.html, "Ada &lt;b&gt;")
        assert.include(all.text, "3 in all")
        const found = (yield* owner.open("/admin/users?q=gra")).text
        assert.include(found, "Grace")
        assert.notInclude(found, "Ada")
        assert.notInclude(found, "in all")
        assert.include((yield* owner.open("/admin/users?q=gr&state=suspended")).text, "There are no such users.")
      }),
    )

    it.effect("say which administrators the filter by role does not find", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const page = yield* owner.open("/admin/users?role=admin")
        assert.include(page.text, "There are no such users.")
        assert.include(page.text, "only the configuration makes administrators (admin_emails, admin_user_ids)")
        assert.include(page.html, 'href="/admin/administrators">Administrators</a>.')
        assert.notInclude((yield* owner.open("/admin/users?role=reader")).text, "admin_emails")
        const named = yield* owner.open("/admin/administrators")
        assert.match(named.html, /href="\/admin\/user\?id=[^"]+"><bdi dir="ltr">root@example.com/)
      }),
    )

    it.effect("are suspended with a reason, and resumed", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password })
        const ada = yield* signedUp("lovelace@example.com", "Ada")
        const at = `/admin/user?id=${ada.user.id}`
        const asked = yield* owner.open(`/admin/user/suspend?id=${ada.user.id}`)
        const refused = yield* owner.press(asked, "confirm", { reason: "" })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(yield* addressOf(ada), "lovelace@example.com")
        const done = yield* owner.press(refused, "confirm", { reason: "sends spam, ticket 4711" })
        assert.deepStrictEqual([done.at, done.notice], [at, "The user is suspended."])
        assert.isNull(yield* addressOf(ada))
        assert.include(done.text, "Suspended")
        const resumed = yield* owner.press(done, "resume")
        assert.strictEqual(resumed.notice, "The user can sign in again.")
      }),
    )

    it.effect("are not suspended if they have changed since the page was shown", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password })
        const ada = yield* signedUp("byron@example.com", "Ada")
        const asked = yield* owner.open(`/admin/user/suspend?id=${ada.user.id}`)
        yield* owner.api("/admin/users/update", { user_id: ada.user.id, changes: { name: "Augusta" } })
        const refused = yield* owner.press(asked, "confirm", { reason: "sends spam, ticket 4711" })
        assert.strictEqual(refused.status, 412)
        assert.include(refused.problem, "changed in the meantime")
      }),
    )

    it.effect("have sessions that end one by one", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password })
        const ada = yield* signedUp("ada.king@example.com")
        const page = yield* owner.open(`/admin/user?id=${ada.user.id}`)
        const ended = yield* owner.press(page, "end")
        assert.strictEqual(ended.notice, "The session has ended.")
        assert.isNull(yield* addressOf(ada))
        assert.include(ended.text, "The user has no session.")
      }),
    )
  })
})
