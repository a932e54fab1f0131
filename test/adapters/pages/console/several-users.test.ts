import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Auth from "../../../../application/service/auth.ts"
import { workedBy } from "../../../application/modules/admin/job-world.ts"
import { emails } from "../../../world.ts"
import { addressOf, browse, signedUp } from "../browse.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

const worked = workedBy(Auth.make(modules))

describe("users in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("are created, with a mail on request", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const list = yield* owner.open("/admin/users")
        assert.include(list.html, 'href="/admin/users/new"')
        const page = yield* owner.open("/admin/users/new")
        const taken = yield* owner.press(page, "create", { email: "root@example.com" })
        assert.deepStrictEqual([taken.status, taken.problem.includes("exists already")], [422, true])
        const created = yield* owner.press(taken, "create", { email: "new@example.com", name: "New", verified: "yes", send: "invite" })
        assert.deepStrictEqual([created.heading, created.notice], ["New", "The user was created."])
        assert.include(created.text, "new@example.com Verified")
        const invitation = (yield* emails).find(({ to }) => to === "new@example.com")
        const [, link = ""] = /http:\/\/localhost:3000(\/\S+)/.exec(invitation?.text ?? "") ?? []
        const invited = browse()
        const choice = yield* invited.open(link)
        assert.strictEqual(choice.heading, "Choose a password")
        const chosen = yield* invited.press(choice, "reset", { new_password: "another horse battery" })
        assert.include(chosen.text, "Your password is set")
        const nameless = yield* owner.press(page, "create", { name: "No address" })
        assert.strictEqual(nameless.heading, "No address")
      }),
    )

    it.effect("who are chosen are suspended after a dry run, with their number typed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const ada = yield* signedUp("ada@example.com")
        const grace = yield* signedUp("grace@example.com")
        const list = yield* owner.open("/admin/users")
        assert.match(list.html, new RegExp(`<input type="checkbox" name="id" value="${ada.user.id}"`))
        const { user: self } = yield* owner.api("/get-session")
        const ids = [ada.user.id, grace.user.id, self.id].map((id) => `&id=${id}`).join("")
        const asked = yield* owner.open(`/admin/users/several?operation=suspend${ids}`)
        const waits = yield* owner.press(asked, "check")
        assert.include(waits.text, "Waiting")
        assert.isUndefined(waits.forms.find(({ buttons }) => "confirm" in buttons))
        yield* worked
        const checked = yield* owner.open(waits.at)
        assert.include(checked.text, "Would succeed for 2")
        assert.include(checked.text, "Would fail for 1")
        assert.strictEqual(yield* addressOf(ada), "ada@example.com")

        for (const entered of [
          { reason: "spam, ticket 4711", typed: "2" },
          { reason: "", typed: "3" },
          { reason: "spam, ticket 4711", typed: "3", until: "1969-12-30" },
        ]) {
          const refused = yield* owner.press(checked, "confirm", entered)
          assert.strictEqual(refused.status, 400)
        }
        const started = yield* owner.press(checked, "confirm", { reason: "spam, ticket 4711", typed: "3", until: "2030-01-01" })
        assert.strictEqual(started.notice, "The operation has started. It goes on in the background.")
        yield* worked
        assert.include((yield* owner.open(started.at)).text, "Succeeded 2")
        assert.deepStrictEqual([yield* addressOf(ada), yield* addressOf(grace)], [null, null])
        assert.strictEqual(yield* addressOf(owner), "root@example.com")
        const suspended = yield* owner.open(`/admin/user?id=${ada.user.id}`)
        assert.match(suspended.html, /datetime="2030-01-02T00:00:00/)
        assert.include(suspended.text, "spam, ticket 4711")
        const lifted = yield* owner.press(suspended, "resume")
        assert.strictEqual(lifted.notice, "The user can sign in again.")
      }),
    )

    it.effect("who are chosen are not changed without a dry run of the same operation", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const eve = yield* signedUp("eve@example.com")
        const waits = yield* owner.press(yield* owner.open(`/admin/users/several?operation=unban&id=${eve.user.id}`), "check")
        yield* worked
        const checked = yield* owner.open(waits.at)
        const forged = { ...owner.formOf(checked, "confirm").values, typed: "1", action: "confirm" }
        const answer = yield* owner.request("POST", waits.at.replace("operation=unban", "operation=remove"), forged)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(yield* addressOf(eve), "eve@example.com")
      }),
    )

    it.effect("can be chosen only by administrators who may run jobs", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const reader = yield* withRole(owner, "reader")
        const list = yield* reader.open("/admin/users")
        assert.notInclude(list.html, 'type="checkbox"')
        assert.notInclude(list.html, "/admin/users/new")
        assert.strictEqual((yield* reader.open("/admin/users/new")).status, 403)
        assert.strictEqual((yield* reader.open("/admin/users/several")).status, 403)
      }),
    )
  })
})
