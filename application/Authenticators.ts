import { Context } from "effect"
import type { Write } from "./ports/Store.ts"

/** What the modules keep of a user to tell them from others, beside their accounts. `Auth.call` provides it. */
export class Authenticators extends Context.Service<
  Authenticators,
  {
    /** Belongs into the commit that takes an account from the stranger who registered it. */
    readonly removals: (userId: string) => ReadonlyArray<Write>
  }
>()("sallyport/Authenticators") {}
