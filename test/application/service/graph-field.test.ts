import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as AuthOf from "../../../application/service/auth.ts"
import * as GraphField from "../../../application/service/graph-field.ts"
import * as Module from "../../../application/service/module.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { core, rows, signedUp, world } from "../../world.ts"

const moment = (second: number) => DateTime.makeUnsafe(second * 1000)
const items = [
  { id: "a", at: moment(1) },
  { id: "b", at: moment(1) },
  { id: "c", at: moment(2) },
]
const ids = (page: GraphField.Page<Partial<(typeof items)[number]>>) => GraphField.pageOf(items, page).map(({ id }) => id)

describe("a page of a loaded list", () => {
  it("begins after its cursor, also when that row was removed", () => {
    assert.deepStrictEqual(ids({ limit: 2 }), ["a", "b"])
    assert.deepStrictEqual(ids({ limit: 2, after: { at: moment(1), id: "a" } }), ["b", "c"])
    assert.deepStrictEqual(ids({ limit: 2, after: { at: moment(1), id: "aa" } }), ["b", "c"])
    assert.deepStrictEqual(ids({ limit: 2, after: { at: moment(2), id: "c" } }), [])
    assert.deepStrictEqual(ids({ limit: 0 }), [])
  })
})

describe("an edge", () => {
  const edge = (answers: ReadonlyArray<string>) =>
    GraphField.make({ on: "viewer", name: "echo", summary: "Says it again.", output: Schema.String, load: () => Effect.succeed(answers) })
  const auth = AuthOf.make(core)
  const loaded = (answers: ReadonlyArray<string>, viewer: GraphField.Viewer | null) =>
    auth.load(edge(answers), viewer, [viewer], { limit: 1 })
  const anonymous = {
    credential: null,
    cookies: {},
    authorization: null,
    from_browser: false,
    ip_address: null,
    user_agent: null,
    accept: null,
    api_key: null,
    dpop: null,
    client_certificate: null,
    accept_language: null,
    origin: null,
  }

  it.effect("loads for the viewer, and not without one", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp("ada@example.com")
      const { credential } = ada.jar
      const { body, session } = yield* Effect.provideService(auth.viewer, Caller, { ...anonymous, credential })
      assert.strictEqual(body?.user.email, "ada@example.com")
      assert.strictEqual(session, "keep")
      assert.deepStrictEqual(yield* Effect.provideService(loaded(["there"], body), Caller, anonymous), ["there"])
      assert.isNull((yield* Effect.provideService(auth.viewer, Caller, anonymous)).body)
      const refused = yield* Effect.flip(Effect.provideService(loaded(["there"], null), Caller, anonymous))
      assert.strictEqual(refused._tag, "unauthorized")
    }).pipe(Effect.provide(world())),
  )

  it.effect("counts as a use of the session, which is refreshed when due", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp("ada@example.com")
      const { credential } = ada.jar
      yield* TestClock.adjust("1 day")
      const { session } = yield* Effect.provideService(auth.viewer, Caller, { ...anonymous, credential })
      assert.deepStrictEqual(session, { session: (yield* rows(Sessions))[0]!, user: ada.user, credential: credential! })
    }).pipe(Effect.provide(world())),
  )

  it.effect("that returns fewer results than parents is a defect of its module", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp("ada@example.com")
      const { credential } = ada.jar
      const { body } = yield* Effect.provideService(auth.viewer, Caller, { ...anonymous, credential })
      const exit = yield* Effect.exit(Effect.provideService(loaded([], body), Caller, anonymous))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.provide(world())),
  )

  it("is part of the graph only with its module", () => {
    const echo = Module.define({ name: "echo", settings: Module.NoSettings, parts: () => ({ graphFields: [edge(["there"])] }) }).build({})
    const names = ({ graphFields }: { readonly graphFields: ReadonlyArray<GraphField.AnyGraphField> }) =>
      graphFields.map(({ name }) => name)
    assert.include(names(AuthOf.make([...core, echo])), "echo")
    assert.notInclude(names(auth), "echo")
  })
})
