import { Clock, Context, Effect } from "effect"

interface Line {
  loggedAt: number
  /** How often it has not been logged since. */
  unlogged: number
}

/** What was logged last; each service has its own. */
export const RepeatedLines = Context.Reference<Map<string, Line>>("sallyport/RepeatedLines", { defaultValue: () => new Map() })

/** Milliseconds between two lines. */
const every = 10_000

/** Logs an error that every request can repeat during an outage: one line in ten seconds, with the number of those that were left out. */
export const logRepeated = (message: string) =>
  Effect.gen(function* logRepeatedError() {
    const lines = yield* RepeatedLines
    const now = yield* Clock.currentTimeMillis
    const line = lines.get(message)
    if (line !== undefined && now - line.loggedAt < every) {
      line.unlogged++
      return
    }
    lines.set(message, { loggedAt: now, unlogged: 0 })
    const unlogged = line?.unlogged ?? 0
    yield* unlogged === 0 ? Effect.logError(message) : Effect.annotateLogs(Effect.logError(message), { unlogged })
  })
