import type { Effect } from "effect"
import { Context } from "effect"
import type { AuthError, CommonCode } from "../errors.ts"
import type { User } from "../users/user.ts"

/** What every new session has to pass: the gates of all modules, in their order. `Auth.call` provides it. */
export class Gates extends Context.Service<
  Gates,
  {
    /** Fails in the handler's place, with a code of the module that stands in the way. */
    pass(user: User): Effect.Effect<void, AuthError<CommonCode>>
  }
>()("sallyport/Gates") {}
