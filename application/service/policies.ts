import { Array, Effect, Option, Schema } from "effect"
import { Unauthorized } from "../../domain/errors.ts"
import type { ModuleChallenge, Operation, Outcome, Policies, Reclaim, SessionAdditions } from "../../domain/policies.ts"
import type { Write } from "../../domain/ports/store.ts"
import { phrase } from "../../domain/ports/texts.ts"
import type { Authentication } from "../../domain/sessions/sign-in.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import { type AnyEndpoint, classOf } from "./endpoint.ts"
import type { AnyModule, Hook } from "./module.ts"

// Handlers get the rules of all modules as one service, so that no module imports another.

type Rules = Policies["Service"]

/** The rules of all modules for one endpoint. The requirements of the parts are `any` here; `Auth.make` declares them. */
export const policiesOf = (endpoint: Operation, modules: ReadonlyArray<AnyModule>): Rules => {
  const gates = modules.flatMap((module) => module.gates)
  const kinds = new Map(modules.flatMap(({ accountKinds }) => accountKinds).map((kind) => [kind.provider_id, kind]))
  const confirmedAddresses = new Set(modules.flatMap((module) => module.confirmedAddresses))
  const factors = modules.flatMap(({ factor }) => factor ?? [])
  const waivers = modules.flatMap(({ challengeWaivers }) => challengeWaivers)
  const passwordRules = modules.flatMap(({ passwordRules }) => passwordRules)
  return {
    endpoint,
    passGates: (user) => Effect.forEach(gates, (gate) => gate(user), { discard: true }) as ReturnType<Rules["passGates"]>,
    ...challengesOf(endpoint, modules),
    isWaived: Effect.fnUntraced(function* isChallengeWaived(of, user, challenge, signIn) {
      for (const { waives } of waivers.filter((waiver) => waiver.of === of))
        if (yield* waives(user, challenge, signIn) as Effect.Effect<boolean>) return true
      return false
    }),
    passwordFault: Effect.fnUntraced(function* firstPasswordFault(password, user) {
      for (const rule of passwordRules) {
        const fault = yield* rule(password, user) as ReturnType<Rules["passwordFault"]>
        if (Option.isSome(fault)) return fault
      }
      return Option.none()
    }),
    passwordChanged: (user) => flattened(modules, (module) => module.passwordChanged(user)) as ReturnType<Rules["passwordChanged"]>,
    secondFactorRemoved: (user) =>
      flattened(modules, (module) => module.secondFactorRemoved(user)) as ReturnType<Rules["secondFactorRemoved"]>,
    sessionsRevoked: (user) => flattened(modules, (module) => module.sessionsRevoked(user)) as ReturnType<Rules["sessionsRevoked"]>,
    sessionEnded: (user_id) => flattened(modules, (module) => module.sessionEnded(user_id)) as ReturnType<Rules["sessionEnded"]>,
    userClaims: (requested) =>
      Effect.map(
        Effect.forEach(modules, ({ userClaims }) => userClaims(requested)),
        (each) => Object.assign({}, ...each),
      ) as ReturnType<Rules["userClaims"]>,
    sessionOpened: (opened) =>
      Effect.map(
        Effect.forEach(modules, (module) => module.sessionOpened(opened)),
        additions,
      ) as Effect.Effect<Required<SessionAdditions>>,
    identityProved: (session) => flattened(modules, (module) => module.identityProved(session)) as ReturnType<Rules["identityProved"]>,
    keepsSession: anyOf(modules.flatMap(({ keepers }) => keepers)),
    authenticators: modules.flatMap(({ authenticators }) => authenticators),
    accountLabel: (provider_id) => kinds.get(provider_id)?.label ?? phrase("mail.credential.provider", { provider: provider_id }),
    isFactorAccount: (provider_id) => kinds.get(provider_id)?.isFactor === true,
    reclaim: (user) =>
      Effect.map(
        Effect.forEach(
          modules.flatMap(({ reclaims }) => reclaims),
          (reclaim) => reclaim(user),
        ),
        joined,
      ) as Effect.Effect<Reclaim>,
    isConfirmedAddress: (email) => confirmedAddresses.has(email),
    factorsHeldBy: (userId) =>
      Effect.map(
        Effect.filter(factors, ({ isHeldBy }) => isHeldBy(userId)),
        (factors) => ({ any: factors.length > 0, second: factors.some(({ second }) => second) }),
      ) as ReturnType<Rules["factorsHeldBy"]>,
    administratorsNeedFactor: modules.some(({ administratorsNeedFactor }) => administratorsNeedFactor),
    stepUps: stepUpsOf(modules),
    isAdministrator: anyOf(modules.map(({ isAdministrator }) => isAdministrator)),
    tables: modules.flatMap(({ tables }) => tables),
    beforeUserRemoval: (user) =>
      flattened(
        modules.flatMap(({ beforeUserRemoval }) => beforeUserRemoval),
        (hook) => hook(user),
      ) as ReturnType<Rules["beforeUserRemoval"]>,
  }
}

