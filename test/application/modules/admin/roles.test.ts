import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { permissions, permitted } from "../../../../domain/administration/permissions.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, isSignedIn, password, signedUp as signedUpTo } from "../../../world.ts"

const root = "root@example.com"
const unclaimed = "unclaimed@example.com"
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root, unclaimed],
    operations: true,
    admin_user_ids: ["gone"],
    roles: { auditor: ["audit:read"], reader: ["users:read"], recruiter: ["users:create", "users:roles"], cleaner: ["users:delete"] },
  }),
)
const modules = [...everything.filter(({ name }) => name !== "admin"), built]
const service = AuthOf.make(modules)
const {
  adminBanUser,
  adminCreateUser,
  adminListUsers,
  adminMe,
  adminRemoveUser,
  adminRevokeUserSessions,
  adminRolesList,
  adminSetRole,
  adminUsersUpdate,
} = built.endpoints
const rule = rulesOf(modules)

const signedUp = (address: string) => signedUpTo(address, service)

/** A user with this role, whom the administrator gave it. */
const withRole = Effect.fnUntraced(function* (role: string) {
  const owner = yield* owners
  const their = yield* signedUp(`${role}@example.com`)
  yield* owner.body(adminSetRole, { user_id: their.user.id, role })
  return their
})
const owners = Effect.gen(function* () {
  const again = browser(service)
  const credentials = { email: root, password }
  const isNew = yield* Effect.isFailure(again.body(endpoints.signInEmail, credentials))
  return isNew ? yield* signedUp(root) : again
})

