import { Effect } from "effect"
import type { Answer } from "./ports.ts"

/** Runs a method of an own port; an exception counts as a rejection. The signal aborts when the method ends or is interrupted. */
export const answerOf = <A>(method: (signal: AbortSignal) => Answer<A>): Effect.Effect<A, unknown> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) => Effect.flatMap(Effect.try({ try: () => method(signal), catch: (error) => error }), settled),
    (controller) => Effect.sync(() => controller.abort()),
  )

const settled = <A>(answer: Answer<A>): Effect.Effect<A, unknown> =>
  Effect.isEffect(answer)
    ? (answer as Effect.Effect<A, unknown>)
    : Effect.tryPromise({ try: () => answer as Promise<A>, catch: (error) => error })

/** Whether an object has all of these methods, its own or inherited. */
export const hasMethods = (value: unknown, names: ReadonlyArray<string>): boolean =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function")
