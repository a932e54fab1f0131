import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { rebuildFigures } from "../../../adapters/cli/figures.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { seal } from "../../../application/modules/audit/seal.ts"
import { figures } from "../../../application/modules/figures/index.ts"
import { Figures } from "../../../application/modules/figures/tables.ts"
import { optional } from "../../../application/modules/index.ts"
import { core, rows, signedUp, world } from "../../world.ts"
import { printed, refused } from "./printed.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const modules = [...core, log, figures.build({})]
const commands = Layer.merge(world(modules), commandPolicies(modules))
const configured = (names: object) =>
  Effect.orDie(configurationOf({ secret: "a secret for these tests only, 32+ bytes", modules: names }, optional))

describe("figures rebuild", () => {
  it.effect("counts the log, and says how much and since when figures are complete", () =>
    Effect.gen(function* () {
      const configuration = yield* configured({ audit: {}, figures: {} })
      assert.deepStrictEqual(yield* printed(rebuildFigures({ json: true }, configuration)), ['{"records":0,"counted_since":null}'])
      yield* signedUp("ada@example.com")
      yield* Effect.provide(seal, commandPolicies([...core, log]))
      const lines = yield* printed(rebuildFigures({ json: false }, configuration))
      assert.match(lines.join("\n"), /^records +[1-9]\d*\ncounted_since +1970-01-01T01:00:00\.000Z$/)
      const [row] = yield* rows(Figures)
      assert.include(row?.counts, { "user.created": 1 })
    }).pipe(Effect.provide(commands)),
  )

  it.effect("is refused without the module", () =>
    Effect.gen(function* () {
      const [code, line] = yield* refused(rebuildFigures({ json: false }, yield* configured({ audit: {} })))
      assert.strictEqual(code, 78)
      assert.match(String(line), /^modules\.figures: found nothing/)
    }).pipe(Effect.provide(commands)),
  )
})
