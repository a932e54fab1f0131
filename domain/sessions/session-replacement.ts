import type { Effect } from "effect"
import { Context } from "effect"

/** Whether a sign-in ends the session of the same user that its request carries (OWASP ASVS 5.0, 7.2.4). `Auth.call` provides it. */
export class Replacement extends Context.Service<
  Replacement,
  {
    /** Whether a module keeps the session of this credential beside the new one. */
    keeps(credential: string): Effect.Effect<boolean>
  }
>()("sallyport/Replacement") {}
