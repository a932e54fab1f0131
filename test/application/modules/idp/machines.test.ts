import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { tokenExchangeGrant } from "../../../../application/modules/idp/clients/client.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { Settings } from "../../../../domain/settings.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { owned } from "../../../owned.ts"
import { counted } from "../../../round-trips.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, signedUp as signedUpTo } from "../../../world.ts"
import { dpopKey, proved, withToken } from "./proofs.ts"
import { answer, builtWith, call, issuer, presented, requests, web } from "./provider.ts"

// What clients of the identity provider do as administrators.

const root = "root@example.com"
const administration = `${issuer}/admin`
const credentials = (client_id: string) => ({ client_id, client_secret: `the long, random secret of ${client_id}` })
const machine = (client_id: string, more: object) => ({
  ...credentials(client_id),
  grant_types: ["client_credentials"],
  resources: [administration, "https://api.example.com"],
  ...more,
})
const idp = builtWith({
  clients: [
    machine("sync", { scopes: ["users:read", "users:create", "users:roles", "jobs"] }),
    machine("guard", { scopes: ["users:suspend"] }),
    machine("elsewhere", { scopes: ["users:read"], resources: ["https://api.example.com"] }),
    machine("bound", { scopes: ["users:read"], dpop_bound_access_tokens: true }),
    machine("signed", { scopes: ["users:read"], access_token_format: "jwt" }),
    { ...web, ...credentials("site"), scopes: ["openid", "users:read"], resources: [administration] },
    machine("exchanger", { scopes: ["users:read"], grant_types: [tokenExchangeGrant], resource_server: true }),
  ],
})
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    roles: { reader: ["users:read"], operator: ["clients:write", "clients:secrets", "users:read"] },
  }),
)
const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned), idp]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminBanUser, adminCreateUser, adminListUsers, adminMe, adminRemoveUser, adminSetRole } = built.endpoints
const {
  adminClientsCreate,
  adminClientsDelete,
  adminClientsRotateSecret,
  adminClientsUpdate,
  oauth2Authorize,
  oauth2Token,
  oauth2Userinfo,
} = idp.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)
const tokenOf = Effect.fnUntraced(function* (client: ReturnType<typeof credentials>, more: object = {}) {
  const input = { grant_type: "client_credentials", resource: administration, ...client, ...more }
  return (yield* call(oauth2Token, input, null, auth)).access_token
})
const bearer = (client_id: string, more: object = {}) => Effect.map(tokenOf(credentials(client_id), more), (token) => `Bearer ${token}`)
const outcome = (authorization: string | null, endpoint: AnyEndpoint, input: unknown = {}, headers: { readonly dpop?: string } = {}) =>
  Effect.match(answer(endpoint, input, authorization, auth, headers), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

describe("a client with a token for the administration", () => {
  rule("does what its scopes permit, and nothing else", function* () {
    const sync = yield* bearer("sync")
    assert.deepStrictEqual(yield* call(adminMe, {}, sync, auth), {
      kind: "client",
      id: "sync",
      permissions: ["users:read", "users:create", "users:roles"],
      organizations: [],
      until: null,
      proved_at: null,
      needs_step_up: [],
    })
    const { user } = yield* call(adminCreateUser, { email: "ada@example.com", password: "correct horse battery" }, sync, auth)
    assert.deepStrictEqual(
      (yield* call(adminListUsers, {}, sync, auth)).users.map(({ id }) => id),
      [user.id],
    )
    for (const endpoint of [adminBanUser, adminRemoveUser]) assert.strictEqual(yield* outcome(sync, endpoint, { user_id: 7 }), "forbidden")
    const narrow = yield* bearer("sync", { scope: "users:read" })
    assert.strictEqual(yield* outcome(narrow, adminCreateUser, {}), "forbidden")
    assert.deepStrictEqual((yield* call(adminMe, {}, narrow, auth)).permissions, ["users:read"])
    assert.strictEqual(yield* outcome(yield* bearer("signed"), adminListUsers), "ok")
  })

  rule("is found by one read of its token and one of its row", function* () {
    const owner = yield* signedUp(root)
    const metadata = { grant_types: ["client_credentials"], resources: [administration], scopes: ["users:read"] }
    const { client, client_secret } = yield* owner.body(adminClientsCreate, metadata)
    const authorization = `Bearer ${yield* tokenOf({ client_id: client.client_id, client_secret: client_secret ?? "" })}`
    const [, trips] = yield* counted(call(adminMe, {}, authorization, auth))
    assert.deepStrictEqual(trips, ["read", "read"])
  })

  rule("is the actor in the audit log", function* () {
    yield* call(adminCreateUser, { email: "ada@example.com", password: "correct horse battery" }, yield* bearer("sync"), auth)
    const created = (yield* rows(Records)).find(({ type }) => type === "user.created")
    assert.deepInclude(created, { actor_kind: "client", actor_id: "sync" })
  })

  rule("never acts upward", function* () {
    const [owner, ada] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
    const [sync, guard] = [yield* bearer("sync"), yield* bearer("guard")]
    assert.strictEqual(yield* outcome(guard, adminBanUser, { user_id: owner.user.id }), "forbidden")
    assert.strictEqual(yield* outcome(sync, adminSetRole, { user_id: ada.user.id, role: "admin" }), "forbidden")
    assert.strictEqual(yield* outcome(sync, adminSetRole, { user_id: ada.user.id, role: "reader" }), "ok")
    assert.strictEqual(yield* outcome(guard, adminBanUser, { user_id: ada.user.id }), "ok")
  })

  rule("is refused with a token for another resource, of a user, or that has ended", function* () {
    const ada = yield* signedUp("ada@example.com")
    const { redirect } = yield* ada.body(oauth2Authorize, {
      ...requests.web,
      client_id: "site",
      scope: "openid users:read",
      resource: administration,
    })
    const code = new URL(redirect).searchParams.get("code") ?? ""
    const ofUser = yield* call(oauth2Token, { ...presented.web(code), ...credentials("site") }, null, auth)
    const ofNobody = [
      `Bearer ${ofUser.access_token}`,
      `Bearer ${ofUser.id_token}`,
      yield* bearer("sync", { resource: "https://api.example.com" }),
      `Bearer ${(yield* call(oauth2Token, { grant_type: "client_credentials", ...credentials("sync") }, null, auth)).access_token}`,
      yield* bearer("elsewhere", { resource: "https://api.example.com" }),
      `Basic ${btoa("sync:the long, random secret of sync")}`,
      "Bearer unknown",
      "Bearer",
    ]
    for (const authorization of ofNobody) assert.strictEqual(yield* outcome(authorization, adminListUsers), "unauthorized", authorization)
    const both = yield* bearer("sync", { resource: `https://api.example.com ${administration}` })
    assert.strictEqual(yield* outcome(both, adminListUsers), "ok")
    assert.strictEqual(yield* outcome(both, oauth2Userinfo), "invalid_token")
    yield* TestClock.adjust("599 seconds")
    assert.strictEqual(yield* outcome(both, adminListUsers), "ok")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* outcome(both, adminListUsers), "unauthorized")
  })

  rule("proves the key that its token is bound to, once", function* () {
    const key = yield* Effect.promise(() => dpopKey())
    const input = { grant_type: "client_credentials", resource: administration, ...credentials("bound") }
    const { body } = yield* answer(oauth2Token, input, null, auth, yield* proved(key, "/oauth2/token"))
    const { access_token } = body
    const proof = yield* proved(key, "/admin/list-users", withToken(access_token))
    assert.strictEqual(yield* outcome(`DPoP ${access_token}`, adminListUsers, {}, proof), "ok")
    const other = yield* Effect.promise(() => dpopKey())
    for (const [authorization, headers] of [
      [`DPoP ${access_token}`, proof],
      [`DPoP ${access_token}`, {}],
      [`Bearer ${access_token}`, {}],
      [`DPoP ${access_token}`, yield* proved(other, "/admin/list-users", withToken(access_token))],
      [`DPoP ${access_token}`, yield* proved(key, "/admin/create-user", withToken(access_token))],
    ] as const)
      assert.strictEqual(yield* outcome(authorization, adminListUsers, {}, headers), "unauthorized")
  })
})

