import { Context, Effect, Layer } from "effect"

/** Passwords that are known from published data breaches. */
export class BreachedPasswords extends Context.Service<
  BreachedPasswords,
  {
    /** Whether a password was published. False when the lookup fails: an outage of another service must not stop sign-ups. */
    has(password: string): Effect.Effect<boolean>
  }
>()("sallyport/BreachedPasswords") {}

/** Passwords are not looked up. */
export const layerNone = Layer.succeed(BreachedPasswords, { has: () => Effect.succeed(false) })
