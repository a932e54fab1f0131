import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { takenPath } from "../../../../adapters/assembly/pages.ts"
import { screensOf } from "../../../../adapters/pages/console/own-screens.ts"
import * as Auth from "../../../../application/service/auth.ts"
import { feedback } from "../../../../examples/feedback.ts"
import { signedUp } from "../browse.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

const own = feedback.build({})
const all = [...modules, own]

describe("the screen that a module adds to the console", () => {
  it.layer(withConsole({}, all))((it) => {
    it.effect("is linked and shown for administrators with the permissions of its endpoints only", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const [link, current] = ['<li><a href="/admin/feedback">Feedback', '<a href="/admin/feedback" aria-current="page">Feedback']
        for (const [role, may] of [
          ["reader", true],
          ["watcher", false],
        ] as const) {
          const their = yield* withRole(owner, role)
          assert.strictEqual((yield* their.open("/admin")).html.includes(link), may, role)
          const page = yield* their.open("/admin/feedback")
          assert.deepStrictEqual([page.status, page.html.includes(current)], [may ? 200 : 403, may], role)
        }
        const ada = yield* signedUp("ada@example.com")
        assert.strictEqual((yield* ada.open("/admin/feedback")).status, 404)
      }),
    )

    it.effect("shows what users sent, draws its button by permission, and works without scripts", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const empty = yield* owner.open("/admin/feedback")
        assert.deepStrictEqual([empty.title, empty.text.includes("There is no feedback.")], ["Feedback – Sallyport", true])
        const eve = yield* signedUp("eve@example.com")
        yield* eve.api("/feedback", { text: "Slow <b>" })
        const page = yield* owner.open("/admin/feedback")
        assert.include(page.html, "Slow &lt;b&gt;")
        assert.include(page.html, `href="/admin/user?id=${eve.user.id}"`)
        const reader = yield* withRole(owner, "reader", "second@example.com")
        const seen = yield* reader.open("/admin/feedback")
        assert.deepStrictEqual([seen.text.includes("Slow <b>"), seen.forms.filter(({ buttons }) => "done" in buttons)], [true, []])
        const { values } = owner.formOf(page, "done")
        const forged = { ...values, form_token: seen.forms[0]?.values["form_token"] ?? "", action: "done" }
        assert.strictEqual((yield* reader.request("POST", "/admin/feedback", forged)).status, 403)
        const removed = yield* owner.press(page, "done")
        assert.deepStrictEqual([removed.notice, removed.text.includes("There is no feedback.")], ["The feedback was removed.", true])
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("is gone without the module", () =>
      Effect.gen(function* () {
        const owner = yield* root
        assert.notInclude((yield* owner.open("/admin/users")).html, "feedback")
        assert.strictEqual((yield* owner.open("/admin/feedback")).status, 404)
      }),
    )
  })

  it("does not have the path of another page", () => {
    const [screen] = screensOf(Auth.make(all))
    const places = { settings: { base_path: "/api/auth" }, graphql: { enabled: false, path: "" } }
    const at = (path: string) =>
      takenPath([], places as never, { path: "/", admin: { path: "/admin" } } as never, [], [{ ...screen, path } as never])
    assert.deepStrictEqual(["/feedback", "/users"].map(at), [undefined, "/admin/users"])
  })
})
