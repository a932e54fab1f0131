import { Effect, Schema } from "effect"
import { ImpersonationRefused, Unauthorized } from "../../domain/errors.ts"
import { joinRules, type ModuleChallenge, type Operation, type Outcome, type Policies } from "../../domain/policies.ts"
import { Impersonations } from "../../domain/sessions/impersonation.ts"
import type { Authentication } from "../../domain/sessions/sign-in.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import { type AnyEndpoint, classOf } from "./endpoint.ts"
import type { AnyModule, Hook } from "./module.ts"

// Handlers get the rules of all modules as one service, so that no module imports another.

type Rules = Policies["Service"]

/** The rules of all modules for one endpoint. */
export const policiesOf = (endpoint: Operation, modules: ReadonlyArray<AnyModule>): Rules => ({
  endpoint,
  ...joinRules(modules),
  ...challengesOf(endpoint, modules),
})

const challengesOf = ({ signsIn, path }: Operation, modules: ReadonlyArray<AnyModule>): Pick<Rules, "signsIn" | "challengesFor"> => ({
  signsIn: signsIn === undefined ? Effect.die(new Error(`${path} signs users in without declaring signsIn`)) : Effect.succeed(signsIn),
  challengesFor: (authentication, answeredModule) =>
    asking(modules, answeredModule).flatMap(({ name, challenge }): ReadonlyArray<ModuleChallenge> => {
      if (challenge === undefined || !asks(challenge, authentication)) return []
      const { ask, answeredBy } = challenge
      return [{ name, ask: ask as ModuleChallenge["ask"], ...(answeredBy === undefined ? {} : { answeredBy }) }]
    }),
})

/** The modules that can challenge a sign-in after the answer to a challenge of this module, in their order. */
const asking = (modules: ReadonlyArray<AnyModule>, answeredModule: string | undefined) => {
  const isLast = ({ challenge }: AnyModule) => challenge?.isLast === true
  const [last, others] = [modules.filter(isLast), modules.filter((module) => !isLast(module))]
  if (answeredModule === undefined) return [...others, ...last]
  return last.some(({ name }) => name === answeredModule) ? last : [...modulesAfter(others, answeredModule), ...last]
}

/** Passes an outcome to every observing module. A failure or defect of one is logged and reaches neither the others nor the caller. */
export const observerOf = (modules: ReadonlyArray<AnyModule>) => {
  const observers = modules.flatMap(({ name, observe }) => (observe === undefined ? [] : [{ name, observe }]))
  if (observers.length === 0) return undefined
  return (outcome: Outcome): Effect.Effect<void> =>
    Effect.forEach(
      observers,
      ({ name, observe }) =>
        Effect.suspend(() => observe(outcome)).pipe(
          Effect.catchCause((cause) => Effect.logError(`The module ${name} failed to observe ${outcome.endpoint.path}.`, cause)),
        ) as Effect.Effect<void>,
      { discard: true },
    )
}

/** Adds the possible challenges to the output of an endpoint. */
export const withChallenges = (endpoint: AnyEndpoint, own: AnyModule, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  const { signsIn } = endpoint
  if (signsIn === undefined) return endpoint
  const challenges = asking(modules, signsIn === "challenge" ? own.name : undefined).flatMap(({ challenge }) => challenge ?? [])
  const outputs = challenges.filter((challenge) => signsIn === "challenge" || mayAsk(challenge, signsIn)).map(({ output }) => output)
  return outputs.length === 0 ? endpoint : { ...endpoint, output: Schema.Union([endpoint.output, ...outputs]) }
}

/** Adds a member for each module's proof to the input of an endpoint that accepts proofs. */
export const withProofs = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  if (!endpoint.takesProofs) return endpoint
  const stepUps = Object.entries(joinRules(modules).stepUps)
  const members = Object.fromEntries(stepUps.map(([member, { input }]) => [member, Schema.optionalKey(input)]))
  return { ...endpoint, input: Schema.Struct(members), errors: [...endpoint.errors, ...stepUps.flatMap(([, { errors }]) => errors)] }
}

/**
 * Adds the codes that the parts of all modules can make an endpoint fail with. What no module declares is a defect (`auth.ts`), so the list
 * is complete for the API descriptions and for the types of clients.
 */
export const withPartErrors = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  const { access, errors, guard, impersonation, passesGates, path, protocol, removesUsers, signsIn } = endpoint
  const refusesImpersonated = impersonation !== "read" && protocol?.anyOrigin !== true && modules.some(impersonates)
  const ofParts = modules.flatMap(({ challenge, gateErrors, hooks, removalErrors }) => [
    ...(passesGates ? gateErrors : []),
    ...(signsIn === undefined ? [] : (challenge?.errors ?? [])),
    ...(removesUsers ? removalErrors : []),
    ...hooks.filter((hook) => isFor(hook, path)).flatMap((hook) => hook.errors ?? []),
  ])
  const implied = [
    ...(guard?.errors ?? []),
    ...(access === "public" ? [] : [Unauthorized]),
    ...(refusesImpersonated ? [ImpersonationRefused] : []),
    ...ofParts,
  ]
  const known = new Set(errors.map((declared) => classOf(declared).code))
  const added = new Map(implied.map((declared) => [classOf(declared).code, declared] as const).filter(([code]) => !known.has(code)))
  return added.size === 0 ? endpoint : { ...endpoint, errors: [...errors, ...added.values()] }
}

const impersonates = ({ tables }: AnyModule) => tables.includes(Impersonations)

/** Whether a hook applies to the endpoint at this path. */
export const isFor = ({ on }: Hook<any>, path: string): boolean => on === "*" || on.some((each) => each === path)

const modulesAfter = (modules: ReadonlyArray<AnyModule>, name: string) =>
  modules.slice(modules.findIndex((module) => module.name === name) + 1)

/** Whether a challenge applies to an authentication. `session` means that the user was challenged when that session began. */
const asks = (challenge: Challenger<any>, authentication: Authentication) =>
  challenge.of === "every_sign_in" ? authentication !== "session" : challenge.of === authentication

/** The first sign-in of a provider's account counts as one factor (`issuing.ts`). */
const mayAsk = (challenge: Challenger<any>, authentication: Authentication) =>
  asks(challenge, authentication) || (authentication === "federated" && asks(challenge, "single_factor"))
