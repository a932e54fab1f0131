import type { Context } from "effect"
import { Effect, Result } from "effect"
import type { ExecutionResult, GraphQLError, GraphQLFormattedError, ValidatedExecutionArgs } from "graphql"
import { executeRootSelectionSet } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Reply } from "../../application/service/endpoint.ts"
import { statusOf } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import { countUnlessLive } from "../../domain/limits/live-session.ts"
import { limitHeaders, retryHeaders } from "../http/response-headers.ts"
import { withErrors } from "./answers.ts"
import * as Errors from "./errors.ts"
import type { Executed, Preparation } from "./preparation.ts"
import type { Needs, Request } from "./visit.ts"
import { makeVisit } from "./visit.ts"

/** Why nothing is executed, with the status of the first fault. */
interface Refused {
  readonly errors: ReadonlyArray<GraphQLFormattedError>
  readonly status: number
}

type Prepared = Result.Result<ValidatedExecutionArgs, Refused>

/** One request on its way through yoga, whose plugins call it. */
export interface Incoming {
  /** The media type of the response. */
  readonly type: string
  /** The JSON object of the body. */
  readonly body: object
  /** Parses, validates and measures the document. */
  readonly prepare: (text: string, parameters: Executed) => Promise<Prepared>
  /** Executes the prepared document. The errors of the result are formatted and logged. */
  readonly execute: () => Promise<ExecutionResult>
  /** The document after `prepare`. */
  readonly execution: () => ValidatedExecutionArgs
  /** The session and cookies of the response. */
  readonly reply: () => Omit<Reply<unknown>, "body">
  readonly headers: () => Readonly<Record<string, string>>
}

/** Starts a request. */
export const makeIncoming = <R>(
  auth: Auth<R>,
  preparation: Preparation,
  services: Context.Context<Needs<R>>,
  signal: AbortSignal,
  { type, body, ...request }: Request & Pick<Incoming, "type" | "body">,
): Incoming => {
  const visit = makeVisit(auth, services, signal, request)
  let execution: ValidatedExecutionArgs | undefined
  let refusal: AuthError | undefined
  let retry: Readonly<Record<string, string>> = {}

  const refuse = (error: AuthError) => {
    refusal = error
    retry = retryHeaders(error)
  }

  /** Calls the endpoint with an invalid input, so that only a caller who passes its session and guard checks learns the faults of the input. */
  const refusedInput = Effect.fnUntraced(function* refusedInput(endpoint: AnyEndpoint, errors: ReadonlyArray<GraphQLError>) {
    const error = yield* auth.call(endpoint, unreadable).pipe(Effect.flip, Effect.orDie)
    refuse(error)
    const status = statusOf(endpoint, error)
    const isInput = error._tag === endpoint.invalid.code
    return { errors: isInput ? errors.map((each) => Errors.faultyInput(each, error, status)) : [Errors.envelope(error, status)], status }
  })

  const prepared = Effect.fnUntraced(function* prepareRequest(
    text: string,
    executed: Executed,
  ): Effect.fn.Return<Prepared, AuthError, any> {
    // A new document costs the most: a session that has ended must not pay for it.
    if (!preparation.isKnown(text)) yield* countUnlessLive
    const prepared = yield* Effect.result(preparation.prepare(text, executed))
    if (Result.isSuccess(prepared)) return Result.succeed(prepared.success)
    const { errors, endpoint } = prepared.failure
    if (endpoint !== undefined) return Result.fail(yield* refusedInput(endpoint, errors))
    const shown = errors.map(Errors.faulty)
    return Result.fail({ errors: shown, status: Number(shown[0]?.extensions?.["status"] ?? 500) })
  })

  const prepare: Incoming["prepare"] = async (text, executed) => {
    try {
      const result = await visit.run(prepared(text, executed) as Effect.Effect<Prepared, AuthError>)
      if (Result.isSuccess(result)) execution = result.success
      return result
    } catch (error) {
      const found = Errors.refusalOf(error as GraphQLError)
      if (found === undefined) throw error
      refuse(found)
      throw Errors.refusedRequest(found)
    }
  }

  const preparedExecution = () => {
    if (execution === undefined) throw new Error("the document was not prepared")
    return execution
  }
  const execute = async () => {
    const { data = null, errors = [] } = await executeRootSelectionSet({ ...preparedExecution(), contextValue: visit })
    if (errors.length === 0) return { data }
    retry = retryOf(errors)
    const formatted = await visit.run(Errors.formatted(errors, request.onDefect))
    return { ...withErrors(formatted), data }
  }

  return {
    type,
    body,
    prepare,
    execute,
    execution: preparedExecution,
    reply: () => refusal ?? visit.outcome(),
    headers: () => ({ ...limitHeaders(visit.budget()), ...retry }),
  }
}

/** No schema accepts a symbol, so that the handler never runs. */
const unreadable = Symbol("invalid input")

/** The retry headers of the field with the longest wait. */
const retryOf = (errors: ReadonlyArray<GraphQLError>): Readonly<Record<string, string>> => {
  const [longest] = errors
    .flatMap((error) => Errors.refusalOf(error) ?? [])
    .toSorted((one, other) => (other.retryAfter ?? 0) - (one.retryAfter ?? 0))
  return longest === undefined ? {} : retryHeaders(longest)
}
