import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../application/modules/admin/index.ts"
import { Webhooks } from "../../../application/modules/events/tables.ts"
import { StoredClients } from "../../../application/modules/idp/clients/stored-clients.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { ServiceAccounts } from "../../../domain/administration/service-accounts.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { Idempotencies } from "../../../domain/tokens/idempotency.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { modules as everything } from "../../everything.ts"
import { rulesOf } from "../../rule.ts"
import { browser, endpoints as core, onWire, password, rows, signedUp as signedUpTo, times } from "../../world.ts"

const root = "root@example.com"
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {} }))
const modules = [...everything.filter(({ name }) => name !== "admin"), built]
/** Two processes on one store. */
const [service, other] = [AuthOf.make(modules), AuthOf.make(modules)]
const all = service.endpoints
const { adminCreateUser, adminSetRole } = built.endpoints
const rule = rulesOf(modules)
const signedUp = (address: string) => signedUpTo(address, service)

const ada = { email: "ada@example.com", password, idempotency_key: "order 66" }
const url = "https://example.com/hook"

/** Operations that take a key, the tables that they add to, and what they need. */
const operations: ReadonlyArray<{
  readonly name: string
  readonly table: AnyTable
  readonly input: (own: ReturnType<typeof browser>) => Effect.Effect<object, any, any>
  readonly adds: number
}> = [
  { name: "adminCreateUser", table: Users, input: () => Effect.succeed({ email: ada.email, password }), adds: 1 },
  { name: "adminClientsCreate", table: StoredClients, input: () => Effect.succeed({ name: "app", redirect_uris: [url] }), adds: 1 },
  {
    name: "adminClientsRotateSecret",
    table: StoredClients,
    input: (own) =>
      Effect.map(own.body(all["adminClientsCreate"]!, { name: "app", redirect_uris: [url] }), (body: any) => ({
        client_id: body.client.client_id,
      })),
    adds: 0,
  },
  { name: "adminWebhooksCreate", table: Webhooks, input: () => Effect.succeed({ url, types: ["*"] }), adds: 1 },
  {
    name: "adminWebhooksRotateSecret",
    table: Webhooks,
    input: (own) =>
      Effect.map(own.body(all["adminWebhooksCreate"]!, { url, types: ["*"] }), (body: any) => ({ webhook_id: body.webhook.id })),
    adds: 0,
  },
  {
    name: "adminServiceAccountsCreate",
    table: ServiceAccounts,
    input: () => Effect.succeed({ name: "sync", permissions: ["users:read"] }),
    adds: 1,
  },
]

describe("an operation with a key", () => {
  rule("has its effect once, and the same answer again", function* () {
    const owner = yield* signedUp(root)
    const first = yield* owner.call(adminCreateUser, ada)
    const again = yield* owner.call(adminCreateUser, { idempotency_key: ada.idempotency_key, password, email: " ADA@example.com " })
    assert.deepStrictEqual(yield* onWire(adminCreateUser, again.body), yield* onWire(adminCreateUser, first.body))
    assert.deepStrictEqual([first.fields, again.fields], [undefined, { "idempotency-replayed": "true" }])
    for (const changed of [{ password: `${password}!` }, { name: "Ada" }])
      assert.strictEqual(yield* owner.code(adminCreateUser, { ...ada, ...changed }), "idempotency_key_reused")
    assert.lengthOf(yield* rows(Users), 2)
    assert.strictEqual(yield* owner.code(adminCreateUser, { ...ada, idempotency_key: "order 67" }), "user_already_exists")
    for (const idempotency_key of ["", "a".repeat(256), 7])
      assert.strictEqual(yield* owner.code(adminCreateUser, { ...ada, idempotency_key }), "invalid_request")
    yield* owner.body(adminCreateUser, { ...ada, email: "eve@example.com", idempotency_key: "a".repeat(255) })
  })

  rule("is the caller's own, and that of one operation", function* () {
    const owner = yield* signedUp(root)
    const manager = yield* signedUp("manager@example.com")
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
    yield* owner.body(adminCreateUser, ada)
    assert.strictEqual(yield* manager.code(adminCreateUser, ada), "user_already_exists")
    const client = { redirect_uris: [url], idempotency_key: ada.idempotency_key }
    yield* owner.body(all["adminClientsCreate"]!, client)
    assert.lengthOf(yield* rows(StoredClients), 1)
  })

  rule("is not kept if it is refused", function* () {
    const owner = yield* signedUp(root)
    assert.strictEqual(yield* owner.code(adminCreateUser, { ...ada, password: "short" }), "password_too_short")
    yield* owner.body(adminCreateUser, ada)
  })

  rule("needs the permission each time", function* () {
    const owner = yield* signedUp(root)
    const manager = yield* signedUp("manager@example.com")
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
    yield* manager.body(adminCreateUser, ada)
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "support" })
    assert.strictEqual(yield* manager.code(adminCreateUser, ada), "forbidden")
  })

  rule("is forgotten after a day, also before its row is swept", function* () {
    const owner = yield* signedUp(root)
    yield* owner.body(adminCreateUser, ada)
    yield* TestClock.adjust("24 hours")
    assert.strictEqual(yield* owner.code(adminCreateUser, ada), "user_already_exists")
    const eve = { ...ada, email: "eve@example.com" }
    yield* owner.body(adminCreateUser, eve)
    assert.deepStrictEqual((yield* owner.call(adminCreateUser, eve)).fields, { "idempotency-replayed": "true" })
  })

  rule("leaves a row that shows neither key, input nor answer, but for the user with whom it is removed", function* () {
    const owner = yield* signedUp(root)
    const { user } = yield* owner.body(adminCreateUser, ada)
    const text = JSON.stringify(yield* rows(Idempotencies))
    for (const known of [ada.idempotency_key, ada.email, password, owner.user.id]) assert.notInclude(text, known)
    assert.strictEqual((yield* rows(Idempotencies))[0]?.user_id, user.id)
  })

  for (const { name, table, input, adds } of operations) {
    rule(`${name} sent twenty times at once, to two processes, happens once`, function* () {
      const owner = yield* signedUp(root)
      const endpoint: AnyEndpoint = all[name]!
      const sent = { ...(yield* input(owner)), idempotency_key: "once" }
      const before = (yield* rows(table)).length
      const second = browser(other, owner.jar)
      const calls = times(20, (index) => (index % 2 === 0 ? owner.body(endpoint, sent) : second.body(other.endpoints[name]!, sent)))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      const wire = yield* Effect.forEach(answers, (answer) => onWire(endpoint, answer))
      assert.strictEqual(new Set(wire.map((answer) => JSON.stringify(answer))).size, 1)
      assert.lengthOf(yield* rows(table), before + adds)
      assert.lengthOf(yield* rows(Idempotencies), 1)
      if (name === "adminCreateUser") assert.lengthOf(yield* rows(Accounts), 2)
    })
  }

  rule("without a key leaves no row", function* () {
    const owner = yield* signedUp(root)
    yield* owner.body(adminCreateUser, { email: ada.email, password })
    assert.lengthOf(yield* rows(Idempotencies), 0)
    assert.isTrue((yield* browser(service).body(core.signInEmail, { email: ada.email, password })).user.email === ada.email)
  })
})
