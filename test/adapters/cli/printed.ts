import { Console, Effect } from "effect"

/** The lines that a command prints. */
export const printed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const console = { ...globalThis.console, log: (line: string) => void lines.push(...line.split("\n")) }
    return Effect.as(Effect.provideService(effect, Console.Console, console), lines)
  })

/** The exit code and the lines of a command that is refused. */
export const refused = <A, R>(effect: Effect.Effect<A, { readonly code: number; readonly lines: ReadonlyArray<string> }, R>) =>
  Effect.map(Effect.flip(effect), ({ code, lines }) => [code, ...lines])
