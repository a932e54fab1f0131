import { Data } from "effect"

/** Redis cannot be reached, or refuses the login. */
export class RedisUnavailable extends Data.TaggedError("RedisUnavailable")<{
  readonly cause: unknown
  /** Whether waiting does not help, such as for a wrong password: a start then fails at once. */
  readonly isFinal: boolean
  /** Why, and what to change: of the error with which a start rejects. */
  readonly message?: string
}> {}
