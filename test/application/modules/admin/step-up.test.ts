import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { type AnyEndpoint, classOf } from "../../../../application/service/endpoint.ts"
import { needsProof } from "../../../../domain/administration/permissions.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { endpoints, password, signedUp as signedUpTo } from "../../../world.ts"
import { answer, builtWith, call, issuer } from "../idp/provider.ts"

const root = "root@example.com"
const client = { client_id: "sync", client_secret: "the secret of sync" }
const idp = builtWith({
  clients: [{ ...client, grant_types: ["client_credentials"], resources: [`${issuer}/admin`], scopes: ["users:roles", "users:create"] }],
})
const worldOf = (settings: object) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, ...settings }))
  const modules = [...everything.filter(({ name }) => name !== "admin" && name !== "idp"), built, idp]
  return { built, modules, auth: AuthOf.make(modules) }
}
const { built, modules, auth } = worldOf({ step_up: true, operations: true, jobs: true })
const { adminCreateUser, adminJobsCreate, adminListUsers, adminSetRole } = built.endpoints
const rule = rulesOf(modules)

const proven = (service: AuthOf.Auth<any>) =>
  Object.values<AnyEndpoint>(service.endpoints).filter(({ access }) => typeof access === "object" && needsProof(access.permission))
const signedUp = (email: string) => signedUpTo(email, auth)
const made = { email: "made@example.com", password }

describe("modules.admin.step_up", () => {
  it("concerns these endpoints, which declare the error", () => {
    assert.sameMembers(
      proven(auth).map(({ path }) => path),
      [
        "/admin/set-role",
        "/admin/ban-user",
        "/admin/unban-user",
        "/admin/users/suspend",
        "/admin/users/resume",
        "/admin/users/set-email",
        "/admin/users/set-password",
        "/admin/users/set-phone",
        "/admin/users/set-username",
        "/admin/users/verify-email",
        "/admin/users/send-reset",
        "/admin/users/send-verification",
        "/admin/users/require",
        "/admin/users/remove-credential",
        "/admin/users/reset-factors",
        "/admin/remove-user",
        "/admin/roles/assign",
        "/admin/roles/withdraw",
        "/admin/organizations/delete",
        "/admin/service-accounts/create",
        "/admin/service-accounts/update",
        "/admin/service-accounts/delete",
        "/admin/api-keys/create",
        "/admin/api-keys/rotate",
        "/admin/clients/rotate-secret",
        "/oauth2/rotate-keys",
        "/admin/keys/list",
        "/admin/audit/export",
        "/admin/keys/rotate",
        "/admin/keys/secrets",
      ],
    )
    for (const { errors } of proven(auth))
      assert.include(
        errors.map((each) => classOf(each).code),
        "session_not_fresh",
      )
  })

  rule("refuses an administrator whose proof is ten minutes old, before the input is read", function* () {
    const [owner, ada] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
    const role = { user_id: ada.user.id, role: "support" }
    yield* TestClock.adjust("599 seconds")
    yield* owner.body(adminSetRole, role)
    yield* TestClock.adjust("1 second")
    for (const endpoint of proven(auth)) assert.strictEqual(yield* owner.code(endpoint, { user_id: 7 }), "session_not_fresh", endpoint.path)
    yield* owner.body(adminListUsers)
    yield* owner.body(endpoints.stepUp, { password })
    yield* owner.body(adminSetRole, role)
    yield* TestClock.adjust("601 seconds")
    assert.strictEqual(yield* owner.code(adminSetRole, role), "session_not_fresh")
  })

  rule("says nothing about the proof to a user without the permission", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* TestClock.adjust("10 minutes")
    for (const endpoint of proven(auth)) assert.strictEqual(yield* ada.code(endpoint), "forbidden", endpoint.path)
  })

  rule("refuses a new user with a role as well, and no other", function* () {
    const owner = yield* signedUp(root)
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(yield* owner.code(adminCreateUser, { ...made, role: "admin" }), "session_not_fresh")
    yield* owner.body(adminCreateUser, made)
  })

  rule("refuses a job whose operation needs the proof, but for a dry run, and no other", function* () {
    const owner = yield* signedUp(root)
    const user_ids = [(yield* signedUp("ada@example.com")).user.id]
    yield* TestClock.adjust("10 minutes")
    for (const operation of ["ban", "remove"]) {
      assert.strictEqual(yield* owner.code(adminJobsCreate, { operation, user_ids }), "session_not_fresh", operation)
      yield* owner.body(adminJobsCreate, { operation, user_ids, dry_run: true })
    }
    yield* owner.body(adminJobsCreate, { operation: "revoke_sessions", user_ids })
    yield* owner.body(endpoints.stepUp, { password })
    yield* owner.body(adminJobsCreate, { operation: "ban", user_ids })
  })

  rule("does not concern machines", function* () {
    const ada = yield* signedUp("ada@example.com")
    const input = { grant_type: "client_credentials", resource: `${issuer}/admin`, ...client }
    yield* TestClock.adjust("10 minutes")
    const authorization = `Bearer ${(yield* call(idp.endpoints.oauth2Token, input, null, auth)).access_token}`
    yield* answer(adminSetRole, { user_id: ada.user.id, role: "user" }, authorization, auth)
    const created = yield* answer(adminCreateUser, { ...made, role: "user" }, authorization, auth)
    assert.deepInclude(created.body.user, { email: made.email, role: "user" })
  })

  const off = worldOf({})
  rulesOf(off.modules)("is off by default", function* () {
    const owner = yield* signedUpTo(root, off.auth)
    yield* TestClock.adjust("1 day")
    for (const endpoint of proven(off.auth))
      assert.notStrictEqual(
        yield* Effect.match(owner.call(endpoint, { user_id: "unknown" }), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" }),
        "session_not_fresh",
        endpoint.path,
      )
  })
})
