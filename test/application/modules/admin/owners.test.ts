import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { AdminGrants } from "../../../../application/modules/admin/grants-table.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { find, insert, remove, Store } from "../../../../domain/ports/store.ts"
import { decode } from "../../../../domain/settings.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, password, signedUp as signedUpTo, times, withVerified } from "../../../world.ts"
import { answer, builtWith, call, issuer } from "../idp/provider.ts"

const root = "root@example.com"
const machines = ["one", "other"].map((client_id) => ({
  client_id,
  client_secret: `the secret of ${client_id}`,
  grant_types: ["client_credentials"],
  resources: [`${issuer}/admin`],
  scopes: [...permissions],
}))
const idp = builtWith({ clients: machines })
const worldOf = (settings: object) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ roles: {}, ...settings }))
  const modules = [...core, built, idp]
  return { built, modules, auth: AuthOf.make(modules) }
}
const { built, modules, auth } = worldOf({ admin_user_ids: [] })
const rule = rulesOf(modules)
const { adminBanUser, adminRemoveUser, adminRolesAssign, adminRolesWithdraw, adminSetRole, adminUnbanUser } = built.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)
/** What a client with every permission does. */
const machineOf = (client_id: string) =>
  Effect.gen(function* () {
    const input = { grant_type: "client_credentials", resource: `${issuer}/admin`, client_id, client_secret: `the secret of ${client_id}` }
    const authorization = `Bearer ${(yield* call(idp.endpoints.oauth2Token, input, null, auth)).access_token}`
    const run = (endpoint: AnyEndpoint, input: unknown) => answer(endpoint, input, authorization, auth)
    const outcome = (endpoint: AnyEndpoint, input: unknown) =>
      Effect.match(run(endpoint, input), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })
    return { run, outcome }
  })

const isStillOwner = Effect.fnUntraced(function* (id: string) {
  const [user, metadata] = [yield* find(Users, { id }), yield* find(AdminMetadatas, { user_id: id })]
  return Option.isSome(user) && Option.exists(metadata, ({ role, banned }) => role === "admin" && !banned)
})

/** Two owners, one by each kind of role. */
const two = Effect.gen(function* () {
  const machine = yield* machineOf("one")
  const [ada, grace] = [yield* signedUp("ada@example.com"), yield* signedUp("grace@example.com")]
  assert.strictEqual(yield* machine.outcome(adminSetRole, { user_id: ada.user.id, role: "admin" }), "ok")
  assert.strictEqual(yield* machine.outcome(adminRolesAssign, { user_id: grace.user.id, role: "admin" }), "ok")
  return { machine, ada: ada.user.id, grace: grace.user.id, browsers: { ada, grace } }
})

describe("the last owner", () => {
  rule("keeps the role, whatever a machine with every permission does", function* () {
    const { machine, ada, grace } = yield* two
    assert.strictEqual(yield* machine.outcome(adminRolesWithdraw, { user_id: grace, role: "admin" }), "ok")
    for (const [endpoint, input] of [
      [adminSetRole, { role: "user" }],
      [adminSetRole, { role: "support" }],
      [adminBanUser, { expires_in: 60 }],
      [adminRemoveUser, {}],
    ] as const)
      assert.strictEqual(yield* machine.outcome(endpoint, { user_id: ada, ...input }), "last_administrator", endpoint.path)
    assert.strictEqual(
      yield* machine.outcome(adminRolesAssign, { user_id: grace, role: "admin", expires_at: "2030-01-01T00:00:00Z" }),
      "ok",
    )
    assert.strictEqual(yield* machine.outcome(adminSetRole, { user_id: ada, role: "user" }), "last_administrator")
    assert.strictEqual(yield* machine.outcome(adminRolesAssign, { user_id: grace, role: "admin", expires_at: null }), "ok")
    assert.strictEqual(yield* machine.outcome(adminSetRole, { user_id: ada, role: "user" }), "ok")
    const shorter = { user_id: grace, role: "admin", expires_at: "2030-01-01T00:00:00Z" }
    assert.strictEqual(yield* machine.outcome(adminRolesAssign, shorter), "last_administrator")
  })

  rule("cannot leave either, and is not counted while banned", function* () {
    const { machine, ada, grace, browsers } = yield* two
    assert.strictEqual(yield* machine.outcome(adminBanUser, { user_id: grace }), "ok")
    assert.strictEqual(yield* browsers.ada.code(endpoints.deleteUser, { password }), "last_administrator")
    assert.strictEqual(yield* machine.outcome(adminRemoveUser, { user_id: ada }), "last_administrator")
    assert.strictEqual(yield* machine.outcome(adminUnbanUser, { user_id: grace }), "ok")
    yield* browsers.ada.body(endpoints.deleteUser, { password })
    assert.strictEqual(yield* machine.outcome(adminRemoveUser, { user_id: grace }), "last_administrator")
  })

  const configured = worldOf({ admin_emails: [root], require_verified_email: false })
  rulesOf(configured.modules)("may be one of the configuration, whose own role does not matter", function* () {
    const owner = yield* signedUpTo(root, configured.auth)
    const ada = yield* signedUpTo("ada@example.com", configured.auth)
    yield* owner.body(adminSetRoleOf(configured), { user_id: ada.user.id, role: "admin" })
    yield* owner.body(adminSetRoleOf(configured), { user_id: ada.user.id, role: "user" })
    assert.strictEqual(yield* owner.code(endpoints.deleteUser, { password }), "last_administrator")
  })
})

