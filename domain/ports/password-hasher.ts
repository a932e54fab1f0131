import type { Effect } from "effect"
import { Context } from "effect"
import type { Overloaded } from "../errors.ts"

/** What checking a password against a stored hash found. */
export interface Verdict {
  readonly correct: boolean
  /** The hash is of an older kind or cost: hash the password anew and store that. Only ever true when `correct`. */
  readonly outdated: boolean
}

/**
 * Turns passwords into hashes that are slow to guess. At most so many run at
 * once, so many wait; past that it fails with `Overloaded`.
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /** A hash in PHC format with its own salt. */
    hash(password: string): Effect.Effect<string, InstanceType<typeof Overloaded>>
    /** Without a hash, as much work is done for nothing, so that a miss costs what a hit costs. */
    verify(password: string, hash: string | null): Effect.Effect<Verdict, InstanceType<typeof Overloaded>>
  }
>()("sallyport/PasswordHasher") {}
