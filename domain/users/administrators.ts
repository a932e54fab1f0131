import type { Effect } from "effect"
import { Context } from "effect"
import type { User } from "./user.ts"

/** Who administers the service, as the modules say. `Auth.call` provides it. */
export class Administrators extends Context.Service<Administrators, { readonly includes: (user: User) => Effect.Effect<boolean> }>()(
  "sallyport/Administrators",
) {}
