import type { Context } from "effect"
import { Effect, Result } from "effect"
import type { ExecutionResult, GraphQLError, GraphQLFormattedError, ValidatedExecutionArgs } from "graphql"
import { executeRootSelectionSet } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { statusOf } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import { countUnlessLive } from "../../domain/limits/live-session.ts"
import type { Outcome } from "../http/exchange.ts"
import { refusalOutcome } from "../http/exchange.ts"
import { limitHeaders, retryHeaders } from "../http/response-headers.ts"
import { refusedResult, statusAs, withErrors } from "./answers.ts"
import * as Errors from "./errors.ts"
import { unreadable } from "./operations.ts"
import type { Executed, Preparation } from "./preparation.ts"
import { envelope, NotAcceptable } from "./refusals.ts"
import type { Needs, Request } from "./request-context.ts"
import { makeRequestContext } from "./request-context.ts"
import { subscribed } from "./subscriptions.ts"

/** Why a document is not executed, with the status of the first fault. */
interface Refused {
  readonly errors: ReadonlyArray<GraphQLFormattedError>
  readonly status: number
  /** The refusal of the endpoint that the document calls with an invalid input. */
  readonly refusal?: AuthError
}

type Prepared = Result.Result<ValidatedExecutionArgs, Refused>

/** One request on its way through yoga, whose plugins call it. */
export interface Incoming {
  /** The media type of the response, unless it is a stream. */
  readonly type: string
  /** The kinds of responses that `Accept` allows. */
  readonly accepts: Accepted
  /** The JSON object of the body. */
  readonly body: object
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Parses, validates and measures the document. */
  readonly prepare: (text: string, parameters: Executed) => Promise<Prepared>
  /** Executes the prepared document. The errors of the result are formatted and logged. */
  readonly execute: () => Promise<ExecutionResult>
  /** Opens the stream of the prepared document. The errors of its results are formatted and logged. */
  readonly subscribe: () => Promise<ExecutionResult | AsyncIterable<ExecutionResult>>
  /** The document after `prepare`. */
  readonly execution: () => ValidatedExecutionArgs
  /** The session and cookies of the response. */
  readonly outcome: () => Outcome
  readonly headers: () => Readonly<Record<string, string>>
}

interface Accepted {
  /** A response with one result. */
  readonly result: boolean
  /** A stream of server-sent events. */
  readonly stream: boolean
}

/** Prepares documents. Fails with a refusal of the whole request. */
const makePrepare = <R>(auth: Auth<R>, preparation: Preparation) => {
  /**
   * Calls the endpoint with an invalid input, so that only a caller who passes its session and guard checks gets the faults of the input.
   */
  const refusedInput = Effect.fnUntraced(function* refusedInput(endpoint: AnyEndpoint, errors: ReadonlyArray<GraphQLError>) {
    const refusal = yield* auth.call(endpoint, unreadable).pipe(Effect.flip, Effect.orDie)
    const status = statusOf(endpoint, refusal)
    const isInput = refusal._tag === endpoint.invalid.code
    const shown = isInput ? errors.map((each) => Errors.inputError(each, refusal, status)) : [envelope(refusal, status)]
    return { errors: shown, status, refusal }
  })

  return Effect.fnUntraced(function* prepareRequest(text: string, executed: Executed): Effect.fn.Return<Prepared, AuthError, any> {
    // A new document is the most expensive kind of request, so with an ended session it also counts against the address.
    if (!preparation.isKnown(text)) yield* countUnlessLive
    const prepared = yield* Effect.result(preparation.prepare(text, executed))
    if (Result.isSuccess(prepared)) return Result.succeed(prepared.success)
    const { errors, endpoint } = prepared.failure
    if (endpoint !== undefined) return Result.fail(yield* refusedInput(endpoint, errors))
    const shown = errors.map(Errors.documentError)
    return Result.fail({ errors: shown, status: Number(shown[0]?.extensions?.["status"] ?? 500) })
  })
}

/** Makes the `Incoming` of each request. */
export const makeIncoming = <R>(auth: Auth<R>, preparation: Preparation) => {
  const prepareRequest = makePrepare(auth, preparation)

  return (
    services: Context.Context<Needs<R>>,
    signal: AbortSignal,
    { type, accepts, body, ...request }: Request & Pick<Incoming, "type" | "accepts" | "body">,
  ): Incoming => {
    const context = makeRequestContext(auth, services, signal, request)
    let execution: ValidatedExecutionArgs | undefined
    let refusal: AuthError | undefined
    let retry: Readonly<Record<string, string>> = {}

    const refuse = (error: AuthError) => {
      refusal = error
      retry = retryHeaders(error)
    }

    const prepare: Incoming["prepare"] = async (text, executed) => {
      try {
        const result = await context.run(prepareRequest(text, executed) as Effect.Effect<Prepared, AuthError>)
        if (Result.isSuccess(result)) execution = result.success
        else if (result.failure.refusal !== undefined) refuse(result.failure.refusal)
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
    const assertAccepted = (kind: keyof Accepted) => {
      if (accepts[kind]) return
      const error = new NotAcceptable()
      refuse(error)
      throw Errors.refusedRequest(error)
    }
    const formatted = async (errors: ReadonlyArray<GraphQLError>) =>
      withErrors(await context.run(Errors.formatted(errors, request.onDefect)))
    const subscribe = async () => {
      assertAccepted("stream")
      const contextOfEvent = () => makeRequestContext(auth, services, signal, request)
      const results = await subscribed({ execution: preparedExecution(), context, contextOfEvent, formatted })
      if (!("errors" in results)) return results
      retry = retryOf(results.errors)
      const shown = await formatted(results.errors)
      return refusedResult(shown.errors, statusAs(type, Number(shown.errors[0]?.extensions?.["status"] ?? 500)))
    }
    const execute = async () => {
      assertAccepted("result")
      const { data = null, errors = [] } = await executeRootSelectionSet({ ...preparedExecution(), contextValue: context })
      if (errors.length === 0 || signal.aborted) return { data }
      retry = retryOf(errors)
      return { ...(await formatted(errors)), data }
    }

    return {
      type,
      accepts,
      body,
      signal,
      prepare,
      execute,
      subscribe,
      execution: preparedExecution,
      outcome: () => (refusal === undefined ? context.outcome() : refusalOutcome(refusal)),
      headers: () => ({ ...limitHeaders(context.budget()), ...retry }),
    }
  }
}

/** The retry headers of the field with the longest wait. */
const retryOf = (errors: ReadonlyArray<GraphQLError>): Readonly<Record<string, string>> => {
  const [longest] = errors
    .flatMap((error) => Errors.refusalOf(error) ?? [])
    .toSorted((one, other) => (other.retryAfter ?? 0) - (one.retryAfter ?? 0))
  return longest === undefined ? {} : retryHeaders(longest)
}
