import { Context, type Effect } from "effect"
import type { Overloaded } from "../errors.ts"

/** The result of checking a password against a stored hash. */
export interface Verdict {
  readonly correct: boolean
  /** The hash has an older algorithm or cost: hash the password again and store the new hash. True only if `correct`. */
  readonly outdated: boolean
}

/**
 * Hashes passwords with a slow algorithm. The number of hashes that run and wait at
 * the same time is limited; above the limit it fails with `Overloaded`.
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /** A hash in PHC format with its own salt. */
    hash(password: string): Effect.Effect<string, InstanceType<typeof Overloaded>>
    /**
     * Checks a password against a stored hash. With null it does the same work, so that the response time does not reveal whether a user
     * exists.
     */
    verify(password: string, hash: string | null): Effect.Effect<Verdict, InstanceType<typeof Overloaded>>
  }
>()("sallyport/PasswordHasher") {}
