import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Option, Schema } from "effect"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as GraphField from "../../../application/service/graph-field.ts"
import * as Module from "../../../application/service/module.ts"
import { Forbidden, InvalidToken, SessionNotFresh, Unauthorized } from "../../../domain/errors.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user as userParty } from "../../../domain/events/security-event.ts"
import { Policies } from "../../../domain/policies.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { StoredUser, User } from "../../../domain/users/user.ts"
import { modules as everything } from "../../everything.ts"
import { at, browser, signedUp, world } from "../../world.ts"

/** A service that no other part of the program provides. */
class Needed extends Context.Service<Needed, { readonly needed: true }>()("test/Needed") {}

const needing = <A>(value: A) => Effect.as(Needed, value)
const settings = Module.NoSettings

const challenge = Challenges.make({
  of: "every_sign_in",
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
  factor: Module.define({ name: "x", settings, parts: () => ({ factor: { second: true, heldBy: () => needing(new Set<string>()) } }) }),
  challenge: Module.define({ name: "x", settings, parts: () => ({ challenge }) }),
  stepUps: Module.define({ name: "x", settings, parts: () => ({ stepUps: { proof } }) }),
  reclaims: Module.define({ name: "x", settings, parts: () => ({ reclaims: [() => needing({ writes: [], kept: [] })] }) }),
  beforeUserRemoval: Module.define({ name: "x", settings, parts: () => ({ beforeUserRemoval: [() => needing([])] }) }),
  grants: Module.define({ name: "x", settings, parts: () => ({ grants: () => needing([]) }) }),
  keepers: Module.define({ name: "x", settings, parts: () => ({ keepers: [() => needing(true)] }) }),
  sessionOpened: Module.define({ name: "x", settings, parts: () => ({ sessionOpened: () => needing({ writes: [] }) }) }),
  identityProved: Module.define({ name: "x", settings, parts: () => ({ identityProved: () => needing([]) }) }),
  observe: Module.define({ name: "x", settings, parts: () => ({ observe: () => needing(undefined) }) }),
  graphFields: Module.define({ name: "x", settings, parts: () => ({ graphFields: [field] }) }),
  guard: Module.define({ name: "x", settings, parts: () => ({ guard: Endpoint.guard([], needing(undefined)) }) }),
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
      grants: true,
      keepers: true,
      sessionOpened: true,
      identityProved: true,
      observe: true,
      graphFields: true,
      guard: true,
    }
    assert.sameMembers(Object.keys(checked), Object.keys(modules))
  })

  it("declare the codes that they fail with: an undeclared one does not compile", () => {
    const refuses = () => Effect.fail(new Forbidden())
    const shape = { method: "POST", path: "/x", summary: "", access: "public", input: Endpoint.NoInput, output: Endpoint.Success } as const
    const refusal = Effect.map(Policies, ({ beforeUserRemoval, passGates }) => ({ beforeUserRemoval, passGates }))
    const gated = Effect.fnUntraced(function* passGatesOf(user: User) {
      yield* (yield* refusal).passGates(user)
      return Endpoint.reply(Endpoint.succeeded)
    })
    const removing = Effect.fnUntraced(function* removeUser(user: StoredUser) {
      yield* (yield* refusal).beforeUserRemoval(user)
      return Endpoint.reply(Endpoint.succeeded)
    })
    const ada = {} as StoredUser
    const declaring = { on: "*", errors: [Forbidden], before: refuses } as const
    const subject = userParty("ada")
    const kind = { summary: "", isChange: false }
    const adding = rowEvents(Users, (): ReadonlyArray<Happening<"x.added">> => [{ type: "x.added", subject }])
    const creating = rowEvents(Users, (): ReadonlyArray<Happening> => [{ type: "user.created", subject }])
    const declared = [
      Module.define({ name: "x", settings, parts: () => ({ gates: [refuses], gateErrors: [Forbidden] }) }),
      Module.define({ name: "x", settings, parts: () => ({ beforeUserRemoval: [refuses], removalErrors: [Forbidden] }) }),
      Module.define({ name: "x", settings, parts: () => ({ hooks: [{ on: "*", errors: [Forbidden], before: refuses }] }) }),
      Module.define({ name: "x", settings, parts: () => ({ hooks: [{ on: "*", errors: [Forbidden], after: refuses }] }) }),
      Module.define({ name: "x", settings, events: { "x.added": kind }, parts: () => ({ rowEvents: [adding] }) }),
      Module.define({ name: "x", settings, parts: () => ({ rowEvents: [creating] }) }),
      Endpoint.make({ ...shape, passesGates: true, handler: () => gated(ada) }),
      Endpoint.make({ ...shape, removesUsers: true, handler: () => removing(ada) }),
      Endpoint.make({ ...shape, errors: [Forbidden], handler: refuses }),
    ]
    const undeclared = [
      // @ts-expect-error forbidden is missing in gateErrors
      Module.define({ name: "x", settings, parts: () => ({ gates: [refuses], gateErrors: [InvalidToken] }) }),
      // @ts-expect-error forbidden is missing in removalErrors
      Module.define({ name: "x", settings, parts: () => ({ beforeUserRemoval: [refuses] }) }),
      // @ts-expect-error forbidden is missing in the errors of the hook
      Module.define({ name: "x", settings, parts: () => ({ hooks: [{ on: "*", before: refuses }] }) }),
      // @ts-expect-error x.added is missing in events
      Module.define({ name: "x", settings, parts: () => ({ rowEvents: [creating, adding] }) }),
      // @ts-expect-error x.added is missing in events
      Module.define({ name: "x", settings, events: { "x.removed": kind }, parts: () => ({ rowEvents: [adding] }) }),
      // @ts-expect-error y.added is neither a type of the domain nor of the module
      rowEvents(Users, (): ReadonlyArray<Happening<"x.added">> => [{ type: "y.added", subject }]),
      // @ts-expect-error the errors of one hook are not those of the other
      Module.define({ name: "x", settings, parts: () => ({ hooks: [declaring, { on: "*", after: refuses }] }) }),
      // @ts-expect-error passesGates is missing
      Endpoint.make({ ...shape, handler: () => gated(ada) }),
      // @ts-expect-error removesUsers is missing
      Endpoint.make({ ...shape, handler: () => removing(ada) }),
      // @ts-expect-error forbidden is no error of every endpoint
      Endpoint.make({ ...shape, handler: refuses }),
      // @ts-expect-error only an endpoint that requires a session can fail with unauthorized without listing it
      Endpoint.make({ ...shape, handler: () => Effect.fail(new Unauthorized()) }),
      // @ts-expect-error forbidden is missing in the errors of the challenge
      Challenges.make({ of: "every_sign_in", output: Schema.Struct(Challenges.ChallengeFields), ask: refuses }),
      // @ts-expect-error forbidden is missing in the errors of the proof
      StepUp.make({ input: Schema.String, errors: [], multi_factor: false, prove: refuses }),
    ]
    assert.lengthOf([...declared, ...undeclared], 22)
  })

  it("with unknown names are refused: a misspelt gate would admit users", () => {
    const parts = { gate: [() => Effect.fail(new Forbidden())] }
    const misspelt = Module.define({ name: "misspelt", settings, parts: () => parts as object })
    assert.throws(() => misspelt.build({}), "the module misspelt declares gate, which is not a part of a module")
  })
})

