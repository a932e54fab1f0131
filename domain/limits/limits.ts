import { Context, DateTime, Duration, Effect, Exit, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { type AuthError, RateLimited } from "../errors.ts"
import { Policies } from "../policies.ts"
import { Caller, CurrentSession } from "../sessions/caller.ts"
import { verifiedTokenHash } from "../sessions/session-token.ts"
import { noteName } from "../sessions/subject.ts"
import { Settings, type SettingsValue } from "../settings.ts"
import { logRepeated } from "../storage/repeated-log.ts"
import { tokenHash } from "../tokens/keys.ts"
import type { SignInName } from "../users/sign-in-name.ts"
import { isLocal } from "../values/url.ts"
import { requestNetwork, signInNetwork } from "./client-network.ts"
import { knownDevice } from "./known-device.ts"

/** What is left of a budget after a request. */
export type Consumed = Pick<RateLimiter.ConsumeResult, "limit" | "remaining" | "resetAfter">

export type Budget = Exclude<keyof SettingsValue["rate_limit"], "enabled" | "store">

/** A budget with a name and values of its own. */
interface OwnBudget {
  readonly name: string
  readonly limit: number
  /** Seconds. */
  readonly window: number
}

/**
 * Takes tokens from the budget of an owner; fails with `rate_limited` when the budget is used up. If the limiter's store does not answer,
 * the request is allowed.
 */
export const consume = Effect.fnUntraced(function* consumeLimit(budget: Budget | OwnBudget, owner: string, tokens = 1, times = 1) {
  const { rate_limit } = yield* Settings
  if (!rate_limit.enabled) return null

  const { name, window, ...one } = typeof budget === "string" ? { name: budget, ...rate_limit[budget] } : budget
  const limit = one.limit * times
  const limiter = yield* RateLimiter.RateLimiter
  const key = `${name}:${yield* tokenHash("rate_limit", owner)}`
  return yield* limiter.consume({ key, limit, window: Duration.seconds(window), tokens: Math.min(tokens, limit) }).pipe(
    Effect.catch(({ reason }) => (reason._tag === "RateLimitExceeded" ? Effect.fail(refusal(limit, reason.retryAfter)) : failOpen)),
    Effect.catchDefect(() => failOpen),
  )
})

const refusal = (limit: number, retryAfter: Duration.Duration) =>
  new RateLimited({ limit, retryAfter: Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))) })

const failOpen = Effect.as(
  logRepeated("The counters of the rate limiter cannot be reached; requests are allowed without being counted."),
  null,
)

/** How much larger the budget is that all clients without a known address share. */
const unknownClients = 10

/**
 * Counts what a client network can use up. All clients whose address the server did not pass on share one larger budget, so only what costs
 * the service something may use this: otherwise one visitor could lock out all others.
 */
export const consumeNetwork = Effect.fnUntraced(function* consumeNetwork(budget: Budget | OwnBudget) {
  const { ip_address } = yield* Caller
  if (ip_address !== null) return yield* consume(budget, requestNetwork(ip_address))
  yield* warnOnce
  return yield* consume(budget, requestNetwork(null), 1, unknownClients)
})

/**
 * Counts a call against a budget of the endpoint's module: `limit` calls of one client network in `window` seconds. Fails with
 * `rate_limited`.
 */
export const countByNetwork = Effect.fnUntraced(function* countByNetwork(name: string, budget: Omit<OwnBudget, "name">) {
  const { module } = (yield* Policies).endpoint
  yield* consumeNetwork({ ...budget, name: `module/${encodeURIComponent(module)}/${name}` })
})

/** Counts a new user of a client without a known address: its request was not counted. */
export const countNewcomer = Effect.gen(function* countNewcomer() {
  if ((yield* Caller).ip_address === null) yield* consumeNetwork("requests")
})

const Warned = Context.Reference<{ isDone: boolean }>("sallyport/AddressMissing", { defaultValue: () => ({ isDone: false }) })

const warnOnce = Effect.gen(function* warnOnce() {
  const warned = yield* Warned
  if (warned.isDone || isLocal(new URL((yield* Settings).public_url))) return
  warned.isDone = true
  yield* Effect.annotateLogs(
    Effect.logWarning(
      "Requests have no client address, so their clients share one budget: pass `address` to the service, or set `client_address`.",
    ),
    { type: "address.missing" },
  )
})

/** The client that this request was counted against; null if it was counted against its session or its address. */
export const CountedClient = Context.Reference<string | null>("sallyport/CountedClient", { defaultValue: () => null })

/**
 * Counts a request against its client, its session or its address. `client` is a client whose secret or token was verified. The signature of a
 * session's credential is verified without the store: without this check a caller could invent a new budget for each request. A request
 * with a large body counts as several requests. A request without an address is not counted.
 */
