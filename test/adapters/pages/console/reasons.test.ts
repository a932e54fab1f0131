import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { password } from "../../../world.ts"
import { signedUp } from "../browse.ts"
import { modules, root, rootAgain, withConsole } from "./console.ts"

const reason = "They asked for it, ticket <b>4711</b>"

describe("a reason in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("goes from the page that asks to the audit log, where the console shows it", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        const asked = yield* owner.open(`/admin/user/sessions/end?id=${ada.user.id}`)
        assert.include(asked.text, "Reason (optional)")
        const short = yield* owner.press(asked, "confirm", { reason: "too short" })
        assert.deepStrictEqual([short.status, short.forms.at(-1)?.values["reason"]], [400, "too short"])
        const done = yield* owner.press(short, "confirm", { reason })
        assert.strictEqual(done.notice, "All sessions have ended.")
        const { entries } = yield* owner.api(`/admin/audit/list?subject_id=${ada.user.id}&type=session.revoked`)
        assert.strictEqual(entries[0].note, reason)
        const shown = yield* owner.open(`/admin/audit?subject_id=${ada.user.id}`)
        assert.include(shown.text, `Reason ${reason}`)
        assert.notInclude(shown.html, reason)
      }),
    )

    it.effect("is given to each operation that takes one, such as the deletion of a service account", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { service_account } = yield* owner.api("/admin/service-accounts/create", { name: "Nightly", permissions: ["users:read"] })
        const asked = yield* owner.open(`/admin/service-account/delete?id=${service_account.id}`)
        yield* owner.press(asked, "confirm", { reason, typed: "Nightly" })
        const { entries } = yield* owner.api("/admin/audit/list?type=service_account.deleted")
        assert.deepStrictEqual(
          entries.map(({ note }: { readonly note: string | null }) => note),
          [reason],
        )
      }),
    )

    it.effect("can be left out, but not of a suspension", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const eve = yield* signedUp("eve@example.com")
        const suspension = yield* owner.open(`/admin/user/suspend?id=${eve.user.id}`)
        assert.notInclude(suspension.text, "Reason (optional)")
        for (const entered of ["", "too short"]) {
          const refused = yield* owner.press(suspension, "confirm", { reason: entered })
          assert.deepStrictEqual([refused.status, refused.problem.includes("10 to 500 characters")], [400, true])
        }
        const never = yield* owner.press(suspension, "confirm", { reason, until: "1969-12-30" })
        assert.deepStrictEqual([never.status, never.html.includes('<a href="#until">')], [400, true])
        const ended = yield* owner.press(suspension, "confirm", { reason, until: "1970-01-09" })
        assert.strictEqual(ended.notice, "The user is suspended.")
        assert.include(ended.html, '<time datetime="1970-01-10T00:00:00.000Z">')
        const removal = yield* owner.open(`/admin/user/remove?id=${eve.user.id}`)
        assert.strictEqual((yield* owner.press(removal, "confirm", { typed: "eve@example.com" })).notice, "The user was removed.")
      }),
    )

    it.effect("survives a new proof of identity, for the page where it was entered", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const [bob, eve] = [yield* signedUp("bob@example.com"), yield* signedUp("eve@example.com")]
        const pageOf = (id: string) => `/admin/user/suspend?id=${id}`
        const asked = yield* owner.open(pageOf(bob.user.id))
        const reasonIn = (page: typeof asked) => page.forms.find(({ fields }) => fields.includes("reason"))?.values["reason"]
        yield* TestClock.adjust("600 seconds")
        const proof = yield* owner.press(asked, "confirm", { reason })
        assert.include(proof.at, "/step-up")
        assert.notInclude(proof.via.join() + proof.html, "4711")
        const proved = yield* owner.press(proof, "password", { password })
        assert.deepStrictEqual([proved.at, reasonIn(proved)], [pageOf(bob.user.id), reason])
        assert.strictEqual((yield* owner.press(proved, "confirm")).notice, "The user is suspended.")

        const again = yield* owner.open(pageOf(eve.user.id))
        yield* TestClock.adjust("600 seconds")
        yield* owner.press(again, "confirm", { reason })
        const other = `/admin/user/remove?id=${eve.user.id}`
        const step = yield* owner.open(`/step-up?return_to=${encodeURIComponent(other)}`)
        const elsewhere = yield* owner.press(step, "password", { password })
        assert.deepStrictEqual([elsewhere.at, reasonIn(elsewhere)], [other, ""])
        assert.strictEqual(reasonIn(yield* owner.open(pageOf(eve.user.id))), "")
      }),
    )
  })

  it.layer(
    withConsole(
      {},
      modules.filter(({ name }) => name !== "audit"),
    ),
  )((it) => {
    it.effect("is asked only where it is required, if there is no audit log", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        assert.notInclude((yield* owner.open(`/admin/user/remove?id=${ada.user.id}`)).html, 'name="reason"')
        assert.include((yield* owner.open(`/admin/user/suspend?id=${ada.user.id}`)).html, 'name="reason"')
      }),
    )
  })
})
