import { Cause, Data, Effect, Exit, Layer, Option, Tracer } from "effect"
import { StoreUnavailable } from "../../domain/ports/store.ts"

/** The only error that spans show: messages of other errors may contain what a user typed. */
class SpanFault extends Data.TaggedError("SpanFault")<{ readonly message: string }> {}

/** The code of a failed exit: that of a declared error, or that of the answer to a defect. Undefined for a success. */
export const failureCode = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure)) return String(Object(failure.value)._tag ?? "error")
  if (Cause.hasInterruptsOnly(exit.cause)) return "interrupted"
  return Cause.squash(exit.cause) instanceof StoreUnavailable ? "unavailable" : "internal_error"
}

/** Declared errors are answers of the service; only defects make a span an error. */
const isFault = (code: string) => code === "internal_error" || code === "unavailable"

const resultOf = (code: string | undefined): Exit.Exit<unknown, unknown> =>
  code !== undefined && isFault(code) ? Exit.fail(new SpanFault({ message: code })) : Exit.void

/**
 * Reduces the result of every span to a code, `error.type`, and leaves out calls of the store that belong to no request, and all but a share
 * of the traces that begin here.
 */
export const withoutCauses = (share: number) =>
  Layer.effect(
    Tracer.Tracer,
    Effect.map(Tracer.Tracer, (tracer) =>
      Tracer.make({
        ...tracer,
        span: (options) => {
          const isBackground = options.kind === "client" && Option.isNone(options.parent)
          const isLeftOut = isBackground || (Option.isNone(options.parent) && Math.random() >= share)
          const span = tracer.span(isLeftOut ? { ...options, sampled: false } : options)
          const end = span.end.bind(span)
          span.end = (time, exit) => {
            const code = failureCode(exit)
            if (code !== undefined) span.attribute("error.type", code)
            end(time, resultOf(code))
          }
          return span
        },
      }),
    ),
  )
