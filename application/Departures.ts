import type { Effect } from "effect"
import { Context } from "effect"
import type { AuthError, CommonCode } from "../domain/Errors.ts"
import type { User } from "../domain/User.ts"
import type { Write } from "./ports/Store.ts"

/** What the removal of a user means to the modules, in their order. `Auth.call` provides it. */
export class Departures extends Context.Service<
  Departures,
  {
    /** Belongs into the commit that removes the user, before the removal. Fails with a code of the module that cannot let them go. */
    writes(user: User): Effect.Effect<ReadonlyArray<Write>, AuthError<CommonCode>>
  }
>()("sallyport/Departures") {}