export const countRequest = Effect.fnUntraced(function* countRequest(
  { credential, ip_address }: Pick<Caller["Service"], "credential" | "ip_address">,
  client: string | null = null,
  requests = 1,
) {
  if (!(yield* Settings).rate_limit.enabled) return null
  if (client !== null) return yield* consume("client_requests", client, requests)
  const session = credential === null ? null : yield* verifiedTokenHash(credential)
  if (session !== null) return yield* consume("session_requests", session, requests)
  return ip_address === null ? null : yield* consume("requests", requestNetwork(ip_address), requests)
})

type Share = readonly [budget: Budget, owner: string]

/**
 * Runs an attempt if all of these budgets have room. One token of each budget is taken before the attempt, so that concurrent attempts
 * cannot exceed the budget; it is given back unless the attempt was a wrong guess.
 */
const within = <A, E extends AuthError, R>(
  [share, ...rest]: ReadonlyArray<Share>,
  attempt: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | RateLimitedError, R | Effect.Services<ReturnType<typeof consume>>> => {
  if (share === undefined) return attempt
  return Effect.andThen(
    consume(...share),
    Effect.onExit(within(rest, attempt), (exit) => (isWrongGuess(exit) ? Effect.void : Effect.ignore(consume(...share, -1)))),
  )
}

type RateLimitedError = InstanceType<typeof RateLimited>

/**
 * Whether the attempt failed because of a wrong password or code. Refusals by another budget, faults of the service, and 403, which refuses
 * a user after a correct proof (`banned`), do not count.
 */
const isWrongGuess = (exit: Exit.Exit<unknown, AuthError>) =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => reason._tag === "Fail" && isGuess(reason.error))

const isGuess = ({ status, _tag }: AuthError) => status < 500 && status !== 403 && _tag !== "rate_limited"

/**
 * The two budgets of a sign-in. A browser that this user signed in with before has its own budget and shares the total of all such
 * browsers. Any other browser shares the budget of its network and the total of all networks. Without the total of browsers, each device
 * cookie that an attacker collects would give more guesses.
 */
const signInShares = Effect.fnUntraced(function* signInShares(identifier: string, owner: Option.Option<string>) {
  const user_id = Option.getOrElse(owner, () => "")
  const device = yield* knownDevice(user_id)
  if (Option.isSome(device)) {
    return [
      ["sign_in", `device ${device.value}`],
      ["sign_in_total", `devices ${user_id}`],
    ] satisfies ReadonlyArray<Share>
  }
  const { ip_address } = yield* Caller
  const total = ["sign_in_total", identifier] as const
  return ip_address === null ? [total] : ([["sign_in", `${identifier} ${signInNetwork(ip_address)}`], total] satisfies ReadonlyArray<Share>)
})

const countedSignIn =
  <R0>(typed: SignInName<R0>, identifierOf: (owner: Option.Option<string>) => string) =>
  <A, E extends AuthError, R>(attempt: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* noteName(typed)
      if (!(yield* Settings).rate_limit.enabled) return yield* attempt
      const user_id = yield* typed.owner
      return yield* within(yield* signInShares(identifierOf(user_id), user_id), attempt)
    })

/** Runs an attempt to sign in with a code of one kind, and counts wrong codes. */
export const countedCode = <R>(kind: string, typed: SignInName<R>) => countedSignIn(typed, () => `${kind} ${typed.name}`)

/**
 * Runs an attempt to sign in with a password, and counts wrong passwords. All names of one user share one budget. A name without a user has
 * a budget for each kind of name: otherwise an address typed as a username would reveal whether a user has that address.
 */
export const countedPassword = <R>(typed: SignInName<R>) =>
  countedSignIn(typed, Option.match({ onNone: () => `password ${typed.kind} ${typed.name}`, onSome: (id) => `password user ${id}` }))

/**
 * Runs an attempt of a signed-in user to prove who they are. Wrong passwords and codes are counted for the sign-in that the session began
 * with. Callers without the session cannot use up this budget, and a session that a one-time token opened shares the budget of the session
 * that it was copied from.
 */
export const countedProof = <A, E extends AuthError, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentSession, ({ user, session }) =>
    within([["proofs", `${user.id} ${DateTime.formatIso(session.authenticated_at)}`]], attempt),
  )

/** Runs an attempt of a signed-in user to enter a code of one kind, and counts wrong codes for the user, over all sessions. */
export const countedEntry =
  (kind: string) =>
  <A, E extends AuthError, R>(attempt: Effect.Effect<A, E, R>) =>
    Effect.flatMap(CurrentSession, ({ user }) => within([["proofs", `${kind} ${user.id}`]], attempt))
