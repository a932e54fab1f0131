import { Array, Context, Effect, Schema } from "effect"
import { Authenticators } from "./Authenticators.ts"
import type { Asker } from "./Challenges.ts"
import { Challenges } from "./Challenges.ts"
import { Departures } from "./Departures.ts"
import type { AnyEndpoint } from "./Endpoint.ts"
import { Gates } from "./Gates.ts"
import type { AnyModule, Challenger } from "./Module.ts"
import type { Write } from "./ports/Store.ts"
import { removeAll } from "./ports/Store.ts"
import type { Authentication } from "./SignIn.ts"

// What modules have to say where others work: it reaches handlers as services, so that no module knows another.

export type Policies = Gates | Challenges | Authenticators | Departures

/** The say of all modules in one endpoint. */
export const policiesOf = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): Context.Context<Policies> =>
  Context.make(Gates, gatesOf(modules)).pipe(
    Context.add(Challenges, challengesOf(endpoint, modules)),
    Context.add(Authenticators, authenticatorsOf(modules)),
    Context.add(Departures, departuresOf(modules)),
  )

/** An endpoint that may ask for more says so in its output. */
export const withChallenges = (endpoint: AnyEndpoint, own: AnyModule, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  const { signsIn } = endpoint
  if (signsIn === undefined) return endpoint
  const asking = (signsIn === "challenge" ? behind(modules, own.name) : modules).flatMap(({ challenge }) => challenge ?? [])
  const outputs = asking.filter((challenge) => signsIn === "challenge" || asks(challenge, signsIn)).map(({ output }) => output)
  return outputs.length === 0 ? endpoint : { ...endpoint, output: Schema.Union([endpoint.output, ...outputs]) }
}

const behind = (modules: ReadonlyArray<AnyModule>, name: string) => modules.slice(modules.findIndex((module) => module.name === name) + 1)

/** Who has a session has been asked before. */
const asks = (challenge: Challenger<any>, authentication: Authentication) =>
  challenge.of === "everybody" ? authentication !== "session" : challenge.of === authentication

/** A gate's code is its module's own, as a hook's is: handlers pass it on without declaring it. */
const gatesOf = (modules: ReadonlyArray<AnyModule>): Gates["Service"] => {
  const gates = modules.flatMap((module) => module.gates)
  return { pass: (user) => Effect.forEach(gates, (gate) => gate(user), { discard: true }) as Effect.Effect<void, never> }
}

const challengesOf = ({ signsIn, path }: AnyEndpoint, modules: ReadonlyArray<AnyModule>): Challenges["Service"] => ({
  signsIn: signsIn === undefined ? Effect.die(new Error(`${path} signs in and does not say so`)) : Effect.succeed(signsIn),
  askers: (authentication, after) =>
    (after === undefined ? modules : behind(modules, after)).flatMap(({ name, challenge }) =>
      challenge !== undefined && asks(challenge, authentication) ? [{ name, ask: challenge.ask as Asker["ask"] }] : [],
    ),
})

const authenticatorsOf = (modules: ReadonlyArray<AnyModule>): Authenticators["Service"] => {
  const tables = modules.flatMap(({ authenticators }) => authenticators)
  return { removals: (user_id) => tables.map((table) => removeAll(table, { user_id })) }
}

const departuresOf = (modules: ReadonlyArray<AnyModule>): Departures["Service"] => {
  const departures = modules.flatMap((module) => module.departures)
  return {
    tables: modules.flatMap(({ tables }) => tables),
    writes: (user) => {
      const writes = Effect.forEach(departures, (departure) => departure(user))
      return Effect.map(writes, Array.flatten) as Effect.Effect<Array<Write>, never>
    },
  }
}
