import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type AdminGrant, AdminGrants, maxGrants } from "../../../../application/modules/admin/grants-table.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, onWire, rows, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    roles: { giver: ["users:roles", "users:create"], cleaner: ["users:delete"] },
  }),
)
const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
const service = AuthOf.make(modules)
const rule = rulesOf(modules)
const {
  adminBanUser,
  adminCreateUser,
  adminListUsers,
  adminMe,
  adminRemoveUser,
  adminRolesAssign,
  adminRolesWithdraw,
  adminSetRole,
  adminUsersShow,
} = built.endpoints

const signedUp = (address: string) => signedUpTo(address, service)
const both = Effect.gen(function* () {
  return { owner: yield* signedUp(root), ada: yield* signedUp("ada@example.com") }
})
const inSeconds = (seconds: number) => new Date(seconds * 1000).toISOString()
type Person = Effect.Success<ReturnType<typeof signedUp>>
const permissionsOf = (their: Person) =>
  Effect.match(their.body(adminMe), { onFailure: () => [], onSuccess: ({ permissions }): ReadonlyArray<string> => permissions })

/** Stores roles of a user, as if the configuration had had them. */
const seeded = Effect.fnUntraced(function* (user_id: string, stored: ReadonlyArray<Pick<AdminGrant, "id" | "role" | "organization_id">>) {
  const now = yield* DateTime.now
  const all = stored.map((one) => insert(AdminGrants, { ...one, user_id, expires_at: null, created_at: now }))
  yield* Effect.orDie((yield* Store).commit(all))
})