describe("a client that an administrator adds", () => {
  const written = { grant_types: ["client_credentials"], resources: [administration], scopes: ["users:read"], redirect_uris: [] }
  const withRole = Effect.fnUntraced(function* (role: string) {
    const [owner, their] = [yield* signedUp(root), yield* signedUp("their@example.com")]
    yield* owner.body(adminSetRole, { user_id: their.user.id, role })
    return { owner, their }
  })

  rule("gets no permission that the administrator lacks", function* () {
    const { owner, their } = yield* withRole("operator")
    const strong = { ...written, scopes: ["users:read", "users:delete"] }
    assert.strictEqual(yield* their.code(adminClientsCreate, strong), "forbidden")
    const { client } = yield* their.body(adminClientsCreate, written)
    const one = { client_id: client.client_id }
    assert.strictEqual(yield* their.code(adminClientsUpdate, { ...one, changes: { scopes: strong.scopes } }), "forbidden")
    yield* owner.body(adminClientsUpdate, { ...one, changes: { scopes: strong.scopes } })
    assert.strictEqual(yield* their.code(adminClientsRotateSecret, one), "forbidden")
    assert.strictEqual(yield* their.code(adminClientsUpdate, { ...one, changes: { client_name: "Mine" } }), "forbidden")
    yield* owner.body(adminClientsRotateSecret, one)
  })

  rule("loses what it is permitted with its scopes, its resources and itself", function* () {
    const { owner } = yield* withRole("user")
    const { client, client_secret } = yield* owner.body(adminClientsCreate, { ...written, scopes: ["users:read", "users:create"] })
    const one = { client_id: client.client_id }
    const token = `Bearer ${yield* tokenOf({ ...one, client_secret: client_secret ?? "" })}`
    const permitted = () =>
      Effect.map(
        Effect.option(call(adminMe, {}, token, auth)),
        Option.map(({ permissions }) => permissions),
      )
    assert.deepStrictEqual(yield* permitted(), Option.some(["users:read", "users:create"]))
    yield* owner.body(adminClientsUpdate, { ...one, changes: { scopes: ["users:read"] } })
    assert.deepStrictEqual(yield* permitted(), Option.some(["users:read"]))
    yield* owner.body(adminClientsUpdate, { ...one, changes: { resources: [] } })
    assert.deepStrictEqual(yield* permitted(), Option.none())
    yield* owner.body(adminClientsUpdate, { ...one, changes: { resources: [administration] } })
    yield* owner.body(adminClientsDelete, one)
    assert.strictEqual(yield* outcome(token, adminListUsers), "unauthorized")
    assert.lengthOf(yield* rows(Users), 2)
  })
})

