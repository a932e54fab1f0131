import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { type Permission, permissions, permitted } from "../../../../domain/administration/permissions.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { storeName } from "../../../stores.ts"
import { signedUp as signedUpTo } from "../../../world.ts"
import { keys, outcome } from "../api_key/keys.ts"
import { builtWith, call, issuer } from "../idp/provider.ts"

// Each kind of machine, with each permission alone, at each endpoint that needs one. Stores other than memory take every fifth permission.

const tested = storeName === "memory" ? permissions : permissions.filter((_, index) => index % 5 === 0)

const root = "root@example.com"
const credentials = { client_id: "machine", client_secret: "the secret of the machine" }
const idp = builtWith({
  clients: [{ ...credentials, grant_types: ["client_credentials"], resources: [`${issuer}/admin`], scopes: [...permissions] }],
})
const administrators = admin.build(
  Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, jobs: true, operations: true }),
)
const own = [administrators, keys, idp]
const modules = everything.map((module) => own.find(({ name }) => name === module.name) ?? module)
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminApiKeysCreate, apiKeyCreate, apiKeyRevoke } = keys.endpoints
const { adminServiceAccountsCreate } = administrators.endpoints

const forPeopleOnly = "/admin/impersonate/start"
const needing = Object.values<AnyEndpoint>(auth.endpoints).flatMap((endpoint) => {
  const { access } = endpoint
  return typeof access === "object" && access.permission !== null && endpoint.path !== forPeopleOnly
    ? [{ endpoint, permission: access.permission }]
    : []
})
const owners = signedUpTo(root, auth)
type Owner = Effect.Success<typeof owners>

/** The credential of a machine with one permission, and what ends it. */
const machines = {
  "a client of the provider": (_: Owner, scope: Permission) =>
    Effect.map(
      call(idp.endpoints.oauth2Token, { grant_type: "client_credentials", resource: `${issuer}/admin`, scope, ...credentials }, null, auth),
      ({ access_token }) => ({ sent: { authorization: `Bearer ${access_token}` }, end: Effect.void }),
    ),
  "a key of a service account": Effect.fnUntraced(function* (owner: Owner, permission: Permission) {
    const given = { name: "Sync", permissions: [permission] }
    const { service_account } = yield* owner.body(adminServiceAccountsCreate, given)
    const { key } = yield* owner.body(adminApiKeysCreate, { ...given, service_account_id: service_account.id })
    return { sent: key, end: Effect.void }
  }),
  "a key of a user": Effect.fnUntraced(function* (owner: Owner, permission: Permission) {
    const { key, api_key } = yield* owner.body(apiKeyCreate, { name: "Own", permissions: [permission] })
    return { sent: key, end: owner.body(apiKeyRevoke, { key_id: api_key.id }) }
  }),
} as const

describe("a machine with one permission calls exactly the endpoints that need it, or what it includes:", () => {
  for (const [kind, made] of Object.entries(machines))
    rule(kind, function* () {
      const owner = yield* owners
      for (const permission of tested) {
        const { sent, end } = yield* made(owner, permission)
        const admitted: Array<string> = []
        for (const { endpoint } of needing) {
          // Refused for its input after the permission was found.
          const code = yield* outcome(sent, endpoint, { user_id: 7, client_id: 7, webhook_id: 7, message_id: 7, limit: "x" }, auth)
          assert.notStrictEqual(code, "unauthorized", `${permission} ${endpoint.path}`)
          if (code !== "forbidden") admitted.push(endpoint.path)
        }
        yield* end
        const expected = needing.filter((each) => permitted([permission]).has(each.permission))
        assert.sameMembers(
          admitted,
          expected.map(({ endpoint }) => endpoint.path),
          permission,
        )
      }
    })
})
