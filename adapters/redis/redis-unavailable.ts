import { Data } from "effect"

/** Redis cannot be reached, or refuses the login. */
export class RedisUnavailable extends Data.TaggedError("RedisUnavailable")<{ readonly cause: unknown }> {}
