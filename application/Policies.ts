import { Array, Context, Effect, Schema } from "effect"
import { Administrators } from "./Administrators.ts"
import { Authenticators } from "./Authenticators.ts"
import type { Asker } from "./Challenges.ts"
import { Challenges } from "./Challenges.ts"
import { ConfirmedAddresses } from "./ConfirmedAddresses.ts"
import { Departures } from "./Departures.ts"
import type { AnyEndpoint } from "./Endpoint.ts"
import { Factors } from "./Factors.ts"
import { Gates } from "./Gates.ts"
import type { AnyModule, Challenger } from "./Module.ts"
import type { Write } from "./ports/Store.ts"
import { type Reclaim, Reclaims } from "./Reclaims.ts"
import { Replacement } from "./Replacement.ts"
import type { Authentication } from "./SignIn.ts"

// What modules have to say where others work: it reaches handlers as services, so that no module knows another.

export type Policies =
  | Gates
  | Challenges
  | Authenticators
  | Reclaims
  | Departures
  | Replacement
  | ConfirmedAddresses
  | Factors
  | Administrators

/** The say of all modules in one endpoint. */
export const policiesOf = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): Context.Context<Policies> =>
  Context.make(Gates, gatesOf(modules)).pipe(
    Context.add(Challenges, challengesOf(endpoint, modules)),
    Context.add(Authenticators, authenticatorsOf(modules)),
    Context.add(Reclaims, reclaimsOf(modules)),
    Context.add(Departures, departuresOf(modules)),
    Context.add(Replacement, replacementOf(modules)),
    Context.add(ConfirmedAddresses, confirmedAddressesOf(modules)),
    Context.add(Factors, factorsOf(modules)),
    Context.add(Administrators, administratorsOf(modules)),
  )

/** An endpoint that may ask for more says so in its output. */
export const withChallenges = (endpoint: AnyEndpoint, own: AnyModule, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  const { signsIn } = endpoint
  if (signsIn === undefined) return endpoint
  const asking = (signsIn === "challenge" ? behind(modules, own.name) : modules).flatMap(({ challenge }) => challenge ?? [])
  const outputs = asking.filter((challenge) => signsIn === "challenge" || mayAsk(challenge, signsIn)).map(({ output }) => output)
  return outputs.length === 0 ? endpoint : { ...endpoint, output: Schema.Union([endpoint.output, ...outputs]) }
}

const stepUpsOf = (modules: ReadonlyArray<AnyModule>) =>
  Object.assign({}, ...modules.map(({ stepUps }) => stepUps)) as Factors["Service"]["stepUps"]

/** An endpoint that takes the proofs of modules has a member for each of them. */
export const withProofs = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  if (!endpoint.takesProofs) return endpoint
  const stepUps = Object.entries(stepUpsOf(modules))
  const members = Object.fromEntries(stepUps.map(([member, { input }]) => [member, Schema.optionalKey(input)]))
  return { ...endpoint, input: Schema.Struct(members), errors: [...endpoint.errors, ...stepUps.flatMap(([, { errors }]) => errors)] }
}

const factorsOf = (modules: ReadonlyArray<AnyModule>): Factors["Service"] => {
  const factors = modules.flatMap(({ factor }) => factor ?? [])
  return {
    stepUps: stepUpsOf(modules),
    heldBy: (userId) =>
      Effect.map(
        Effect.filter(factors, ({ isHeldBy }) => isHeldBy(userId)),
        (held) => ({ any: held.length > 0, second: held.some(({ second }) => second) }),
      ) as ReturnType<Factors["Service"]["heldBy"]>,
  }
}

const administratorsOf = (modules: ReadonlyArray<AnyModule>): Administrators["Service"] => {
  const predicates = modules.flatMap(({ isAdministrator }) => isAdministrator ?? [])
  return {
    includes: (user) =>
      Effect.map(
        Effect.filter(predicates, (isAdministrator) => isAdministrator(user)),
        (met) => met.length > 0,
      ) as Effect.Effect<boolean>,
  }
}

const behind = (modules: ReadonlyArray<AnyModule>, name: string) => modules.slice(modules.findIndex((module) => module.name === name) + 1)

/** Who has a session has been asked before. */
const asks = (challenge: Challenger<any>, authentication: Authentication) =>
  challenge.of === "everybody" ? authentication !== "session" : challenge.of === authentication

/** The first sign-in of a provider's account counts as one factor (`Issuing.ts`). */
const mayAsk = (challenge: Challenger<any>, authentication: Authentication) =>
  asks(challenge, authentication) || (authentication === "federated" && asks(challenge, "single_factor"))

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
  const kinds = new Map(modules.flatMap(({ accountKinds }) => accountKinds).map((kind) => [kind.provider_id, kind]))
  return {
    tables: modules.flatMap(({ authenticators }) => authenticators),
    accountLabel: (provider_id) => kinds.get(provider_id)?.label ?? `account at ${provider_id}`,
    isFactor: (provider_id) => kinds.get(provider_id)?.isFactor === true,
  }
}

const reclaimsOf = (modules: ReadonlyArray<AnyModule>): Reclaims["Service"] => {
  const reclaims = modules.flatMap((module) => module.reclaims)
  const joined = (each: ReadonlyArray<Reclaim>): Reclaim => ({
    writes: each.flatMap(({ writes }) => writes),
    kept: each.flatMap(({ kept }) => kept),
  })
  return {
    of: (user) => {
      const each = Effect.forEach(reclaims, (reclaim) => reclaim(user))
      return Effect.map(each, joined) as Effect.Effect<Reclaim>
    },
  }
}

const confirmedAddressesOf = (modules: ReadonlyArray<AnyModule>): ConfirmedAddresses["Service"] => {
  const addresses = new Set(modules.flatMap((module) => module.confirmedAddresses))
  return { includes: (email) => addresses.has(email) }
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

const replacementOf = (modules: ReadonlyArray<AnyModule>): Replacement["Service"] => {
  const keepers = modules.flatMap((module) => module.keepers)
  return {
    keeps: Effect.fnUntraced(function* (credential) {
      for (const keeps of keepers) if (yield* keeps(credential) as Effect.Effect<boolean>) return true
      return false
    }),
  }
}
