import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Option, Schema } from "effect"
import * as GraphField from "../../../application/service/graph-field.ts"
import * as Module from "../../../application/service/module.ts"
import { Forbidden } from "../../../domain/errors.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"

/** A service that no other part of the program provides. */
class Needed extends Context.Service<Needed, { readonly needed: true }>()("test/Needed") {}

const needing = <A>(value: A) => Effect.as(Needed, value)
const settings = Module.NoSettings

const challenge = Challenges.make({
  of: "all",
  output: Schema.Struct(Challenges.ChallengeFields),
  ask: () => needing(Option.none()),
})
const proof = StepUp.make({
  input: Schema.String,
  errors: [],
  multi_factor: false,
  prove: () => Effect.andThen(Needed, Effect.die("no proof")),
})
const field = GraphField.make({ on: "viewer", name: "x", summary: "", output: Schema.Boolean, load: () => needing([true]) })

const modules = {
  gates: Module.define({ name: "x", settings, parts: () => ({ gates: [() => needing(undefined)] }) }),
  before: Module.define({ name: "x", settings, parts: () => ({ hooks: [{ on: "*", before: (input) => needing(input) }] }) }),
  after: Module.define({ name: "x", settings, parts: () => ({ hooks: [{ on: "*", after: (reply) => needing(reply) }] }) }),
  factor: Module.define({ name: "x", settings, parts: () => ({ factor: { second: true, isHeldBy: () => needing(true) } }) }),
  challenge: Module.define({ name: "x", settings, parts: () => ({ challenge }) }),
  stepUps: Module.define({ name: "x", settings, parts: () => ({ stepUps: { proof } }) }),
  reclaims: Module.define({ name: "x", settings, parts: () => ({ reclaims: [() => needing({ writes: [], kept: [] })] }) }),
  beforeUserRemoval: Module.define({ name: "x", settings, parts: () => ({ beforeUserRemoval: [() => needing([])] }) }),
  isAdministrator: Module.define({ name: "x", settings, parts: () => ({ isAdministrator: () => needing(true) }) }),
  keepers: Module.define({ name: "x", settings, parts: () => ({ keepers: [() => needing(true)] }) }),
  sessionOpened: Module.define({ name: "x", settings, parts: () => ({ sessionOpened: () => needing([]) }) }),
  observe: Module.define({ name: "x", settings, parts: () => ({ observe: () => needing(undefined) }) }),
  graphFields: Module.define({ name: "x", settings, parts: () => ({ graphFields: [field] }) }),
} as const

type NeedsExactly<D> = D extends Module.Definition<any, any, infer R> ? ([R, Needed] extends [Needed, R] ? true : false) : false

describe("a module's parts", () => {
  it("require the services of their effects: a module that lacks one does not compile", () => {
    const checked: { readonly [Part in keyof typeof modules]: NeedsExactly<(typeof modules)[Part]> } = {
      gates: true,
      before: true,
      after: true,
      factor: true,
      challenge: true,
      stepUps: true,
      reclaims: true,
      beforeUserRemoval: true,
      isAdministrator: true,
      keepers: true,
      sessionOpened: true,
      observe: true,
      graphFields: true,
    }
    assert.sameMembers(Object.keys(checked), Object.keys(modules))
  })

  it("with unknown names are refused: a misspelt gate would let users in", () => {
    const parts = { gate: [() => Effect.fail(new Forbidden())] }
    const misspelt = Module.define({ name: "misspelt", settings, parts: () => parts as object })
    assert.throws(() => misspelt.build({}), "the module misspelt brings gate, which is not a part of a module")
  })
})
