import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import { addressOf, browse, signedUp, withPages } from "./browse.ts"

const start = "/admin/impersonate/start"
const reason = "ticket 4711, the profile looks wrong"

describe("the banner of an impersonated session", () => {
  it.layer(withPages())((it) => {
    it.effect("says whose account it is and until when on every page, and leads back without scripts", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com", "Ada <b>")
        const root = yield* signedUp("root@example.com")
        assert.notInclude((yield* root.open("/account")).html, "banner")
        yield* root.api(start, { user_id: ada.user.id, reason })
        for (const path of ["/account", "/account/security", "/account/sessions", "/account/connections", "/account/organizations"]) {
          const page = yield* root.open(path)
          assert.match(
            page.html,
            /<div class="notice banner" role="status">\s*<p>[\s\S]*Ada &lt;b&gt;[\s\S]*until <time datetime="1970-01-01T00:30:00.000Z">Jan 1, 1970, 12:30\sAM UTC<\/time>[\s\S]*<\/p>/,
          )
          assert.isDefined(root.formOf(page, "stop"))
        }
        const own = yield* root.press(yield* root.open("/account/security"), "stop")
        assert.deepStrictEqual([own.at, yield* addressOf(root)], ["/account", "root@example.com"])
        assert.notInclude(own.html, "banner")
        assert.strictEqual(yield* addressOf(ada), "ada@example.com")
      }),
    )

    it.effect("stays when a form is refused, and a sign-out leaves the account only", () =>
      Effect.gen(function* () {
        const grace = yield* signedUp("grace@example.com")
        const root = browse()
        yield* root.api("/sign-in/email", { email: "root@example.com", password })
        yield* root.api(start, { user_id: grace.user.id, reason, mode: "read" })
        const refused = yield* root.press(yield* root.open("/account"), "save", { name: "Grace" })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.problem, "Administrators cannot do this in the name of a user.")
        assert.isDefined(root.formOf(refused, "stop"))
        yield* root.press(yield* root.open("/sign-out"), "sign_out")
        assert.strictEqual(yield* addressOf(root), "root@example.com")
      }),
    )
  })
})
