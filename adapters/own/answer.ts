import { Effect } from "effect"

/** The result of a method of an own port: a promise or an effect. A rejection is the effect's failure. */
export type Answer<A> = Promise<A> | Effect.Effect<A, unknown>

/** Runs a method of an own port; an exception counts as a rejection. The signal aborts when the method ends or is interrupted. */
export const answerOf = <A>(method: (signal: AbortSignal) => Answer<A>): Effect.Effect<A, unknown> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) => Effect.flatMap(Effect.try({ try: () => method(signal), catch: (error) => error }), settled),
    (controller) => Effect.sync(() => controller.abort()),
  )

const settled = <A>(answer: Answer<A>): Effect.Effect<A, unknown> =>
  Effect.isEffect(answer) ? answer : Effect.tryPromise({ try: () => answer, catch: (error) => error })

/** Whether an object has all of these methods, its own or inherited. */
export const hasMethods = (value: unknown, names: ReadonlyArray<string>): boolean =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function")