const endpointAt = (path: `/${string}`, changes: Partial<Endpoint.AnyEndpoint> = {}): Endpoint.AnyEndpoint => ({
  ...Endpoint.make({
    method: "POST",
    path,
    summary: "Succeeds.",
    access: "session",
    input: Schema.Struct({ text: Schema.String }),
    output: Endpoint.Success,
    handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
  }),
  ...changes,
})
const moduleOf = (...brought: ReadonlyArray<Endpoint.AnyEndpoint>) =>
  Module.define({ name: "x", settings, parts: () => ({ endpoints: brought }) })

describe("the name of an endpoint", () => {
  it("follows from its path", () => {
    const names = ["/stepup", "/step-up", "/sign-in/email-otp", "/oauth2/jwks"].map((path) => endpointAt(path as `/${string}`).name)
    assert.deepStrictEqual(names, ["stepup", "stepUp", "signInEmailOtp", "oauth2Jwks"])
  })

  it("can be another one, by which the module's record has it", () => {
    const named = Endpoint.make({
      method: "GET",
      path: "/2fa/state",
      name: "twoFactorState",
      summary: "Succeeds.",
      access: "public",
      input: Endpoint.NoInput,
      output: Endpoint.Success,
      handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
    })
    const { endpoints } = Module.define({ name: "x", settings, parts: () => ({ endpoints: [named] }) }).build({})
    assert.strictEqual(endpoints.twoFactorState, named)
    assert.deepStrictEqual(Object.keys(endpoints), ["twoFactorState"])
  })

  it("is unique in a module: a record would drop one of the two", () => {
    const twice = moduleOf(endpointAt("/a-b"), endpointAt("/a/b"))
    assert.throws(() => twice.build({}), "the module x declares two endpoints with the name aB")
  })

  it("is unique in the service with every module, and the key of its record", () => {
    const all = everything.flatMap(({ endpoints }) => Object.entries<Endpoint.AnyEndpoint>(endpoints))
    assert.isAbove(all.length, 90)
    for (const [key, { name }] of all) assert.strictEqual(key, name)
    assert.lengthOf(new Set(all.map(([key]) => key)), all.length)
  })
})

