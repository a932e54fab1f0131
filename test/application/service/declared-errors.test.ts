import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import * as AuthOf from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import type { AnyModule, Hook } from "../../../application/service/module.ts"
import * as Module from "../../../application/service/module.ts"
import { type AuthError, define, type ErrorClass } from "../../../domain/errors.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { modules } from "../../everything.ts"
import { browser, signedUp, world } from "../../world.ts"

// No code leaves an endpoint that its declaration, and so its description for clients, does not have.

const settings = Module.NoSettings
const Closed = define("closed", 403, "Closed.")
const closed = Effect.fail(new Closed())

const codesOf = ({ errors }: AnyEndpoint) => errors.map((each) => Endpoint.classOf(each).code)
const endpointsOf = (all: ReadonlyArray<AnyModule>): ReadonlyArray<AnyEndpoint> => Object.values(AuthOf.make(all).endpoints)
const moduleOf = (parts: object) => Module.define({ name: "strict", settings, parts: () => parts }).build({})

const challenge = (errors: ReadonlyArray<ErrorClass>) =>
  moduleOf({
    challenge: {
      of: "every_sign_in",
      output: Schema.Struct({ closed: Schema.Boolean, ...Challenges.ChallengeFields }),
      errors,
      ask: () => closed,
    },
  })
const hook = (parts: object) => moduleOf({ hooks: [{ on: "*", ...parts }] })

/** Modules with one part that refuses, with these declared errors, and the endpoints that the part affects. */
const parts: Readonly<Record<string, readonly [(errors: ReadonlyArray<ErrorClass>) => AnyModule, (endpoint: AnyEndpoint) => boolean]>> = {
  "a gate": [(gateErrors) => moduleOf({ gates: [() => closed], gateErrors }), ({ passesGates }) => passesGates],
  "a challenge": [challenge, ({ signsIn }) => signsIn !== undefined],
  "a removal": [(removalErrors) => moduleOf({ beforeUserRemoval: [() => closed], removalErrors }), ({ removesUsers }) => removesUsers],
  "a hook before": [(errors) => hook({ errors, before: () => closed }), () => true],
  "a hook after": [(errors) => hook({ errors, after: () => closed }), () => true],
}

describe.each(Object.entries(parts))("the errors of %s", (_, [refusing, isAffected]) => {
  it("are errors of exactly the endpoints that it affects", () => {
    const own = new Map(endpointsOf(modules).map((endpoint) => [endpoint.name, codesOf(endpoint)]))
    const affected: Array<string> = []
    for (const endpoint of endpointsOf([...modules, refusing([Closed])])) {
      const added = codesOf(endpoint).filter((code) => own.get(endpoint.name)?.includes(code) === false)
      assert.deepStrictEqual(added, isAffected(endpoint) ? ["closed"] : [], endpoint.path)
      if (added.length > 0) affected.push(endpoint.path)
    }
    assert.isNotEmpty(affected)
  })
})

it("every sign-in passes the gates, and so do the endpoints that switch or continue one", () => {
  const gated = endpointsOf(modules).filter(({ passesGates }) => passesGates)
  const others = gated.filter(({ signsIn }) => signsIn === undefined).map(({ path }) => path)
  assert.sameMembers(others, ["/multi-session/set-active", "/2fa/totp/enrol", "/2fa/codes/send"])
  const signingIn = endpointsOf(modules).filter(({ signsIn }) => signsIn !== undefined)
  assert.isTrue(signingIn.every(({ passesGates }) => passesGates))
})

it("the endpoints that remove users declare sole_owner", () => {
  const removing = endpointsOf(modules).filter(({ removesUsers }) => removesUsers)
  assert.sameMembers(
    removing.map(({ path }) => path),
    ["/delete-user", "/admin/remove-user", "/admin/users/erase"],
  )
  for (const endpoint of removing) assert.include(codesOf(endpoint), "sole_owner", endpoint.path)
})

/** Every endpoint, reduced to a handler that succeeds: any caller with a session gets an answer. */
const reduced = (own: AnyModule, handler: AnyEndpoint["handler"]): AnyModule => ({
  ...own,
  endpoints: Object.fromEntries(
    Object.entries<AnyEndpoint>(own.endpoints).map(([name, endpoint]) => [
      name,
      {
        ...endpoint,
        access: endpoint.access === "public" ? "public" : "session",
        input: Schema.Unknown,
        guard: undefined,
        takesProofs: false,
        handler,
      },
    ]),
  ),
})
const succeeds = () => Effect.succeed(Endpoint.reply({}))

const strays: Readonly<Record<string, readonly [AnyEndpoint["handler"], ReadonlyArray<Hook<never>>]>> = {
  "its handler": [() => closed, []],
  "a hook before": [succeeds, [{ on: "*", before: () => closed }]],
  "a hook after": [succeeds, [{ on: "*", after: () => closed }]],
}

describe.each(Object.entries(strays))("an undeclared code of %s", (_, [handler, hooks]) => {
  it.effect("is a defect at every endpoint", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp("ada@example.com")
      const all = [...modules.map((own) => reduced(own, handler)), moduleOf({ hooks })]
      const service = AuthOf.make(all)
      const exits = yield* Effect.forEach(Object.values<AnyEndpoint>(service.endpoints), (endpoint) =>
        Effect.map(Effect.exit(browser(service, ada.jar).call(endpoint, {})), (exit) => [endpoint.path, exit] as const),
      )
      assert.isAbove(exits.length, 130)
      for (const [path, exit] of exits) assert.strictEqual(outcomeOf(exit), `${path} failed with an undeclared error`)
    }).pipe(Effect.provide(world(modules))),
  )
})

const outcomeOf = (exit: Exit.Exit<unknown, AuthError>) => {
  if (Exit.isSuccess(exit)) return "ok"
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure)) return failure.value._tag
  const defect = Cause.squash(exit.cause)
  return defect instanceof Error ? defect.message : String(defect)
}
