import { DateTime, Duration, Effect, Fiber, Option, Schema } from "effect"
import { isCommitted, put, remove, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { liveAt } from "../storage/live.ts"
import { tokenHash } from "../tokens/keys.ts"
import * as TokenSealed from "../tokens/token-sealed.ts"

const Submission = Schema.Struct({
  /** The hash of the form and of everything that was entered. */
  hash: Schema.String,
  /** The response, encrypted for the sender of the same form; null while the form is processed. */
  response: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** Forms that browsers sent a short time ago. */
export const Submissions = Table.make("form_submission", Submission, { key: "hash", expires: "expires_at" })

/** Seconds after which a form without a response is processed again: the process that had it may have ended. */
const patience = 30
/** Seconds in which the same form gets the same response. */
const lifetime = 60
const pause = Duration.millis(50)

const kind = "form-submission"

/** The response to a form. `text` is what a repetition of the form gets; null if the repetition is to be processed too. */
interface Processed<A> {
  readonly answer: A
  readonly text: string | null
}

/**
 * Processes a form once: if a browser sends it again, as after a double click, the second request waits and gets the response of the first.
 * Otherwise the second would fail, because the first has used the code, the link or the address, and the browser shows only the answer to
 * the second. `form` identifies the form and what was entered; it has to contain at least 256 random bits that only the browser knows.
 * Processing goes on if the client disconnects: browsers end the first request of a double click, and need its response for the second.
 */
export const processOnce = Effect.fnUntraced(function* processOnce<A, E, R>(
  form: string,
  process: Effect.Effect<Processed<A>, E, R>,
  repeated: (text: string) => A,
) {
  const hash = yield* tokenHash(kind, form)
  while (true) {
    const stored = yield* (yield* Store).read(Submissions, { hash })
    const now = yield* DateTime.now
    if (Option.isSome(stored) && liveAt(Submissions, now)(stored.value.row)) {
      const { response } = stored.value.row
      if (response !== null) return repeated(Option.getOrThrow(yield* TokenSealed.open(form, kind, response)))
      yield* Effect.sleep(pause)
      continue
    }
    const claim = { hash, response: null, expires_at: DateTime.add(now, { seconds: patience }) }
    const expected = Option.isSome(stored) ? stored.value.revision : "absent"
    const isFirst = yield* isCommitted([put(Submissions, claim, expected)])
    if (isFirst) return yield* Fiber.join(yield* Effect.forkDetach(finished(form, hash, process)))
  }
})

/** Processes the form and stores the response. Without one to repeat, the next request with the same form is processed. */
const finished = Effect.fnUntraced(function* finishedForm<A, E, R>(form: string, hash: string, process: Effect.Effect<Processed<A>, E, R>) {
  const { answer, text } = yield* Effect.onError(process, () => Effect.ignoreCause(isCommitted([remove(Submissions, hash)])))
  if (text === null) {
    yield* isCommitted([remove(Submissions, hash)])
    return answer
  }
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  yield* isCommitted([put(Submissions, { hash, response: yield* TokenSealed.seal(form, kind, text), expires_at })])
  return answer
})