rule("a scope that is no permission is a warning of doctor", function* () {
  const { findings } = builtWith({ clients: [machine("sync", { scopes: ["users:read", "users:ban", "jobs:run", "wiki"] })] })
  const found = findings(yield* Settings)
  assert.deepStrictEqual(found, [
    { severity: "warning", text: "the client sync has the scope users:ban, which is no permission of administrators" },
  ])
})

rule("a secret of a client that can be guessed is a warning of doctor", function* () {
  const secrets = { "": [], x: [1], ["x".repeat(21)]: [1], ["x".repeat(22)]: [] }
  for (const [client_secret, expected] of Object.entries(secrets)) {
    const found = builtWith({ clients: [machine("sync", { client_secret })] }).findings(yield* Settings)
    assert.lengthOf(found, expected.length, client_secret)
    for (const { text } of found) assert.include(text, "sync has fewer than 22 characters")
  }
})

rule("a permission without the resource of the administration is a warning of doctor", function* () {
  const scopes = ["users:read"]
  const clients = [
    machine("sync", { scopes }),
    machine("jobs", { scopes, resources: [] }),
    machine("wiki", { resources: [], scopes: ["wiki"] }),
  ]
  assert.deepStrictEqual(builtWith({ clients }).findings(yield* Settings), [
    {
      severity: "warning",
      text: `the scope users:read of the client jobs permits no administration here: its resources lack ${administration}`,
    },
  ])
})
