import { Context, Effect, Layer } from "effect"

/** Passwords that are known from published data breaches. */
export class BreachedPasswords extends Context.Service<
  BreachedPasswords,
  {
    /** Whether a password is one of them. False when that cannot be found out: an outage elsewhere must not stop sign-ups. */
    has(password: string): Effect.Effect<boolean>
  }
>()("sallyport/BreachedPasswords") {}

/** Passwords are not looked up. */
export const layerNone = Layer.succeed(BreachedPasswords, { has: () => Effect.succeed(false) })