describe("doctor, where users sign up by invitation only,", () => {
  const configured = worldOf({ admin_emails: [root] })
  const foundIn = (mode: "invited" | "open" | undefined) =>
    Effect.gen(function* () {
      const registration = mode === undefined ? {} : { registration: { mode } }
      const settings = yield* Effect.orDie(decode({ email_password: { enabled: true, require_email_verification: true }, ...registration }))
      return yield* configured.built.storedFindings(settings)
    })
  rulesOf(configured.modules)("counts each administrator with an unverified address once", function* () {
    assert.deepStrictEqual(yield* foundIn("invited"), [])
    const [{ user: owner }, { user: ada }] = [
      yield* signedUpTo(root, configured.auth),
      yield* signedUpTo("ada@example.com", configured.auth),
    ]
    yield* signedUpTo("user@example.com", configured.auth)
    yield* withVerified(owner.id)
    assert.deepStrictEqual(yield* foundIn("invited"), [])
    const { user: grace } = yield* signedUpTo("grace@example.com", configured.auth)
    const grants = { organization_id: "", expires_at: null, created_at: DateTime.makeUnsafe(0) }
    for (const { id } of [owner, ada, grace])
      yield* Effect.orDie((yield* Store).commit([insert(AdminGrants, { id: `grant of ${id}`, user_id: id, role: "admin", ...grants })]))
    const [found] = yield* foundIn("invited")
    assert.match(found?.text ?? "", /^2 administrators have unverified addresses/)
    yield* withVerified(ada.id)
    assert.match((yield* foundIn("invited"))[0]?.text ?? "", /^1 administrator has an unverified address/)
    for (const mode of ["open", undefined] as const) assert.deepStrictEqual(yield* foundIn(mode), [])
  })
})

const adminSetRoleOf = ({ built }: ReturnType<typeof worldOf>) => built.endpoints.adminSetRole

describe("of two owners whom machines and each other take away at the same time, one stays", () => {
  const taking: Readonly<Record<string, readonly [AnyEndpoint, object]>> = {
    demoted: [adminSetRole, { role: "user" }],
    banned: [adminBanUser, {}],
    removed: [adminRemoveUser, {}],
  }
  for (const [name, [endpoint, input]] of Object.entries(taking)) {
    rule(`when they are ${name}`, function* () {
      for (const round of times(10, String)) {
        const [one, other] = [yield* machineOf("one"), yield* machineOf("other")]
        const [ada, grace] = [yield* signedUp(`ada${round}@example.com`), yield* signedUp(`grace${round}@example.com`)]
        const ids = [ada.user.id, grace.user.id]
        for (const user_id of ids) assert.strictEqual(yield* one.outcome(adminSetRole, { user_id, role: "admin" }), "ok")
        const tally = yield* atOnce([
          one.run(endpoint, { ...input, user_id: ids[0] }),
          other.run(endpoint, { ...input, user_id: ids[1] }),
          ...(round === "0"
            ? []
            : [ada.call(endpoint, { ...input, user_id: ids[1] }), grace.call(endpoint, { ...input, user_id: ids[0] })]),
        ])
        assert.isAtLeast(tally["ok"] ?? 0, 1)
        const left = yield* Effect.filter(ids, isStillOwner)
        assert.lengthOf(left, 1, JSON.stringify(tally))
        // The next round begins without owners, as an operator would leave it.
        yield* Effect.orDie((yield* Store).commit([remove(Users, left[0] ?? "")]))
      }
    })
  }
})
