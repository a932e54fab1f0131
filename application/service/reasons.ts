import { Effect, Schema } from "effect"
import { FullReason, noteOf } from "../../domain/administration/reason.ts"
import { Note } from "../../domain/events/note.ts"

const description = "Why: 10 to 500 characters for the audit log, without personal data."

const asked = { reason: Schema.optionalKey(FullReason).pipe(Schema.annotateKey({ description })) }

/** What an endpoint that takes a reason has in its input, in addition to its own members. */
export interface WithReason {
  readonly reason?: string
}

const fieldsOf = (input: Schema.Codec<any, any>) => (input as unknown as Schema.Struct<Schema.Struct.Fields>).fields

/** Whether callers of an endpoint can say why. */
export const takesReason = ({ input }: { readonly input: Schema.Codec<any, any> }): boolean => Object.hasOwn(fieldsOf(input), "reason")

/** The parts of an endpoint that take a reason. */
interface Noting<R> {
  readonly input: Schema.Codec<any, any>
  readonly handler: (input: any) => R
}

/**
 * The input with an optional `reason`, and a handler whose commits leave it in the audit log. Handlers get the reason only if it is a member
 * of their own input, as that of a suspension.
 */
export const withReason = <A, E, R>({ input, handler }: Noting<Effect.Effect<A, E, R>>): Noting<Effect.Effect<A, E, R>> => {
  const isOwn = takesReason({ input })
  return {
    input: isOwn ? input : (Schema.Struct({ ...fieldsOf(input), ...asked }) as unknown as Schema.Codec<any, any>),
    handler: (given: WithReason) => {
      const { reason, ...rest } = given
      return Effect.provideService(handler(isOwn ? given : rest), Note, reason === undefined ? null : noteOf(reason))
    },
  }
}
