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

/** What lies at the bottom of a fault. */
const bottomOf = (fault: unknown): unknown => {
  const { cause, reason, errors } = Object(fault) as {
    readonly cause?: unknown
    readonly reason?: unknown
    readonly errors?: ReadonlyArray<unknown>
  }
  if (typeof cause === "object" && cause !== null) return bottomOf(cause)
  if (typeof reason === "object" && reason !== null) return bottomOf(reason)
  return errors !== undefined && errors.length > 0 ? bottomOf(errors[0]) : fault
}

/** What lies at the bottom of a fault, in one line. */
export const reasonOf = (fault: unknown): string => {
  const bottom = bottomOf(fault)
  return String((Object(bottom) as { readonly message?: unknown }).message || bottom).split("\n")[0] ?? ""
}

/** What is wrong with a store that is away, and why. A server that refuses to serve has been reached: those answer with codes of their own. */
export const outage = (fault: unknown, yet = "") => {
  const { code } = Object(bottomOf(fault)) as { readonly code?: unknown }
  const isReached = typeof code === "number" || /^\d[0-9A-Z]{4}$/.test(String(code))
  const mend = code === "3D000" ? "create it, or mend store.url or DATABASE_URL" : "store.url or DATABASE_URL names it"
  return `cannot be ${isReached ? "used" : "reached"}${yet} (${reasonOf(fault)}; ${mend})`
}
