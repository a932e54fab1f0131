import { Cause, Console, Data, Effect, Exit, Predicate, Runtime } from "effect"
import { codes, type Ending } from "./start-faults.ts"

/** Ends the process with an exit code and lines for the operator. */
export class Stop extends Data.TaggedError("Stop")<Ending> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = false
}

/** Ends the process with one line. */
export const stop = (line: string, code: number = codes.failed) => new Stop({ code, lines: [line] })

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
