import { Effect, Schema } from "effect"
import { VersionMismatch, VersionRequired } from "../../domain/errors.ts"

/** The member of outputs that a change can be conditional on. */
export const Version = Schema.String.pipe(Schema.annotateKey({ description: "Opaque; another one after each change of what is shown." }))

/** The member of inputs with which a change is made only to what the caller has seen. Declare `VersionMismatch` and `VersionRequired`. */
export const ExpectedVersion = {
  expected_version: Schema.optionalKey(Schema.String).pipe(
    Schema.annotateKey({ description: "The `version` that the caller has read; over HTTP also as `If-Match`." }),
  ),
}

/** Fails unless what is changed has the version that the caller expects. */
export const requireVersion = Effect.fnUntraced(function* requireVersion<E, R>(
  isRequired: boolean,
  expected: string | undefined,
  present: Effect.Effect<string, E, R>,
) {
  if (expected === undefined) {
    if (isRequired) return yield* new VersionRequired()
    return
  }
  if (expected !== (yield* present)) return yield* new VersionMismatch()
})
