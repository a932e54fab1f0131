import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, signedUp as signedUpTo } from "../../../world.ts"
import { limits } from "../organization/organizations.ts"
import { answer, builtWith, call, issuer } from "./provider.ts"

// Clients that act as service accounts.

const root = "root@example.com"
const administration = `${issuer}/admin`
const idp = builtWith({
  clients: [
    {
      client_id: "ghost",
      client_secret: "the secret of ghost",
      grant_types: ["client_credentials"],
      resources: [administration],
      scopes: ["users:read"],
      service_account: "unknown",
    },
  ],
})
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    roles: { keeper: ["service_accounts:write", "users:create"], viewer: ["service_accounts:read"] },
  }),
)
const organizations = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
const modules = [...core, built, organizations, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned), idp]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminBanUser, adminCreateUser, adminListUsers, adminMe, adminSetRole, adminUsersShow } = built.endpoints
const {
  adminServiceAccountsCreate,
  adminServiceAccountsDelete,
  adminServiceAccountsList,
  adminServiceAccountsShow,
  adminServiceAccountsUpdate,
} = built.endpoints
const { adminClientsCreate, oauth2Token } = idp.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)
type Person = Effect.Success<ReturnType<typeof signedUp>>

const token = Effect.fnUntraced(function* (client_id: string, client_secret: string) {
  const input = { grant_type: "client_credentials", resource: administration, client_id, client_secret }
  return `Bearer ${(yield* call(oauth2Token, input, null, auth)).access_token}`
})

/** A service account, and the token of a client that acts as it. */
const acting = Effect.fnUntraced(function* (owner: Person, written: object, scopes: ReadonlyArray<string>) {
  const { service_account } = yield* owner.body(adminServiceAccountsCreate, { name: "Sync", permissions: [], ...written })
  const metadata = { grant_types: ["client_credentials"], resources: [administration], redirect_uris: [], scopes }
  const { client, client_secret } = yield* owner.body(adminClientsCreate, { ...metadata, service_account: service_account.id } as object)
  return { id: service_account.id, authorization: yield* token(client.client_id, client_secret ?? "") }
})
const outcome = (authorization: string, endpoint: AnyEndpoint, input: unknown = {}) =>
  Effect.match(answer(endpoint, input, authorization, auth), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

describe("a client that names a service account", () => {
  rule("may do what its scopes and the account permit both, at each call", function* () {
    const owner = yield* signedUp(root)
    const { id, authorization } = yield* acting(owner, { permissions: ["users:create", "audit:read"] }, ["users:create", "users:suspend"])
    const me = call(adminMe, {}, authorization, auth)
    const permissions = ["users:read", "users:create"] as const
    assert.deepStrictEqual(yield* me, {
      kind: "service_account",
      id,
      permissions: [...permissions],
      organizations: [],
      until: null,
      proved_at: null,
      needs_step_up: [],
    })
    assert.strictEqual(yield* outcome(authorization, adminBanUser), "forbidden")
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id: id, changes: { permissions: ["users:suspend"] } })
    assert.deepStrictEqual((yield* me).permissions, ["users:read", "users:suspend"])
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id: id, changes: { permissions: [] } })
    assert.strictEqual(yield* outcome(authorization, adminMe), "forbidden")
    yield* owner.body(adminServiceAccountsDelete, { service_account_id: id })
    assert.strictEqual(yield* outcome(authorization, adminMe), "unauthorized")
    assert.strictEqual(yield* outcome(yield* token("ghost", "the secret of ghost"), adminMe), "unauthorized")
  })

  rule("is in the audit log as the account, which is no user", function* () {
    const owner = yield* signedUp(root)
    const { id, authorization } = yield* acting(owner, { permissions: ["users:create"] }, ["users:create"])
    yield* call(adminCreateUser, { email: "ada@example.com", password: "correct horse battery" }, authorization, auth)
    const records = yield* rows(Records)
    const created = records.filter(({ type, actor_id }) => type === "user.created" && actor_id === id)
    assert.deepInclude(created[0], { actor_kind: "service", actor_id: id })
    assert.deepInclude(
      records.find(({ type }) => type === "service_account.created"),
      { actor_id: owner.user.id, subject_kind: "service", subject_id: id },
    )
    const { users } = yield* owner.body(adminListUsers)
    assert.sameMembers(
      users.map(({ email }) => email),
      [root, "ada@example.com"],
    )
  })

  rule("reads one organization only, if the account is limited to it", function* () {
    const [owner, ada] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
    const { organization } = yield* ada.body(organizations.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
    const written = { permissions: ["users:create", "members:read"], organization_id: organization.id }
    const { authorization } = yield* acting(owner, written, ["users:create", "members:read"])
    assert.strictEqual(yield* outcome(authorization, adminUsersShow, { user_id: ada.user.id }), "ok")
    assert.strictEqual(yield* outcome(authorization, adminUsersShow, { user_id: owner.user.id }), "user_not_found")
    for (const endpoint of [adminListUsers, adminCreateUser] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* outcome(authorization, endpoint), "forbidden")
    const { adminOrganizationsMembers, adminOrganizationsInvitations } = organizations.endpoints
    const one = { organization_id: organization.id }
    assert.strictEqual(yield* outcome(authorization, adminOrganizationsMembers, one), "ok")
    assert.strictEqual(yield* outcome(authorization, adminOrganizationsInvitations, one), "forbidden")
    assert.strictEqual(
      yield* owner.code(adminServiceAccountsCreate, { name: "x", permissions: [], organization_id: "unknown" }),
      "invalid_request",
    )
  })
})

