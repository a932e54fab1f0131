import { Array, Context, Effect, Schema } from "effect"
import type { Write } from "../../domain/ports/store.ts"
import { Replacement } from "../../domain/sessions/session-replacement.ts"
import { Authenticators } from "../../domain/sign-in/authenticators.ts"
import type { Challenger, ModuleChallenge } from "../../domain/sign-in/challenges.ts"
import { Challenges } from "../../domain/sign-in/challenges.ts"
import { ConfirmedAddresses } from "../../domain/sign-in/confirmed-addresses.ts"
import { Factors } from "../../domain/sign-in/factors.ts"
import { Gates } from "../../domain/sign-in/gates.ts"
import { type Reclaim, Reclaims } from "../../domain/sign-in/reclaims.ts"
import type { Authentication } from "../../domain/sign-in/sign-in.ts"
import { Administrators } from "../../domain/users/administrators.ts"
import { BeforeUserRemoval } from "../../domain/users/before-user-removal.ts"
import type { AnyEndpoint } from "./endpoint.ts"
import type { AnyModule } from "./module.ts"

// What modules have to say where others work: it reaches handlers as services, so that no module knows another.

export type Policies =
  | Gates
  | Challenges
  | Authenticators
  | Reclaims
  | BeforeUserRemoval
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
    Context.add(BeforeUserRemoval, departuresOf(modules)),
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
    requiredOfAdministrators: modules.some(({ administratorsNeedFactor }) => administratorsNeedFactor),
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

/** The first sign-in of a provider's account counts as one factor (`issuing.ts`). */
const mayAsk = (challenge: Challenger<any>, authentication: Authentication) =>
  asks(challenge, authentication) || (authentication === "federated" && asks(challenge, "single_factor"))

/** A gate's code is its module's own, as a hook's is: handlers pass it on without declaring it. */
const gatesOf = (modules: ReadonlyArray<AnyModule>): Gates["Service"] => {
  const gates = modules.flatMap((module) => module.gates)
  return { pass: (user) => Effect.forEach(gates, (gate) => gate(user), { discard: true }) as Effect.Effect<void, never> }
}

const challengesOf = ({ signsIn, path }: AnyEndpoint, modules: ReadonlyArray<AnyModule>): Challenges["Service"] => ({
  signsIn: signsIn === undefined ? Effect.die(new Error(`${path} signs in and does not say so`)) : Effect.succeed(signsIn),
  challengesFor: (authentication, after) =>
    (after === undefined ? modules : behind(modules, after)).flatMap(({ name, challenge }) =>
      challenge !== undefined && asks(challenge, authentication) ? [{ name, ask: challenge.ask as ModuleChallenge["ask"] }] : [],
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

const departuresOf = (modules: ReadonlyArray<AnyModule>): BeforeUserRemoval["Service"] => {
  const beforeUserRemoval = modules.flatMap((module) => module.beforeUserRemoval)
  return {
    tables: modules.flatMap(({ tables }) => tables),
    writes: (user) => {
      const writes = Effect.forEach(beforeUserRemoval, (departure) => departure(user))
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