/** All writes of these parts, in the order of the parts. */
const flattened = <A, E, R>(
  all: ReadonlyArray<A>,
  writes: (each: A) => Effect.Effect<ReadonlyArray<Write>, E, R>,
): Effect.Effect<ReadonlyArray<Write>, E, R> => Effect.map(Effect.forEach(all, writes), Array.flatten)

/** Whether one of these predicates is true; stops at the first that is. */
const anyOf = <A>(predicates: ReadonlyArray<(value: A) => Effect.Effect<boolean, never, any>>) =>
  Effect.fnUntraced(function* anyPredicateHolds(value: A) {
    for (const holds of predicates) if (yield* holds(value) as Effect.Effect<boolean>) return true
    return false
  })

const joined = (each: ReadonlyArray<Reclaim>): Reclaim => ({
  writes: each.flatMap(({ writes }) => writes),
  kept: each.flatMap(({ kept }) => kept),
})

const additions = (each: ReadonlyArray<SessionAdditions>): Required<SessionAdditions> => ({
  writes: each.flatMap(({ writes }) => writes),
  cookies: each.flatMap(({ cookies = [] }) => cookies),
})

const challengesOf = ({ signsIn, path }: Operation, modules: ReadonlyArray<AnyModule>): Pick<Rules, "signsIn" | "challengesFor"> => ({
  signsIn: signsIn === undefined ? Effect.die(new Error(`${path} signs users in without declaring signsIn`)) : Effect.succeed(signsIn),
  challengesFor: (authentication, answeredModule) =>
    (answeredModule === undefined ? modules : modulesAfter(modules, answeredModule)).flatMap(({ name, challenge }) =>
      challenge !== undefined && asks(challenge, authentication) ? [{ name, ask: challenge.ask as ModuleChallenge["ask"] }] : [],
    ),
})

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
  const asking = (signsIn === "challenge" ? modulesAfter(modules, own.name) : modules).flatMap(({ challenge }) => challenge ?? [])
  const outputs = asking.filter((challenge) => signsIn === "challenge" || mayAsk(challenge, signsIn)).map(({ output }) => output)
  return outputs.length === 0 ? endpoint : { ...endpoint, output: Schema.Union([endpoint.output, ...outputs]) }
}

/** Adds a member for each module's proof to the input of an endpoint that accepts proofs. */
export const withProofs = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  if (!endpoint.takesProofs) return endpoint
  const stepUps = Object.entries(stepUpsOf(modules))
  const members = Object.fromEntries(stepUps.map(([member, { input }]) => [member, Schema.optionalKey(input)]))
  return { ...endpoint, input: Schema.Struct(members), errors: [...endpoint.errors, ...stepUps.flatMap(([, { errors }]) => errors)] }
}

/**
 * Adds the codes that the parts of all modules can make an endpoint fail with. What no module declares is a defect (`auth.ts`), so the list
 * is complete for the API descriptions and for the types of clients.
 */
export const withPartErrors = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>): AnyEndpoint => {
  const { access, errors, guard, passesGates, path, removesUsers, signsIn } = endpoint
  const ofParts = modules.flatMap(({ challenge, gateErrors, hooks, removalErrors }) => [
    ...(passesGates ? gateErrors : []),
    ...(signsIn === undefined ? [] : (challenge?.errors ?? [])),
    ...(removesUsers ? removalErrors : []),
    ...hooks.filter((hook) => isFor(hook, path)).flatMap((hook) => hook.errors ?? []),
  ])
  const implied = [...(guard?.errors ?? []), ...(access === "session" ? [Unauthorized] : []), ...ofParts]
  const known = new Set(errors.map((declared) => classOf(declared).code))
  const added = new Map(implied.map((declared) => [classOf(declared).code, declared] as const).filter(([code]) => !known.has(code)))
  return added.size === 0 ? endpoint : { ...endpoint, errors: [...errors, ...added.values()] }
}

/** Whether a hook applies to the endpoint at this path. */
export const isFor = ({ on }: Hook<any>, path: string): boolean => on === "*" || on.some((each) => each === path)

const stepUpsOf = (modules: ReadonlyArray<AnyModule>) => Object.assign({}, ...modules.map(({ stepUps }) => stepUps)) as Rules["stepUps"]

const modulesAfter = (modules: ReadonlyArray<AnyModule>, name: string) =>
  modules.slice(modules.findIndex((module) => module.name === name) + 1)

/** Whether a challenge applies to an authentication. `session` means that the user was challenged when that session began. */
const asks = (challenge: Challenger<any>, authentication: Authentication) =>
  challenge.of === "every_sign_in" ? authentication !== "session" : challenge.of === authentication

/** The first sign-in of a provider's account counts as one factor (`issuing.ts`). */
const mayAsk = (challenge: Challenger<any>, authentication: Authentication) =>
  asks(challenge, authentication) || (authentication === "federated" && asks(challenge, "single_factor"))