rule("service accounts never get more than their writer has, nor are they changed by who has less", function* () {
  const [owner, keeper] = [yield* signedUp(root), yield* signedUp("keeper@example.com")]
  yield* owner.body(adminSetRole, { user_id: keeper.user.id, role: "keeper" })
  const strong = { name: "Strong", permissions: ["users:delete"] as const }
  assert.strictEqual(yield* keeper.code(adminServiceAccountsCreate, strong), "forbidden")
  const { service_account: mine } = yield* keeper.body(adminServiceAccountsCreate, { name: "Mine", permissions: ["users:create"] })
  const { service_account: theirs } = yield* owner.body(adminServiceAccountsCreate, strong)
  const [own, other] = [{ service_account_id: mine.id }, { service_account_id: theirs.id }]
  assert.strictEqual(yield* keeper.code(adminServiceAccountsUpdate, { ...own, changes: { permissions: strong.permissions } }), "forbidden")
  assert.strictEqual(yield* keeper.code(adminServiceAccountsUpdate, { ...other, changes: { permissions: [] } }), "forbidden")
  assert.strictEqual(yield* keeper.code(adminServiceAccountsUpdate, { ...other, changes: { name: "Weak" } }), "forbidden")
  assert.strictEqual(yield* keeper.code(adminServiceAccountsDelete, other), "forbidden")
  const { service_account } = yield* keeper.body(adminServiceAccountsUpdate, { ...own, changes: { name: "Ours" } })
  assert.deepInclude(service_account, { name: "Ours", permissions: ["users:create"] })
  const { service_accounts } = yield* keeper.body(adminServiceAccountsList)
  assert.deepStrictEqual(
    service_accounts.map(({ name }) => name),
    ["Ours", "Strong"],
  )
  yield* keeper.body(adminServiceAccountsDelete, own)
  for (const endpoint of [adminServiceAccountsShow, adminServiceAccountsDelete] as ReadonlyArray<AnyEndpoint>)
    assert.strictEqual(yield* keeper.code(endpoint, own), "service_account_not_found")
  yield* owner.body(adminSetRole, { user_id: keeper.user.id, role: "viewer" })
  assert.strictEqual((yield* keeper.body(adminServiceAccountsShow, other)).service_account.name, "Strong")
  assert.strictEqual(yield* keeper.code(adminServiceAccountsDelete, other), "forbidden")
})
