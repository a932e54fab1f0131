import { Effect, Option } from "effect"
import type { AuthError } from "../errors.ts"
import { Conflict, Store, Taken, type Write } from "../ports/store.ts"

/**
 * Consumes a single-use proof in every case. `use` commits the removal together with the sign-in; if `use` fails or returns none, the
 * removal is committed alone, so that the proof cannot be tried again. If `use` returns none, this fails with `refusal`. Run it within
 * `retryOnConflict`.
 */
export const consumeProof = <A, E extends AuthError, R, Refusal extends AuthError>(
  removal: Write,
  refusal: Refusal,
  use: (removal: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>,
) =>
  use(removal).pipe(
    Effect.flatMap(Option.match({ onNone: () => Effect.fail(refusal), onSome: Effect.succeed })),
    Effect.tapError((error) =>
      error instanceof Conflict || error instanceof Taken ? Effect.void : Effect.flatMap(Store, (store) => store.commit([removal])),
    ),
  )