describe("POST /admin/roles/assign", () => {
  rule("adds a role to those of the user, until its end", function* () {
    const { owner, ada } = yield* both
    const user_id = ada.user.id
    yield* owner.body(adminSetRole, { user_id, role: "cleaner" })
    yield* owner.body(adminRolesAssign, { user_id, role: "user_manager" })
    yield* owner.body(adminRolesAssign, { user_id, role: "security", expires_at: inSeconds(60) })
    assert.includeMembers([...(yield* permissionsOf(ada))], ["users:delete", "users:create", "audit:read"])
    const shown = yield* onWire(adminUsersShow, yield* owner.body(adminUsersShow, { user_id }))
    const none = { organization_id: null, created_at: inSeconds(0) }
    assert.deepStrictEqual(shown.roles, [
      { role: "user_manager", expires_at: null, ...none },
      { role: "security", expires_at: inSeconds(60), ...none },
    ])
    assert.strictEqual(shown.user.role, "cleaner")
    assert.strictEqual((yield* onWire(adminMe, yield* ada.body(adminMe))).until, inSeconds(60))
    yield* TestClock.adjust("59 seconds")
    assert.include([...(yield* permissionsOf(ada))], "audit:read")
    yield* TestClock.adjust("1 second")
    assert.notInclude([...(yield* permissionsOf(ada))], "audit:read")
    yield* owner.body(adminRolesWithdraw, { user_id, role: "user_manager" })
    assert.deepStrictEqual(yield* permissionsOf(ada), ["users:read", "users:delete"])
    yield* owner.body(adminRolesWithdraw, { user_id, role: "user_manager" })
  })

  rule("changes the end of a role that the user has, and the version of the user", function* () {
    const { owner, ada } = yield* both
    const one = { user_id: ada.user.id, role: "support" }
    const version = Effect.map(owner.body(adminUsersShow, { user_id: ada.user.id }), (shown) => shown.version)
    const versions = new Set([yield* version])
    for (const expires_at of [inSeconds(60), null, inSeconds(120)]) {
      yield* owner.body(adminRolesAssign, { ...one, expires_at })
      versions.add(yield* version)
    }
    assert.strictEqual(versions.size, 4)
    assert.lengthOf(yield* rows(AdminGrants), 1)
    yield* owner.body(adminRemoveUser, { user_id: ada.user.id })
    assert.lengthOf(yield* rows(AdminGrants), 0)
  })

  rule("refuses a role without permissions, an end in the past, and an unknown user", function* () {
    const { owner, ada } = yield* both
    const user_id = ada.user.id
    for (const input of [
      { user_id, role: "user" },
      { user_id, role: "unknown" },
      { user_id, role: "support", expires_at: inSeconds(0) },
      { user_id, role: "support", organization_id: "unknown" },
      { user_id, role: "cleaner", organization_id: "unknown" },
      { user_id: owner.user.id, role: "support" },
      { role: "support" },
    ])
      assert.strictEqual(yield* owner.code(adminRolesAssign, input), "invalid_request", JSON.stringify(input))
    for (const endpoint of [adminRolesAssign, adminRolesWithdraw] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* owner.code(endpoint, { user_id: "unknown", role: "support" }), "user_not_found")
    yield* owner.body(adminBanUser, { user_id })
    assert.strictEqual(yield* owner.code(adminRolesAssign, { user_id, role: "support" }), "invalid_request")
    assert.lengthOf(yield* rows(AdminGrants), 0)
  })

  rule("never gives, ends or prolongs more than the caller has", function* () {
    const { owner, ada } = yield* both
    const [giver, cleaner] = [yield* signedUp("giver@example.com"), yield* signedUp("cleaner@example.com")]
    yield* owner.body(adminRolesAssign, { user_id: giver.user.id, role: "giver", expires_at: inSeconds(60) })
    yield* owner.body(adminRolesAssign, { user_id: cleaner.user.id, role: "cleaner" })
    const user_id = ada.user.id
    for (const role of ["admin", "security", "user_manager", "cleaner"])
      assert.strictEqual(yield* giver.code(adminRolesAssign, { user_id, role }), "forbidden", role)
    for (const [expires_at, outcome] of [
      [undefined, "forbidden"],
      [null, "forbidden"],
      [inSeconds(61), "forbidden"],
    ] as const)
      assert.strictEqual(
        yield* giver.code(adminRolesAssign, { user_id, role: "giver", ...(expires_at === undefined ? {} : { expires_at }) }),
        outcome,
      )
    yield* giver.body(adminRolesAssign, { user_id, role: "giver", expires_at: inSeconds(60) })
    assert.strictEqual(yield* giver.code(adminSetRole, { user_id, role: "giver" }), "forbidden")
    assert.strictEqual(
      yield* giver.code(adminCreateUser, { email: "new@example.com", password: "correct horse", role: "giver" }),
      "forbidden",
    )
    for (const role of ["cleaner", "giver"]) {
      const input = { user_id: cleaner.user.id, role }
      assert.strictEqual(yield* giver.code(adminRolesWithdraw, input), "forbidden")
      assert.strictEqual(yield* giver.code(adminSetRole, input), "forbidden")
    }
    yield* giver.body(adminRolesWithdraw, { user_id, role: "giver" })
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual(yield* giver.code(adminRolesWithdraw, { user_id, role: "giver" }), "forbidden")
  })

  rule("stops at a number of roles for one user, also at once", function* () {
    const { owner, ada } = yield* both
    const stored = times(maxGrants - 2, (index) => ({ id: `${index}`, role: `old${index}`, organization_id: "" }))
    yield* seeded(ada.user.id, stored)
    const roles = ["support", "user_manager", "security", "cleaner", "giver"]
    const tally = yield* atOnce(roles.map((role) => owner.call(adminRolesAssign, { user_id: ada.user.id, role })))
    assert.deepStrictEqual(tally, { ok: 2, too_many: 3 })
  })

  rule("a role that is withdrawn from the giver meanwhile is not given on", function* () {
    const { owner } = yield* both
    for (const round of times(10, String)) {
      const [giver, heir] = [yield* signedUp(`giver${round}@example.com`), yield* signedUp(`heir${round}@example.com`)]
      const role = "giver"
      yield* owner.body(adminRolesAssign, { user_id: giver.user.id, role })
      yield* atOnce([
        owner.call(adminRolesWithdraw, { user_id: giver.user.id, role }),
        giver.call(adminRolesAssign, { user_id: heir.user.id, role }),
      ])
      assert.strictEqual(yield* giver.code(adminRolesAssign, { user_id: heir.user.id, role }), "forbidden")
    }
  })
})

rule("role.assigned and role.withdrawn are in the audit log", function* () {
  const { owner, ada } = yield* both
  const one = { user_id: ada.user.id, role: "support" }
  yield* owner.body(adminRolesAssign, { ...one, expires_at: inSeconds(60) })
  yield* owner.body(adminRolesWithdraw, one)
  const found = (yield* rows(Records)).filter(({ type }) => type.startsWith("role."))
  assert.deepStrictEqual(
    found.map(({ type, actor_id, subject_id, data: { role, until } }) => ({ type, actor_id, subject_id, role, until })),
    [
      { type: "role.assigned", actor_id: owner.user.id, subject_id: ada.user.id, role: "support", until: inSeconds(60) },
      { type: "role.withdrawn", actor_id: owner.user.id, subject_id: ada.user.id, role: "support", until: undefined },
    ],
  )
})

rule("an assigned role permits what the same role of POST /admin/set-role does, until it is withdrawn", function* () {
  const { owner, ada } = yield* both
  assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
  yield* owner.body(adminRolesAssign, { user_id: ada.user.id, role: "admin" })
  assert.lengthOf((yield* ada.body(adminListUsers)).users, 2)
  yield* owner.body(adminRolesWithdraw, { user_id: ada.user.id, role: "admin" })
  assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
})
