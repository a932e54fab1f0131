import { Duration, Effect, Exit, Metric } from "effect"
import { RateLimiter } from "effect/persistence"
import type { AuthError } from "../domain/Errors.ts"
import { RateLimited } from "../domain/Errors.ts"
import { tokenHash } from "./Keys.ts"
import { Settings } from "./Settings.ts"

const letThrough = Metric.counter("sallyport_rate_limit_store_failures_total", {
  description: "Requests that were let through because the limiter's store did not answer.",
})

/** What is left of a budget after a try. */
export type Consumed = Pick<RateLimiter.ConsumeResult, "limit" | "remaining" | "resetAfter">

type Budget = "requests" | "sign_in" | "messages" | "invitations"

/** Takes `tokens` from somebody's budget; fails with `rate_limited` when it is used up. When the counters cannot be reached, nobody is kept out. */
export const consume = Effect.fnUntraced(function* (budget: Budget, who: string, tokens = 1) {
  const { rate_limit } = yield* Settings
  if (!rate_limit.enabled) return null

  const { limit, window } = rate_limit[budget]
  const limiter = yield* RateLimiter.RateLimiter
  const key = `${budget}:${yield* tokenHash("rate_limit", who)}`
  return yield* limiter.consume({ key, limit, window: Duration.seconds(window), tokens }).pipe(
    Effect.catch(({ reason }) => (reason._tag === "RateLimitExceeded" ? Effect.fail(refusal(reason.retryAfter)) : failOpen)),
    Effect.catchDefect(() => failOpen),
  )
})

/** Whether one more message to somebody is within their budget, for messages that a request can do without. */
export const mayMessage = (who: string) =>
  consume("messages", who).pipe(
    Effect.as(true),
    Effect.catchTag("rate_limited", () => Effect.succeed(false)),
  )

const refusal = (retryAfter: Duration.Duration) => new RateLimited({ retryAfter: Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))) })

const failOpen = Effect.logError("The counters of the rate limiter cannot be reached; requests are let through.").pipe(
  Effect.andThen(Metric.update(letThrough, 1)),
  Effect.as(null),
)

/** Runs one try to sign in as somebody. Only refused tries are counted, but the place is taken before, so that many at once are no way around. */
export const signInTry =
  (identifier: string) =>
  <A, E extends AuthError, R>(attempt: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      consume("sign_in", identifier),
      Effect.onExit(attempt, (exit) => (isRefusal(exit) ? Effect.void : Effect.ignore(consume("sign_in", identifier, -1)))),
    )

const isRefusal = (exit: Exit.Exit<unknown, AuthError>) =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error.status < 500)
