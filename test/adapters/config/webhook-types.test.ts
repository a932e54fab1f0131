import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { configurationOf } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"
import { notes } from "../../../examples/notes.ts"

/** The faults of a configuration with a webhook for this type of event. */
const faultsWith = (type: string, extensions: ReadonlyArray<object>) => {
  const webhook = { id: "siem", url: "https://siem.example.com", types: [type], secrets: [`whsec_${"A".repeat(32)}`] }
  const given = { secret: "a secret for these tests only, 32+ bytes", extensions, modules: { events: { webhooks: [webhook] } } }
  return configurationOf(given, optional).pipe(
    Effect.as([] as ReadonlyArray<string>),
    Effect.catchTag("ConfigurationFault", ({ faults }) => Effect.succeed(faults)),
  )
}

describe("the types of events of a webhook", () => {
  it.effect.each(["*", "user.created", "client.*", "organization.created", "webhook.disabled"])(
    "can be %s, of modules that are off too",
    (type) => Effect.map(faultsWith(type, []), (faults) => assert.deepStrictEqual(faults, [])),
  )

  it.effect.each(["note.added", "note.*"])("can be %s of an extension", (type) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faultsWith(type, [notes]), [])
      assert.deepStrictEqual(yield* faultsWith(type, [notes.build({ max_length: 20 })]), [])
      assert.lengthOf(yield* faultsWith(type, []), 1)
    }),
  )

  it.effect.each(["user", "user.lost", "nothing.*", "*.created"])("cannot be %s", (type) =>
    Effect.map(faultsWith(type, []), (faults) =>
      assert.deepStrictEqual(faults, [
        `modules.events.webhooks.0.types.0: found "${type}", wanted a type of event such as session.revoked, session.*, or *`,
      ]),
    ),
  )
})
