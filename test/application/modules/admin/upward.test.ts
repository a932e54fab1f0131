import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { isSignedIn, signedUp as signedUpTo } from "../../../world.ts"
import { answer, builtWith, call, issuer } from "../idp/provider.ts"
import { limits } from "../organization/organizations.ts"

// Every endpoint that changes one user: neither a person nor a machine changes a user who may do more.

const root = "root@example.com"
const client = { client_id: "sync", client_secret: "the secret of sync" }
const most = permissions.filter((permission) => !permission.startsWith("audit:"))
const idp = builtWith({
  clients: [{ ...client, grant_types: ["client_credentials"], resources: [`${issuer}/admin`], scopes: [...most] }],
})
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: { most: most }, suspension: true, required_actions: true }),
)
const organizations = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
const own = [built, idp, organizations]
const modules = [...everything.filter(({ name }) => !own.some((each) => each.name === name)), ...own]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminMe, adminSetRole } = built.endpoints
const { adminOrganizationsAddMember, organizationCreate } = organizations.endpoints

/** The further members of an input that changes a user. */
const inputs: Readonly<Record<string, object>> = {
  "/admin/set-role": { role: "user" },
  "/admin/ban-user": {},
  "/admin/unban-user": {},
  "/admin/remove-user": {},
  "/admin/revoke-user-sessions": {},
  "/admin/roles/assign": { role: "support" },
  "/admin/roles/withdraw": { role: "support" },
  "/admin/users/update": { changes: { name: "Eve" } },
  "/admin/users/set-email": { email: "eve@example.com" },
  "/admin/users/set-username": { username: "eve" },
  "/admin/users/set-phone": { phone: "+442079460018" },
  "/admin/users/revoke-consent": { client_id: "unknown" },
  "/admin/users/set-password": { password: "another correct horse" },
  "/admin/users/send-reset": {},
  "/admin/users/send-verification": {},
  "/admin/users/verify-email": {},
  "/admin/users/revoke-session": { session_id: "unknown" },
  "/admin/users/suspend": { reason: "spam" },
  "/admin/users/resume": {},
  "/admin/users/reset-factors": { reason: "lost" },
  "/admin/users/remove-credential": { credential_id: "unknown", force: true },
  "/admin/users/require": { actions: ["change_password"] },
  "/admin/organizations/create": { name: "New", slug: "new" },
  "/admin/organizations/add-member": {},
  "/admin/organizations/set-member-role": { role: "admin" },
  "/admin/organizations/update-member": { changes: { role: "admin" } },
  "/admin/organizations/remove-member": {},
  "/admin/organizations/manage-user": { domain: "example.com" },
  "/admin/organizations/release-user": {},
}
/** How the change of a user without rights, whose address is not verified, ends, where it does not succeed. */
const outcomes: Readonly<Record<string, string>> = {
  "/admin/users/remove-credential": "account_not_found",
  "/admin/organizations/manage-user": "invalid_request",
}

/** It admits no machines, and refuses administrators in its own words: `../impersonation/impersonation.test.ts`. */
const another = "/admin/impersonate/start"

const all = Object.values<AnyEndpoint>(auth.endpoints)
const members = ({ input }: AnyEndpoint) => Object.keys((input as unknown as { readonly fields?: object }).fields ?? {})
const changing = all.filter(
  (endpoint) =>
    endpoint.method === "POST" && typeof endpoint.access === "object" && members(endpoint).includes("user_id") && endpoint.path !== another,
)

const machine = Effect.gen(function* () {
  const input = { grant_type: "client_credentials", resource: `${issuer}/admin`, ...client }
  const authorization = `Bearer ${(yield* call(idp.endpoints.oauth2Token, input, null, auth)).access_token}`
  return (endpoint: AnyEndpoint, input: unknown) =>
    Effect.match(answer(endpoint, input, authorization, auth), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })
})

describe("an endpoint that changes a user", () => {
  it("has a row here", () => {
    assert.sameMembers(
      changing.map(({ path }) => path),
      Object.keys(inputs),
    )
  })

  for (const endpoint of changing)
    rule(`${endpoint.path} never acts upward, and admits machines`, function* () {
      const signedUp = (name: string) => signedUpTo(`${name}@example.com`, auth)
      const [owner, manager, boss, ada] = [
        yield* signedUp("root"),
        yield* signedUp("manager"),
        yield* signedUp("boss"),
        yield* signedUp("ada"),
      ]
      yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "most" })
      yield* owner.body(adminSetRole, { user_id: boss.user.id, role: "admin" })
      const organization_id = (yield* owner.body(organizationCreate, { name: "Acme", slug: "acme" })).organization.id
      for (const { user } of [boss, ada]) yield* owner.body(adminOrganizationsAddMember, { organization_id, user_id: user.id })
      const run = yield* machine
      const input = (user_id: string) => ({ user_id, organization_id, ...inputs[endpoint.path] })
      for (const { user } of [boss, owner]) {
        assert.strictEqual(yield* manager.code(endpoint, input(user.id)), "forbidden")
        assert.strictEqual(yield* run(endpoint, input(user.id)), "forbidden")
      }
      assert.lengthOf((yield* boss.body(adminMe)).permissions, permissions.length)
      assert.isTrue(yield* isSignedIn(boss))
      assert.strictEqual(yield* ada.code(endpoint, input(manager.user.id)), "forbidden")
      assert.strictEqual(yield* manager.code(endpoint, input("unknown")), "user_not_found")
      assert.strictEqual(yield* run(endpoint, input("unknown")), "user_not_found")
      assert.strictEqual(yield* run(endpoint, input(ada.user.id)), outcomes[endpoint.path] ?? "ok")
    })
})
