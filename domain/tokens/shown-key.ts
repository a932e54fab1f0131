import { type Effect, Schema } from "effect"
import type { Write } from "../ports/store.ts"

/** A key that signs tokens, without its private part. */
export const ShownKey = Schema.Struct({
  use: Schema.String.pipe(Schema.annotateKey({ description: "The module whose tokens it signs." })),
  id: Schema.String.pipe(Schema.annotateKey({ description: "The `kid`; of a symmetric key, the id of its secret." })),
  algorithm: Schema.String,
  state: Schema.Literals(["next", "current", "former"]).annotate({ identifier: "KeyState" }),
  from: Schema.NullOr(Schema.DateTimeUtc).pipe(
    Schema.annotateKey({ description: "The first moment at which it signs; null: since its secret was listed first." }),
  ),
  until: Schema.NullOr(Schema.DateTimeUtc).pipe(
    Schema.annotateKey({ description: "From when the next key signs; null: no next one is published." }),
  ),
  due_at: Schema.NullOr(Schema.DateTimeUtc).pipe(
    Schema.annotateKey({
      description: "By when a next key should sign, by the configured interval; null: one is published, or the key has no interval.",
    }),
  ),
}).annotate({ identifier: "SigningKey" })
export type ShownKey = typeof ShownKey.Type

/** A rotation of keys that begins with the commit of these writes. */
export interface KeyRotation {
  /** The ids of the keys that it adds; none while such keys are published already. */
  readonly added: ReadonlyArray<string>
  readonly writes: ReadonlyArray<Write>
  /** Runs after the commit, so that this process publishes the keys at once. */
  readonly published: Effect.Effect<void>
}