/** The code of an answer, or `ok`. */
const outcome = (their: ReturnType<typeof browser>, endpoint: AnyEndpoint, input: unknown = {}) =>
  Effect.match(their.call(endpoint, input), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

/** The endpoints that any permission is enough for. */
const forAll = ["/admin/me", "/admin/search"]
/** The endpoints that each role may call in addition, and those for `admin` only. */
const reading = [
  "/admin/users/credentials",
  "/admin/users/memberships",
  "/admin/users/consents",
  "/admin/list-users",
  "/admin/users/list",
  "/admin/users/show",
  "/admin/roles/list",
]
const supporting = [
  ...[...reading, "/admin/users/sessions", "/admin/invitations/list", "/admin/figures"],
  ...["show", "list", "members", "invitations"].map((verb) => `/admin/organizations/${verb}`),
]
const ofSessions = ["/admin/revoke-user-sessions", "/admin/users/revoke-session", "/admin/impersonations/end"]
const ofSuspension = ["/admin/ban-user", "/admin/unban-user", "/admin/users/suspend", "/admin/users/resume"]
const ofCredentials = [
  "set-password",
  "verify-email",
  "send-reset",
  "send-verification",
  "require",
  "remove-credential",
  "reset-factors",
  "set-email",
  "set-username",
  "set-phone",
].map((verb) => `/admin/users/${verb}`)
const reach: Readonly<Record<string, ReadonlyArray<string>>> = {
  user: [],
  support: supporting,
  user_manager: [
    ...["/admin/invitations/create", "/admin/invitations/cancel", "/admin/invitations/resend"],
    ...["invite", "resend-invitation", "cancel-invitation"].map((verb) => `/admin/organizations/${verb}`),
    ...["add-member", "set-member-role", "update-member", "remove-member"].map((verb) => `/admin/organizations/${verb}`),
    ...[...supporting, "/admin/create-user", "/admin/users/create", "/admin/users/update", "/admin/users/revoke-consent"],
    ...ofSuspension,
    ...ofSessions,
    ...ofCredentials,
  ],
  security: [
    ...[...supporting, ...ofSuspension, ...ofSessions, ...ofCredentials],
    ...[
      "/admin/clients/list",
      "/admin/clients/show",
      "/admin/clients/agents",
      "/oauth2/rotate-keys",
      "/admin/webhooks/list",
      "/admin/audit/list",
      "/admin/audit/export",
    ],
    ...["/admin/api-keys/list", "/admin/api-keys/revoke", "/admin/impersonations/list"],
    ...["/admin/keys/list", "/admin/keys/rotate", "/admin/keys/secrets", "/admin/webhooks/deliveries"],
    ...["/admin/health", "/admin/settings"],
  ],
  auditor: ["/admin/audit/list", "/admin/impersonations/list"],
  reader: reading,
  recruiter: [
    ...[...reading, "/admin/create-user", "/admin/users/create"],
    ...["/admin/set-role", "/admin/roles/assign", "/admin/roles/withdraw"],
  ],
  cleaner: [...reading, "/admin/remove-user"],
}
const onlyAdmin: ReadonlyArray<string> = [
  ...["create", "update", "rotate-secret", "delete", "block", "unblock"].map((verb) => `/admin/clients/${verb}`),
  ...["create", "update", "delete", "list", "show"].map((verb) => `/admin/service-accounts/${verb}`),
  ...["create", "update", "delete", "manage-user", "release-user"].map((verb) => `/admin/organizations/${verb}`),
  ...["/admin/impersonate/start", "/api-key/verify", "/admin/api-keys/create", "/admin/api-keys/rotate"],
  ...["/admin/webhooks/create", "/admin/webhooks/update", "/admin/webhooks/rotate-secret", "/admin/webhooks/delete"],
  ...["/admin/webhooks/replay", "/admin/webhooks/enable", "/admin/webhooks/test"],
  ...["/admin/outbox/list", "/admin/outbox/retry", "/admin/outbox/discard"],
]

describe("the permission of an endpoint", () => {
  const all = Object.values<AnyEndpoint>(service.endpoints)
  const permitting = all.filter(({ access }) => typeof access === "object")

  it("is declared by every endpoint of administrators, and each is in the table", () => {
    const administrative = all.filter(({ path }) => path.startsWith("/admin/"))
    assert.deepStrictEqual(
      administrative.filter(({ access }) => typeof access !== "object").map(({ path }) => path),
      [],
    )
    const table = new Set([...forAll, ...Object.values(reach).flat(), ...onlyAdmin])
    assert.sameMembers(
      permitting.map(({ path }) => path),
      [...table],
    )
  })

  for (const [role, paths] of Object.entries({ ...reach, admin: permitting.map(({ path }) => path) })) {
    rule(`admits ${role} to exactly the endpoints of the table, before the input is decoded`, function* () {
      yield* owners
      const their = yield* withRole(role)
      const admitted: Array<string> = []
      for (const endpoint of permitting)
        if ((yield* outcome(their, endpoint, { user_id: 7, client_id: 7, webhook_id: 7, message_id: 7, limit: "x" })) !== "forbidden")
          admitted.push(endpoint.path)
      assert.sameMembers(admitted, paths.length === 0 ? [] : [...new Set([...forAll, ...paths])])
    })
  }

  rule("is asked of every caller without a session first", function* () {
    for (const endpoint of permitting) assert.strictEqual(yield* browser(service).code(endpoint, { user_id: 7 }), "unauthorized")
  })
})

rule("GET /admin/me and /admin/roles/list show permissions with the `read` that they include", function* () {
  yield* owners
  const cleaner = yield* withRole("cleaner")
  assert.deepStrictEqual(yield* cleaner.body(adminMe), {
    kind: "user",
    id: cleaner.user.id,
    permissions: ["users:read", "users:delete"],
    organizations: [],
    until: null,
    proved_at: DateTime.makeUnsafe(0),
    needs_step_up: [],
  })
  const { roles } = yield* cleaner.body(adminRolesList)
  const named = new Map(roles.map(({ name, permissions }) => [name, permissions]))
  assert.deepStrictEqual(named.get("admin"), [...permissions])
  assert.deepStrictEqual(named.get("user"), [])
  assert.deepStrictEqual(named.get("recruiter"), ["users:read", "users:create", "users:roles"])
  assert.sameMembers(
    [...named.keys()],
    ["user", "support", "user_manager", "security", "auditor", "reader", "recruiter", "cleaner", "admin"],
  )
})

rule("GET /admin/roles/list shows the administrators of the configuration to callers who may give roles", function* () {
  const owner = yield* owners
  const [recruiter, reader] = [yield* withRole("recruiter"), yield* withRole("reader")]
  const { user } = yield* owner.body(endpoints.getSession)
  const configured = [
    { email: root, user_id: user?.id ?? null, is_administrator: true },
    { email: unclaimed, user_id: null, is_administrator: false },
    { email: null, user_id: "gone", is_administrator: false },
  ]
  assert.deepStrictEqual((yield* recruiter.body(adminRolesList, { configured: true })).configured, configured)
  assert.notProperty(yield* recruiter.body(adminRolesList), "configured")
  assert.notProperty(yield* reader.body(adminRolesList, { configured: true }), "configured")
})

describe("no caller acts upward", () => {
  rule("a manager bans and signs out users, except those with a permission that the manager lacks", function* () {
    const owner = yield* owners
    const [manager, support, auditor, ada] = [
      yield* withRole("user_manager"),
      yield* withRole("support"),
      yield* withRole("auditor"),
      yield* signedUp("ada@example.com"),
    ]
    const { user } = yield* owner.body(endpoints.getSession)
    for (const endpoint of [adminBanUser, adminRevokeUserSessions, adminUsersUpdate] as ReadonlyArray<AnyEndpoint>) {
      for (const user_id of [user?.id, auditor.user.id])
        assert.strictEqual(yield* manager.code(endpoint, { user_id, changes: {} }), "forbidden")
      for (const user_id of [support.user.id, ada.user.id]) yield* manager.body(endpoint, { user_id, changes: {} })
    }
    assert.isTrue(yield* isSignedIn(auditor))
    assert.isFalse(yield* isSignedIn(support))
  })

  rule("a recruiter gives only roles whose permissions the recruiter has, to users who have no others", function* () {
    const owner = yield* owners
    const [recruiter, ada] = [yield* withRole("recruiter"), yield* signedUp("ada@example.com")]
    const user_id = ada.user.id
    for (const role of ["admin", "security", "auditor", "cleaner"]) {
      assert.strictEqual(yield* recruiter.code(adminSetRole, { user_id, role }), "forbidden", role)
      const created = { email: `new-${role}@example.com`, password, role }
      assert.strictEqual(yield* recruiter.code(adminCreateUser, created), "forbidden", role)
    }
    for (const role of ["reader", "user", "recruiter"]) yield* recruiter.body(adminSetRole, { user_id, role })
    yield* owner.body(adminSetRole, { user_id, role: "auditor" })
    assert.strictEqual(yield* recruiter.code(adminSetRole, { user_id, role: "user" }), "forbidden")
    const manager = yield* withRole("user_manager")
    const plain = { email: "plain@example.com", password }
    assert.strictEqual(yield* manager.code(adminCreateUser, { ...plain, role: "user" }), "forbidden")
    assert.strictEqual((yield* manager.body(adminCreateUser, plain)).user.role, "user")
  })

  rule("users are removed only by who has their permissions", function* () {
    const owner = yield* owners
    const [cleaner, auditor, ada] = [yield* withRole("cleaner"), yield* withRole("auditor"), yield* signedUp("ada@example.com")]
    assert.strictEqual(yield* cleaner.code(adminRemoveUser, { user_id: auditor.user.id }), "forbidden")
    yield* cleaner.body(adminRemoveUser, { user_id: ada.user.id })
    yield* owner.body(adminRemoveUser, { user_id: auditor.user.id })
  })
})

rule("of two administrators who take the role from each other at the same time, one stays", function* () {
  for (let round = 0; round < 10; round++) {
    const owner = yield* owners
    const [one, other] = [yield* signedUp(`one${round}@example.com`), yield* signedUp(`other${round}@example.com`)]
    for (const { user } of [one, other]) yield* owner.body(adminSetRole, { user_id: user.id, role: "admin" })
    const tally = yield* atOnce([
      one.call(adminSetRole, { user_id: other.user.id, role: "user" }),
      other.call(adminSetRole, { user_id: one.user.id, role: "user" }),
    ])
    assert.deepStrictEqual(tally, { ok: 1, forbidden: 1 })
    const left = [yield* outcome(one, adminListUsers), yield* outcome(other, adminListUsers)]
    assert.sameMembers(left, ["ok", "forbidden"])
  }
})

describe("roles of the configuration", () => {
  rule("are the only names that users can get", function* () {
    const owner = yield* owners
    const { user } = yield* signedUp("ada@example.com")
    for (const role of ["editor", "Admin", "toString", "__proto__"]) {
      const refusal = yield* Effect.flip(owner.call(adminSetRole, { user_id: user.id, role }))
      assert.deepInclude(refusal, { _tag: "invalid_request", member: "role" }, role)
    }
  })

  it("refuse names of the service, malformed names and unknown permissions", () => {
    const faults = (roles: Record<string, ReadonlyArray<string>>) =>
      admin.faults(Schema.decodeUnknownSync(admin.settings)({ roles }), {} as never).map(({ path }) => path.join("."))
    assert.deepStrictEqual(faults({ admin: [], user: [], support: [], "Big Boss": [], fine: [] }), [
      "roles.admin",
      "roles.user",
      "roles.support",
      "roles.Big Boss",
    ])
    assert.throws(() => Schema.decodeUnknownSync(admin.settings)({ roles: { one: ["users:everything"] } }))
  })

  it("include `read` of what they change, and nothing else", () => {
    assert.deepStrictEqual([...permitted(["api_keys:verify"])], ["api_keys:verify"])
    for (const permission of permissions.filter((each) => each !== "api_keys:verify")) {
      const read = `${permission.split(":")[0]}:read`
      const wanted = permissions.filter((each) => each === permission || each === read)
      assert.deepStrictEqual([...permitted([permission])], wanted)
    }
  })
})

describe("where administrators need a second factor", () => {
  const required = twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 10, required: "admins" })
  const strict = [...core, built, required]
  const strictly = AuthOf.make(strict)

  rulesOf(strict)("a role permits nothing without it", function* () {
    const ada = yield* signedUpTo("ada@example.com", strictly)
    const row = { ...defaultMetadata, user_id: ada.user.id, role: "support", updated_at: DateTime.makeUnsafe(0) }
    yield* (yield* Store).commit([insert(AdminMetadatas, row)])
    const refusal = yield* Effect.flip(ada.call(adminListUsers))
    assert.deepInclude(refusal, { _tag: "forbidden" })
    assert.match(refusal.message, /second factor/)
  })
})