describe("the errors of an endpoint", () => {
  const codesOf = ({ errors }: Endpoint.AnyEndpoint) => errors.map((each) => (typeof each === "function" ? each.code : each[0].code))
  const shape = { method: "POST", path: "/x", summary: "Succeeds.", access: "public", output: Endpoint.Success } as const
  const handler = () => Effect.succeed(Endpoint.reply(Endpoint.succeeded))
  const input = Schema.Struct({ text: Schema.String })

  it("include the one for input that cannot be decoded, and those of its guard", () => {
    const guard = Endpoint.guard([SessionNotFresh], Effect.fail(new SessionNotFresh()))
    assert.deepStrictEqual(codesOf(Endpoint.make({ ...shape, input, handler })), ["invalid_request"])
    assert.deepStrictEqual(codesOf(Endpoint.make({ ...shape, input, guard, handler })), ["session_not_fresh", "invalid_request"])
    assert.deepStrictEqual(codesOf(Endpoint.make({ ...shape, input: Endpoint.NoInput, errors: [InvalidToken], handler })), [
      "invalid_token",
    ])
  })

  it("keep the status that the endpoint gives to its error for undecodable input", () => {
    const endpoint = Endpoint.make({ ...shape, input, invalid: InvalidToken, errors: [[InvalidToken, 401]], handler })
    assert.deepStrictEqual(codesOf(endpoint), ["invalid_token"])
    assert.strictEqual(Endpoint.statusOf(endpoint, new InvalidToken()), 401)
  })
})

describe("the guard of a module", () => {
  const guard = Endpoint.guard([SessionNotFresh], Effect.fail(new SessionNotFresh()))
  const guardedBy = (...brought: ReadonlyArray<Endpoint.AnyEndpoint>) =>
    Module.define({ name: "x", settings, parts: () => ({ guard, endpoints: brought }) }).build({})

  it.effect("refuses the caller of each of its endpoints before the input is decoded and before the endpoint's own guard", () =>
    Effect.gen(function* () {
      const own = Endpoint.guard([Forbidden], Effect.fail(new Forbidden()))
      const behind = guardedBy(endpointAt("/one"), endpointAt("/two", { guard: own }))
      const caller = yield* signedUp("ada@example.com")
      const there = at(caller, behind)
      for (const endpoint of Object.values(behind.endpoints)) {
        assert.strictEqual(yield* there.code(endpoint, { text: 1 }), "session_not_fresh")
        assert.strictEqual(yield* at(browser(), behind).code(endpoint, { text: 1 }), "unauthorized")
        assert.include(endpoint.errors, SessionNotFresh)
      }
    }).pipe(Effect.provide(world())),
  )

  it.effect("admits callers to the endpoint's own guard and to the handler", () =>
    Effect.gen(function* () {
      const open = Endpoint.guard([], Effect.void)
      const own = Endpoint.guard([Forbidden], Effect.fail(new Forbidden()))
      const endpoints = [endpointAt("/one"), endpointAt("/two", { guard: own })]
      const behind = Module.define({ name: "x", settings, parts: () => ({ guard: open, endpoints }) }).build({})
      const there = at(yield* signedUp("ada@example.com"), behind)
      assert.deepStrictEqual(yield* there.body(behind.endpoints["one"]!, { text: "" }), { success: true })
      assert.strictEqual(yield* there.code(behind.endpoints["two"]!, { text: "" }), "forbidden")
    }).pipe(Effect.provide(world())),
  )

  it("covers endpoints with a session only", () => {
    assert.throws(
      () => guardedBy(endpointAt("/open", { access: "public" })),
      "the module x has a guard, and its endpoint open needs no session",
    )
  })
})
