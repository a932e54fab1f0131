import { Effect, Option } from "effect"
import type { AuthError } from "../errors.ts"
import type { Write } from "../ports/store.ts"
import { Conflict, Store, Taken } from "../ports/store.ts"

/**
 * Uses a proof up whatever comes of it: `use` commits its removal with what it lets in, and where it lets nobody in the proof goes by itself, so that
 * whoever has it learns no more from it. None fails with `refusal`. Run it within `retryOnConflict`.
 */
export const useUp = <A, E extends AuthError, R, Refusal extends AuthError>(
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
