import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, onWire, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] }))
const modules = [...core, built]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminBanUser, adminSetRole, adminUsersShow, adminUsersUpdate } = built.endpoints

const both = Effect.gen(function* () {
  return { owner: yield* signedUpTo(root, auth), ada: yield* signedUpTo("ada@example.com", auth) }
})

describe("GET /admin/users/show", () => {
  rule("shows a user by id or address, with role and ban", function* () {
    const { owner, ada } = yield* both
    const byId = yield* owner.body(adminUsersShow, { user_id: ada.user.id })
    assert.deepStrictEqual(yield* owner.body(adminUsersShow, { email: " Ada@example.com" }), byId)
    assert.deepInclude(byId, { ban: null })
    assert.deepInclude(byId.user, { id: ada.user.id, role: "user", banned: false })
    yield* owner.body(adminBanUser, { user_id: ada.user.id, reason: "spam", expires_in: 60 })
    const banned = yield* onWire(adminUsersShow, yield* owner.body(adminUsersShow, { user_id: ada.user.id }))
    assert.deepStrictEqual(banned.ban, { kind: "ban", reason: "spam", expires_at: "1970-01-01T00:01:00.000Z" })
  })

  rule("needs exactly one of both, and says where there is no such user", function* () {
    const { owner, ada } = yield* both
    for (const input of [{}, { user_id: ada.user.id, email: "ada@example.com" }])
      assert.strictEqual(yield* owner.code(adminUsersShow, input), "invalid_request")
    for (const input of [{ user_id: "unknown" }, { user_id: "" }, { email: "nobody@example.com" }])
      assert.strictEqual(yield* owner.code(adminUsersShow, input), "user_not_found")
  })
})

describe("POST /admin/users/update", () => {
  rule("changes the given members only", function* () {
    const { owner, ada } = yield* both
    const user_id = ada.user.id
    yield* owner.body(adminUsersUpdate, { user_id, changes: { name: "Ada", locale: "de" } })
    const { user } = yield* owner.body(adminUsersUpdate, { user_id, changes: { image: "/ada.png" } })
    assert.deepInclude(user, { name: "Ada", locale: "de", image: "/ada.png", email: "ada@example.com" })
    const cleared = yield* owner.body(adminUsersUpdate, { user_id, changes: { name: null, image: "" } })
    assert.deepInclude(cleared.user, { name: null, image: null, locale: "de" })
    assert.deepInclude((yield* ada.body(endpoints.getSession)).user, { name: null, image: null })
    for (const changes of [{ name: 7 }, { image: "javascript:alert(1)" }, { locale: "?" }, null])
      assert.strictEqual(yield* owner.code(adminUsersUpdate, { user_id, changes }), "invalid_request")
    assert.strictEqual(yield* owner.code(adminUsersUpdate, { user_id: "unknown", changes: {} }), "user_not_found")
  })

  rule("changes nothing if the user has another version: after a change of the profile, the role, or a ban", function* () {
    const { owner, ada } = yield* both
    const user_id = ada.user.id
    const versions = new Set<string>()
    for (const change of [
      owner.body(adminUsersUpdate, { user_id, changes: { name: "Ada" } }),
      owner.body(adminSetRole, { user_id, role: "editor" }),
      owner.body(adminBanUser, { user_id }),
    ]) {
      const { version } = yield* owner.body(adminUsersShow, { user_id })
      versions.add(version)
      yield* change
      const stale = { user_id, changes: { name: "Lovelace" }, expected_version: version }
      assert.strictEqual(yield* owner.code(adminUsersUpdate, stale), "version_mismatch")
    }
    assert.strictEqual(versions.size, 3)
    const { user, version } = yield* owner.body(adminUsersShow, { user_id })
    assert.strictEqual(user.name, "Ada")
    const next = yield* owner.body(adminUsersUpdate, { user_id, changes: { name: "Lovelace" }, expected_version: version })
    assert.deepStrictEqual([next.user.name, next.version === version], ["Lovelace", false])
  })

  rule("of many changes with one version, one succeeds", function* () {
    const { owner, ada } = yield* both
    const user_id = ada.user.id
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const change = (name: string) => owner.call(adminUsersUpdate, { user_id, changes: { name }, expected_version: version })
    assert.deepStrictEqual(yield* atOnce(times(20, (index) => change(`name ${index}`))), { ok: 1, version_mismatch: 19 })
  })
})
