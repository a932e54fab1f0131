import { assert } from "@effect/vitest"
import { Effect, Option, Schema, Stream } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { betterAuth } from "../../../adapters/import/sources/better-auth.ts"
import { keycloak } from "../../../adapters/import/sources/keycloak.ts"
import { sallyport } from "../../../adapters/import/sources/sallyport.ts"
import { exported } from "../../../application/import/export.ts"
import { undo } from "../../../application/import/undo.ts"
import { attributes } from "../../../application/modules/attributes/index.ts"
import { AttributeValues, UserAttributes } from "../../../domain/attributes/tables.ts"
import { Store, update } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { rulesOf } from "../../rule.ts"
import { rows } from "../../world.ts"
import { enabled, imported, target, user } from "./records.ts"

const text = (maxLength: number) => ({ type: "string", maxLength })
const own = attributes.build(
  Schema.decodeUnknownSync(attributes.settings)({
    plan: { schema: text(20_000) },
    handle: { schema: text(40), unique: true },
    team: { schema: { type: "integer" } },
    risk: { schema: { type: "integer" }, read: "private" },
  }),
)
const all = [...enabled, own]
const into = { ...target, modules: new Set([...target.modules, "attributes"]), attributes: own.attributes }
const rule = rulesOf(all)

const records = [
  user("a", "ada@example.com", { attributes: { plan: "pro", handle: "ada", team: 1, risk: 2 } }),
  user("b", "bob@example.com", { attributes: { handle: "ada", team: 1 } }),
  user("c", "carl@example.com", { attributes: { unknown: 1, team: "1", constructor: 1 } }),
  user("d", "dora@example.com", { attributes: { plan: "x".repeat(16_384) } }),
  user("e", "eve@example.com"),
]
const findings = [
  "1 created",
  "2 created, attributes.handle attribute_taken 1",
  "3 created, attributes unknown_attribute, attributes.team invalid_attribute",
  "4 created, attributes attributes_too_large",
  "5 created",
]

rule("users bring the attributes that the configuration has, and of a unique value the first", function* () {
  assert.deepStrictEqual((yield* imported([records], true, into)).findings, findings)
  assert.deepStrictEqual((yield* imported([records.slice(0, 1), records.slice(1)], false, into)).findings, findings)
  assert.deepEqual(
    (yield* rows(UserAttributes)).map(({ values }) => values).toSorted((one, other) => Object.keys(one).length - Object.keys(other).length),
    [{ team: 1 }, { plan: "pro", handle: "ada", team: 1, risk: 2 }],
  )
  assert.lengthOf(yield* rows(AttributeValues), 1)
  const later = yield* imported([[user("f", "fay@example.com", { attributes: { handle: "ada" } })]], false, into)
  assert.deepStrictEqual(later.findings, ["1 created, attributes.handle attribute_taken"])
  assert.lengthOf(yield* rows(Users), 6)
})

rule("an export has them, and moves them into another service; without the module it has no such member", function* () {
  yield* imported([records.slice(0, 1)], false, into)
  const lines = (modules: ReadonlySet<string>) =>
    Effect.map(Stream.runCollect(exported({ modules, secrets: true })), (all) => all.map((line) => JSON.parse(line)))
  const [line] = yield* lines(into.modules)
  assert.deepEqual(line.attributes, { plan: "pro", handle: "ada", team: 1, risk: 2 })
  const { record } = sallyport.read(line, { peppered: false })
  assert.deepEqual(record?.kind === "user" ? record.attributes : undefined, line.attributes)
  const [plain] = yield* lines(new Set())
  assert.notProperty(plain, "attributes")
})

rule("users who move from better-auth and Keycloak keep the attributes that the configuration has", function* () {
  const { attributes } = own
  const rowOfBetterAuth = { id: "b", email: "ada@example.com", emailVerified: true, plan: "pro", team: 7 }
  const ofKeycloak = { id: "k", username: "bob", email: "bob@example.com", attributes: { plan: ["free"], team: ["8"], risk: ["high"] } }
  const moved = [betterAuth.read(rowOfBetterAuth, { attributes }), keycloak.read(ofKeycloak, { attributes })]
  const { findings } = yield* imported([moved.flatMap(({ record }) => record ?? [])], false, into)
  assert.deepStrictEqual(findings, ["1 created", "2 created, attributes.risk invalid_attribute"])
  assert.sameDeepMembers(
    (yield* rows(UserAttributes)).map(({ values }) => values),
    [
      { plan: "pro", team: 7 },
      { plan: "free", team: 8 },
    ],
  )
})

rule("an undo removes users whose attributes are those of the import, and keeps those whose attributes have changed", function* () {
  const { id } = yield* imported([records], false, into)
  const store = yield* Store
  const bob = (yield* rows(UserAttributes)).find(({ values }) => Object.keys(values).length === 1) ?? assert.fail("no attributes")
  const held = Option.getOrThrow(yield* store.read(UserAttributes, { user_id: bob.user_id }))
  yield* Effect.orDie(store.commit([update(UserAttributes, held, { values: { team: 2 } })]))
  const undone = yield* Effect.provide(undo(id), commandPolicies(all))
  assert.deepInclude(undone, { removed: 4, kept: 1 })
  assert.deepStrictEqual(
    (yield* rows(UserAttributes)).map(({ user_id }) => user_id),
    [bob.user_id],
  )
  assert.lengthOf(yield* rows(AttributeValues), 0)
})
