import { Cause, Console, Data, Effect, Exit, Predicate, Runtime } from "effect"

/** The exit codes of commands. 64, 69 and 78 are those of `sysexits.h`; `refused` means that an import refused a record. */
export const codes = { failed: 1, refused: 2, usage: 64, unavailable: 69, configuration: 78 } as const

/** Ends the process with an exit code and lines for the operator. */
export class Stop extends Data.TaggedError("Stop")<{ readonly code: number; readonly lines: ReadonlyArray<string> }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = false
}

/** Prints the lines of a `Stop` on standard error. */
export const printStop = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tapError(effect, (error) =>
    error instanceof Stop && error.lines.length > 0 ? Console.error(error.lines.join("\n")) : Effect.void,
  )

/** Exits with 0 after an interruption, because a stop by signal is a success, and with 64 after an unknown command or option. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const fault = Cause.squash(exit.cause)
  const code = Runtime.getErrorExitCode(fault)
  onExit(code !== 0 && Predicate.isTagged(fault, "ShowHelp") ? codes.usage : code)
}

let received: NodeJS.Signals | undefined

/** Whether a supervisor ended the process by SIGTERM, and not a developer at a terminal by Ctrl+C. */
export const isTerminated = () => received === "SIGTERM"

/** A second signal ends the process without waiting for running requests. */
export const exitOnSecondSignal = () => {
  let first: number | undefined
  const onSignal = (signal: NodeJS.Signals, number: number) => {
    received ??= signal
    first ??= Date.now()
    // Ctrl+C under npm delivers the signal twice: from the terminal and from npm.
    if (Date.now() - first > 300) process.exit(128 + number)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
}

const rootCauseOf = (fault: unknown): unknown => {
  const { cause, reason, errors } = Object(fault) as {
    readonly cause?: unknown
    readonly reason?: unknown
    readonly errors?: ReadonlyArray<unknown>
  }
  if (typeof cause === "object" && cause !== null) return rootCauseOf(cause)
  if (typeof reason === "object" && reason !== null) return rootCauseOf(reason)
  return errors !== undefined && errors.length > 0 ? rootCauseOf(errors[0]) : fault
}

/** The first line of the message of the root cause. */
export const reasonOf = (fault: unknown): string => {
  const cause = rootCauseOf(fault)
  return String((Object(cause) as { readonly message?: unknown }).message || cause).split("\n")[0] ?? ""
}

/** Whether PostgreSQL refused a statement because the role lacks rights (SQLSTATE 42501). */
export const isForbidden = (fault: unknown): boolean => codeOf(fault) === "42501"

const codeOf = (fault: unknown): unknown => (Object(rootCauseOf(fault)) as { readonly code?: unknown }).code

/** Why a store cannot be used. A numeric code or an SQLSTATE is from the server itself, so the server was reached. */
export const storeFaultText = (fault: unknown, yet = "") => {
  const code = codeOf(fault)
  const isReached = typeof code === "number" || /^\d[0-9A-Z]{4}$/.test(String(code))
  const hint = code === "3D000" ? "create it, or change store.url or DATABASE_URL" : "store.url or DATABASE_URL names it"
  return `cannot be ${isReached ? "used" : "reached"}${yet} (${reasonOf(fault)}; ${hint})`
}

/** Why Redis cannot be used. */
export const redisFaultText = (fault: unknown, yet = "") => `cannot be used${yet} (${reasonOf(fault)}; redis.url or REDIS_URL names it)`
