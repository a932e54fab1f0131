import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { password } from "../../../world.ts"
import { browse, signedUp } from "../browse.ts"
import { modules, root, withConsole, withRole } from "./console.ts"

const reason = "ticket 4711, the profile looks wrong"

describe("the console", () => {
  it.layer(withConsole({ label: "Production" }))((it) => {
    it.effect("exists for administrators only", () =>
      Effect.gen(function* () {
        const stranger = browse()
        assert.strictEqual((yield* stranger.open("/admin/users")).at, "/sign-in?return_to=%2Fadmin%2Fusers")
        const user = yield* signedUp("ada@example.com")
        const unknown = yield* user.open("/admin/nothing")
        for (const path of ["/admin", "/admin/users", `/admin/user?id=${user.user.id}`]) {
          const page = yield* user.open(path)
          assert.deepStrictEqual([page.status, page.heading], [404, unknown.heading], path)
        }
        const owner = yield* root
        const page = yield* owner.open("/admin/users")
        assert.deepStrictEqual([page.status, page.heading], [200, "Users"])
        assert.include(page.title, "Production")
        assert.strictEqual(page.answer.headers["cross-origin-opener-policy"], "same-origin")
        assert.include(String(page.answer.headers["content-security-policy"]), "require-trusted-types-for 'script'")
      }),
    )

    it.effect("does not exist in the session of another user", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password })
        const grace = yield* signedUp("grace@example.com")
        yield* owner.api("/admin/impersonate/start", { user_id: grace.user.id, reason })
        assert.strictEqual((yield* owner.open("/admin/users")).status, 404)
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("says which permission is missing and which roles have it, and draws no other button", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        const reader = yield* withRole(owner, "reader")
        const page = yield* reader.open(`/admin/user?id=${ada.user.id}`)
        assert.strictEqual(page.status, 200)
        assert.notInclude(page.html, "/user/suspend")
        const refused = yield* reader.open(`/admin/user/suspend?id=${ada.user.id}`)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "users:suspend")
        assert.include(refused.text, "user_manager , security , suspender , admin")
      }),
    )

    it.effect("asks for a new proof of identity after max_age, and at level 2 after session.step_up_age", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* owner.api("/sign-in/email", { email: "root@example.com", password })
        const grace = yield* signedUp("grace@example.com")
        const suspend = `/admin/user/suspend?id=${grace.user.id}`
        yield* TestClock.adjust("599 seconds")
        assert.strictEqual((yield* owner.open(suspend)).heading, "Suspend")
        yield* TestClock.adjust("1 second")
        const asked = yield* owner.open(suspend)
        assert.include(asked.at, "/step-up")
        const proved = yield* owner.press(asked, "password", { password })
        assert.deepStrictEqual([proved.at, proved.heading], [suspend, "Suspend"])
        yield* TestClock.adjust(`${43_200 - 1} seconds`)
        assert.strictEqual((yield* owner.open("/admin/users")).heading, "Users")
        yield* TestClock.adjust("1 second")
        assert.include((yield* owner.open("/admin/users")).at, "/step-up")
      }),
    )
  })

  it.layer(withConsole({ networks: ["10.0.0.0/8"] }))((it) => {
    it.effect("does not exist outside its networks, before any sign-in", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* browse().open("/admin/users")).status, 404)
        assert.strictEqual((yield* browse().open("/sign-in")).status, 200)
      }),
    )
  })

  it.layer(withConsole({ networks: ["10.0.0.0/8", "127.0.0.0/8"], path: "/operators" }))((it) => {
    it.effect("is at its path in its networks", () =>
      Effect.gen(function* () {
        const owner = yield* root
        assert.strictEqual((yield* owner.open("/operators/users")).heading, "Users")
        assert.strictEqual((yield* owner.open("/admin/users")).status, 404)
      }),
    )
  })

  const demanding = twoFactor.build(Schema.decodeUnknownSync(twoFactor.settings)({ required: "admins" }))
  it.layer(withConsole({}, [...modules.filter(({ name }) => name !== "two_factor"), demanding]))((it) => {
    it.effect("sends administrators without a factor to the page on which they add one", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const { commit } = yield* Store
        yield* commit([
          insert(AdminMetadatas, { ...defaultMetadata, user_id: ada.user.id, role: "admin", updated_at: yield* DateTime.now }),
        ])
        const page = yield* ada.open("/admin/users")
        assert.strictEqual(page.at, "/account/security")
        assert.include(page.problem, "add a passkey or an authenticator app")
      }),
    )
  })
})
