import { Cause, Console, Data, Effect, Exit, Runtime } from "effect"

/** Exit codes, after BSD's sysexits. */
export const codes = { failed: 1, unavailable: 69, configuration: 78 } as const

/** The process ends with a code, and with lines for whoever started it. */
export class Stop extends Data.TaggedError("Stop")<{ readonly code: number; readonly lines: ReadonlyArray<string> }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = false
}

/** Says the lines of a stop on standard error. */
export const said = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tapError(effect, (error) => (error instanceof Stop ? Console.error(error.lines.join("\n")) : Effect.void))

/** A service that was asked to stop and did has done well. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  onExit(Runtime.getErrorExitCode(Cause.squash(exit.cause)))
}

/** Whoever asks a second time does not want to wait. */
export const exitOnSecondSignal = () => {
  let first: number | undefined
  const onSignal = (_: NodeJS.Signals, number: number) => {
    first ??= Date.now()
    // Ctrl+C below npm sends one signal twice: the terminal to everybody, and npm to its child.
    if (Date.now() - first > 300) process.exit(128 + number)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
}

/** What lies at the bottom of a fault, in one line. */
export const reasonOf = (fault: unknown): string => {
  const { cause, reason, message } = Object(fault) as { readonly cause?: unknown; readonly reason?: unknown; readonly message?: unknown }
  if (typeof cause === "object" && cause !== null) return reasonOf(cause)
  if (typeof reason === "object" && reason !== null) return reasonOf(reason)
  const { errors } = Object(fault) as { readonly errors?: ReadonlyArray<unknown> }
  if (errors !== undefined && errors.length > 0) return reasonOf(errors[0])
  return String(message || fault).split("\n")[0] ?? ""
}
