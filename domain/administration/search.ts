import { type Effect, Schema } from "effect"
import type { Permission } from "./permissions.ts"

/** The hits of each kind that a search has at most. */
export const maxHits = 5

/** A user, an organization or a client that a search has found. */
export const Hit = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "The address of a user, or the slug of an organization. Null for a client." }),
  ),
}).annotate({ identifier: "SearchHit" })
export type Hit = typeof Hit.Type

/** How one kind is searched, by callers with this permission. The search returns only what is in reach of the caller (`reach.ts`). */
export interface SearchedKind<out R> {
  readonly kind: "users" | "organizations" | "clients"
  readonly permission: Permission
  /** Whether a grant for one organization is enough. */
  readonly within?: true
  readonly find: (text: string) => Effect.Effect<ReadonlyArray<Hit>, never, R>
}
