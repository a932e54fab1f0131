import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { exportAudit, listAudit } from "../../../adapters/cli/audit.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { optional } from "../../../application/modules/index.ts"
import { Users } from "../../../domain/users/tables.ts"
import { core, rows, signedUp, world } from "../../world.ts"
import { printed, refused } from "./printed.ts"

const modules = [...core, audit.build(Schema.decodeUnknownSync(audit.settings)({}))]
const commands = Layer.merge(world(modules), commandPolicies(modules))
const configuration = configurationOf({ secret: "a secret for these tests only, 32+ bytes", modules: { audit: {} } }, optional).pipe(
  Effect.orDie,
)
const none = Option.none<string>()
const all = { subject: none, actor: none, organization: none, type: none, since: none, until: none }
const asList = { limit: 100, json: true }

describe("audit", () => {
  it.effect("names the options that are invalid and the valid values", () =>
    Effect.gen(function* () {
      const time = "expected an ISO 8601 time such as 2026-11-22T00:00:00Z"
      const wrong = { ...all, since: Option.some("1h"), until: Option.some("yesterday") }
      const faults = [64, `--since: ${time}`, `--until: ${time}`]
      assert.deepStrictEqual(yield* refused(listAudit({ ...wrong, ...asList }, yield* configuration)), faults)
      assert.deepStrictEqual(yield* refused(exportAudit(wrong, yield* configuration)), faults)
      const [code, line] = yield* refused(listAudit({ ...all, type: Option.some("nosuch"), ...asList }, yield* configuration))
      assert.strictEqual(code, 64)
      assert.match(String(line), /^--type: expected one of .*sign_in\.failed/)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("finds a subject and an actor by id and by email address", () =>
    Effect.gen(function* () {
      yield* signedUp("ada@example.com")
      yield* signedUp("bob@example.com")
      const ada = (yield* rows(Users)).find(({ email }) => email === "ada@example.com")
      const list = (filter: object) =>
        Effect.flatMap(configuration, (settings) => printed(listAudit({ ...all, ...filter, ...asList }, settings)))
      const byId = yield* list({ subject: Option.some(String(ada?.id)) })
      assert.isNotEmpty(byId)
      assert.deepStrictEqual(yield* list({ subject: Option.some(" Ada@example.com") }), byId)
      assert.deepStrictEqual(yield* list({ actor: Option.some("ada@example.com") }), yield* list({ actor: Option.some(String(ada?.id)) }))
      assert.isAbove((yield* list({})).length, byId.length)
      const unknown = { ...all, ...asList, subject: Option.some("eve@example.com") }
      assert.deepStrictEqual(yield* refused(listAudit(unknown, yield* configuration)), [1, "This user does not exist."])
    }).pipe(Effect.provide(commands)),
  )
})
