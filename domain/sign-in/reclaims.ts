import type { Effect } from "effect"
import { Context } from "effect"
import type { Write } from "../ports/store.ts"
import type { User } from "../users/user.ts"

/** What a module does with its rows when a never-verified account returns to the owner of its address. */
export interface Reclaim {
  /** Belongs into the same commit. */
  readonly writes: ReadonlyArray<Write>
  /** What the account keeps, as paragraphs of the mail to its owner. They hold no text that another user typed. */
  readonly kept: ReadonlyArray<string>
}

/** The reclaims of all modules. `Auth.call` provides it. */
export class Reclaims extends Context.Service<Reclaims, { readonly of: (user: User) => Effect.Effect<Reclaim> }>()("sallyport/Reclaims") {}
