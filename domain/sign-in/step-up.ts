import type { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { AuthError, CodeOf, CommonCode, DeclaredError } from "../errors.ts"
import type { Conflict, Store, Taken, Write } from "../ports/store.ts"
import type { TextHashes } from "../ports/text-hashes.ts"
import type { CurrentSession } from "../sessions/caller.ts"
import type { AuthenticationMethod, Issued } from "../sessions/sign-in.ts"
import type { Keys } from "../tokens/keys.ts"
import type { User } from "../users/user.ts"

// A signed-in user proves again who they are, at `POST /step-up`.

/** Renews the proof of the current session in one commit with these writes, which consume the proof. Run it within `retryOnConflict`. */
export type Renew = (
  writes: ReadonlyArray<Write>,
) => Effect.Effect<
  Issued,
  AuthError<"unauthorized"> | Conflict | Taken,
  CurrentSession | Keys | SecureRandom.SecureRandom | Store | TextHashes
>

/** A proof that `POST /step-up` accepts, under the name of a member of its input. */
export interface StepUp<out R> {
  readonly input: Schema.Codec<any, any>
  readonly errors: ReadonlyArray<DeclaredError>
  /** Whether it proves a second factor. Users with a second factor need such a proof. */
  readonly multi_factor: boolean
  /** The methods of the proof. */
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Checks the input, and commits by `renew`. */
  readonly prove: (user: User, given: any, renew: Renew) => Effect.Effect<Issued, AuthError, R>
}

/** Declares a proof for `POST /step-up`. */
export const make = <I, R, const Errors extends ReadonlyArray<DeclaredError>>(stepUp: {
  readonly input: Schema.Codec<I, any>
  readonly errors: Errors
  readonly multi_factor: boolean
  readonly methods?: ReadonlyArray<AuthenticationMethod>
  readonly prove: (
    user: User,
    given: I,
    renew: Renew,
  ) => Effect.Effect<Issued, AuthError<CodeOf<Errors[number]> | CommonCode | "unauthorized">, R>
}): StepUp<R> => ({ methods: [], ...stepUp })
