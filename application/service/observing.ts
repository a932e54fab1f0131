import { Cause, Effect, Exit, Option } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import type { Operation, Outcome } from "../../domain/policies.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { sessionOfCredential } from "../../domain/sessions/sessions.ts"
import { emptySubject, Subject } from "../../domain/sessions/subject.ts"
import { Keys } from "../../domain/tokens/keys.ts"
import type { Reply } from "./endpoint.ts"

type Call = (raw: unknown) => Effect.Effect<Reply<unknown>, AuthError, any>

/**
 * Passes the outcome of each call to the modules that observe it. The observers run as a finalizer: a caller that closes the connection
 * after a wrong password cannot keep the attempt out of a log.
 */
export const observed =
  (call: Call, endpoint: Operation, observe: (outcome: Outcome) => Effect.Effect<void>): Call =>
  (raw) =>
    Effect.flatMap(callerOf, (caller) => {
      const noted = emptySubject()
      const show = (exit: Exit.Exit<Reply<unknown>, AuthError>) =>
        Effect.flatMap(subjectOf(noted), (subject) => observe({ endpoint, code: codeOf(exit), caller, subject })).pipe(
          Effect.catchCause((cause) => Effect.logError(`The subject of ${endpoint.path} could not be looked up.`, cause)),
        )
      return Effect.onExit(Effect.provideService(call(raw), Subject, noted), show)
    })

/** Looked up before the operation, which may end the session. The look-up does not refresh the session. */
const callerOf = Effect.gen(function* () {
  const { credential, ip_address, user_agent } = yield* Caller
  const session = credential === null ? Option.none() : yield* Effect.catchDefect(sessionOfCredential(credential), () => Effect.succeedNone)
  return { user: Option.isSome(session) ? session.value.user : null, ip_address, user_agent }
})

/** The owner of the typed name is looked up whether or not the attempt found a user, so that both answers take as long. */
const subjectOf = Effect.fnUntraced(function* subjectOf({ user_id, name }: ReturnType<typeof emptySubject>) {
  if (name === null) return { user_id, identifier: null }
  const owner = yield* name.owner
  const identifier = yield* (yield* Keys).sign("observed-identifier", name.name)
  return { user_id: user_id ?? Option.getOrNull(owner), identifier }
})

/** The result code of a call: `ok`, `challenged`, the code of the error, `interrupted` or `internal_error`. */
export const codeOf = (exit: Exit.Exit<Reply<unknown>, AuthError>): string => {
  if (Exit.isSuccess(exit)) return exit.value.isChallenge === true ? "challenged" : "ok"
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure)) return failure.value._tag
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "internal_error"
}
