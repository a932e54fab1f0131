import type { Effect } from "effect"
import { Context } from "effect"
import type { User } from "./user.ts"

/** Decides which users are administrators of the service. `Auth.call` provides it from the modules. */
export class Administrators extends Context.Service<Administrators, { readonly includes: (user: User) => Effect.Effect<boolean> }>()(
  "sallyport/Administrators",
) {}
