import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AuthError } from "../domain/Errors.ts"
import type { User } from "../domain/User.ts"
import type { CommonCode } from "./Endpoint.ts"
import type { Write } from "./ports/Store.ts"

/**
 * How whoever an endpoint signs in proves who they are, in the words of NIST SP 800-63: by one factor, by several, or by somebody
 * else's word (federated). With `session` they have proved it before, and with `registration` they are new. One factor alone may
 * not do: a module may ask for more (`Module.ts`, `challenges`).
 */
export type Authentication = "single_factor" | "multi_factor" | "federated" | "session" | "registration"

/** What somebody is told who gets no session yet, and the writes that let them come back for it. */
export interface Challenge {
  readonly body: unknown
  readonly writes: ReadonlyArray<Write>
}

/** Who has shown one factor. */
export interface Claimant {
  readonly user: User
  /** The revision under which they are let in; null where the same commit writes the user. */
  readonly revision: number | null
}

/** What the modules ask for before there is a session, in their order. `Auth.call` provides it, for one endpoint. */
export class Challenges extends Context.Service<
  Challenges,
  {
    /** Dies in an endpoint that does not say that it signs in. */
    readonly declared: Effect.Effect<void>
    /** None where the endpoint's own proof is enough for this user. */
    readonly ask: (claimant: Claimant) => Effect.Effect<Option.Option<Challenge>, AuthError<CommonCode>>
  }
>()("sallyport/Challenges") {}
