import { Clock, DateTime, Effect } from "effect"

/** Milliseconds for which an answer is kept. */
const kept = 300_000
/** The maximum number of answers that are kept. */
const capacity = 100

/** Keeps what was computed for a day for five minutes. */
export const remembered = <A, E, R>(compute: (last: DateTime.Utc) => Effect.Effect<A, E, R>) => {
  const answers = new Map<string, { readonly until: number; readonly answer: A }>()
  return Effect.fnUntraced(function* rememberedAnswer(last: DateTime.Utc) {
    const day = DateTime.formatIsoDateUtc(last)
    const now = yield* Clock.currentTimeMillis
    const found = answers.get(day)
    if (found !== undefined && found.until > now) return found.answer
    const answer = yield* compute(last)
    if (answers.size >= capacity) answers.clear()
    answers.set(day, { until: now + kept, answer })
    return answer
  })
}
