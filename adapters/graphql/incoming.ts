import { type Context, Effect, Result } from "effect"
import type { DocumentNode, GraphQLError, ValidatedExecutionArgs } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import { type AnyEndpoint, statusOf } from "../../application/service/endpoint.ts"
import { type AuthError, InternalError } from "../../domain/errors.ts"
import { countUnlessLive } from "../../domain/limits/live-session.ts"
import { type Outcome, refusalOutcome } from "../http/exchange.ts"
import { limitHeaders, retryHeaders } from "../http/response-headers.ts"
import * as Errors from "./errors.ts"
import { unreadable } from "./operations.ts"
import type { Executed, Faults, Preparation } from "./preparation.ts"
import { NotAcceptable } from "./refusals.ts"
import { makeRequestContext, type Needs, type Request, type RequestContext } from "./request-context.ts"

/** What the shell has read of a request. */
export interface Received extends Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The media type of the response, unless it is a stream. */
  readonly type: string
  /** The kinds of responses that `Accept` allows: one result, and a stream of server-sent events. */
  readonly accepts: { readonly result: boolean; readonly stream: boolean }
  /** The JSON object of the body. */
  readonly body: object
}

/** One request on its way through yoga, for its plugins. */
export interface Incoming extends Pick<Received, "type" | "body"> {
  readonly calls: RequestContext
  /** Parses, validates and measures the document. Returns the errors that prevent its execution; throws a refusal of the request. */
  readonly prepare: (text: string, executed: Executed) => Promise<ReadonlyArray<GraphQLError>> | ReadonlyArray<GraphQLError>
  /** The document after `prepare`. */
  readonly document: () => DocumentNode
  /** The errors of an execution as clients see them; defects are logged. None when the client has disconnected. */
  readonly shown: (errors: ReadonlyArray<GraphQLError>) => ReadonlyArray<GraphQLError>
  /** The session and cookies of the response. */
  readonly outcome: () => Outcome
  readonly headers: () => Readonly<Record<string, string>>
}

/** Why a document is not executed. */
interface Refused {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The refusal of the endpoint that the document calls with an invalid input. */
  readonly refusal?: AuthError
}

/** Prepares documents that are not in the cache, and refuses those with faults. */
const makePrepare = <R>(auth: Auth<R>, { prepare }: Preparation) => {
  /**
   * Calls the endpoint with an invalid input, so that only a caller who passes its session and guard checks gets the faults of the input.
   */
  const refusedInput = Effect.fnUntraced(function* refusedInput(endpoint: AnyEndpoint, errors: ReadonlyArray<GraphQLError>) {
    const refusal = yield* auth.call(endpoint, unreadable).pipe(Effect.flip, Effect.orDie)
    const status = statusOf(endpoint, refusal)
    const isInput = refusal._tag === endpoint.invalid.code
    return { errors: isInput ? errors.map((each) => Errors.inputError(each, refusal, status)) : [Errors.refused(refusal, status)], refusal }
  })
  const refusedFor = ({ errors, endpoint }: Faults): Effect.Effect<Refused, AuthError, any> =>
    endpoint === undefined ? Effect.succeed({ errors: errors.map(Errors.documentError) }) : refusedInput(endpoint, errors)

  return {
    refusedFor,
    prepareNew: Effect.fnUntraced(function* prepareRequest(text: string, executed: Executed) {
      // A new document is the most expensive kind of request, so with an ended session it also counts against the address.
      yield* countUnlessLive
      return yield* Effect.result(prepare(text, executed))
    }),
  }
}

/** Makes the `Incoming` of each request. */
export const makeIncoming = <R>(auth: Auth<R>, preparation: Preparation) => {
  const { prepareNew, refusedFor } = makePrepare(auth, preparation)

  return (services: Context.Context<Needs<R>>, signal: AbortSignal, received: Received): Incoming => {
    const { type, body, accepts, onDefect } = received
    const calls = makeRequestContext(auth, services, signal, received)
    let execution: ValidatedExecutionArgs | undefined
    let refusal: AuthError | undefined
    let retry: Readonly<Record<string, string>> = {}

    const refuse = (error: AuthError) => {
      refusal = error
      retry = retryHeaders(error)
      return Errors.refusedRequest(error)
    }
    const run = async <A>(effect: Effect.Effect<A, AuthError, any>) => {
      try {
        return await calls.run(effect as Effect.Effect<A, AuthError>)
      } catch (error) {
        throw refuse(Errors.refusalOf(error as GraphQLError) ?? new InternalError())
      }
    }

    const prepared = (found: ValidatedExecutionArgs) => {
      execution = found
      if (!accepts[found.operation.operation === "subscription" ? "stream" : "result"]) throw refuse(new NotAcceptable())
      return []
    }
    const faulty = async (faults: Faults) => {
      const { errors, refusal } = await run(refusedFor(faults))
      if (refusal !== undefined) refuse(refusal)
      return errors.map(Errors.unexecuted)
    }
    const settled = (result: Result.Result<ValidatedExecutionArgs, Faults>) =>
      Result.isSuccess(result) ? prepared(result.success) : faulty(result.failure)
    const prepare: Incoming["prepare"] = (text, executed) => {
      const known = preparation.prepareKnown(text, executed)
      return known === undefined ? run(prepareNew(text, executed)).then(settled) : settled(known)
    }

    const shown: Incoming["shown"] = (errors) => {
      if (signal.aborted) return []
      retry = retryOf(errors)
      return Effect.runSyncWith(services)(Errors.shown(errors, onDefect))
    }

    return {
      type,
      body,
      calls,
      prepare,
      document: () => execution!.document,
      shown,
      outcome: () => (refusal === undefined ? calls.outcome() : refusalOutcome(refusal)),
      headers: () => ({ ...limitHeaders(calls.budget()), ...retry }),
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
