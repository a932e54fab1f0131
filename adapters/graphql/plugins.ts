import { type ExecutionResult, type GraphQLError, specifiedRules, validate } from "graphql"
import { handleStreamOrSingleExecutionResult, isAsyncIterable, type Plugin, processRegularResult } from "graphql-yoga"
import { InternalError } from "../../domain/errors.ts"
import type { ServerSentEvent } from "../http/event-stream.ts"
import { documentError, refusalOf, refused, unexecuted } from "./errors.ts"
import type { Incoming } from "./incoming.ts"
import type { ResolverContext } from "./request-context.ts"

/** The members of the plugins' context besides those of yoga. */
export interface ServerContext extends ResolverContext {
  readonly incoming: Incoming
  /** Receives the results of a stream. */
  readonly stream: (results: AsyncIterable<ExecutionResult>) => void
}
type OwnPlugin = Plugin<ServerContext, ServerContext>

/**
 * Prepares the document before yoga's phases, which parse and validate without a pause: a long document would stall all other requests. The
 * phases then take the prepared document, and apply the validation rules that other plugins have added.
 */
export const usePreparation = (): OwnPlugin => ({
  onParams: ({ params: { query = "", operationName, variables = {} }, context: { incoming }, setResult }) => {
    const refuse = (errors: ReadonlyArray<GraphQLError>) => {
      if (errors.length > 0) setResult({ errors })
    }
    const errors = incoming.prepare(query, { operationName, variables })
    return "then" in errors ? errors.then(refuse) : refuse(errors)
  },
  onParse: ({ context: { incoming }, setParsedDocument }) => setParsedDocument(incoming.document()),
  onValidate: ({ params: { schema, documentAST, rules = [] }, setResult }) => {
    const added = rules.slice(specifiedRules.length)
    const errors = added.length === 0 ? [] : validate(schema, documentAST, added)
    setResult(errors.map((error) => unexecuted(documentError(error))))
  },
})

/** Gives the errors of results the codes of REST, before yoga masks errors without a code, and the results of a stream their event. */
export const useCodes = (): OwnPlugin => ({
  onExecute: () => ({ onExecuteDone: (payload) => handleStreamOrSingleExecutionResult(payload, setCodes) }),
  onSubscribe: () => ({
    onSubscribeResult: ({ args, result, setResult }) => {
      if (isAsyncIterable(result)) return { onNext: setEvent }
      const { incoming } = args.contextValue
      setResult({ errors: incoming.shown(result.errors ?? []).map(unexecuted) })
      return undefined
    },
    onSubscribeError: ({ error, setError }) => setError(refused(refusalOf(error as GraphQLError) ?? new InternalError())),
  }),
})

interface Payload {
  readonly args: { readonly contextValue: ServerContext }
  readonly result: ExecutionResult
  readonly setResult: (result: ExecutionResult) => void
}

const setCodes = ({ args: { contextValue }, result, setResult }: Payload) => {
  if (result.errors !== undefined) setResult(withCodes(contextValue, result))
}

const withCodes = ({ incoming }: ServerContext, { data = null, errors = [], ...rest }: ExecutionResult): ExecutionResult => {
  const shown = incoming.shown(errors)
  return shown.length === 0 ? { data, ...rest } : { errors: shown, data, ...rest }
}

const setEvent = ({ args: { contextValue }, result, setResult }: Payload) => {
  const { id, isLast = false } = contextValue.calls.event() ?? {}
  setResult({ ...withCodes(contextValue, result), extensions: { id, isLast } })
}

/**
 * The server-sent events of a result (GraphQL over SSE, distinct connections mode). A result without data ends the stream, and the last one
 * of a stream that is complete.
 */
export const eventsOf = ({ errors, data, extensions }: ExecutionResult): ReadonlyArray<ServerSentEvent> => {
  const next = { event: "next", data: JSON.stringify({ errors, data }) }
  if (data === undefined) return [next, complete]
  const event = { ...next, id: extensions?.["id"] as string | undefined }
  return extensions?.["isLast"] === true ? [event, complete] : [event]
}

const complete: ServerSentEvent = { event: "complete", data: "" }

/** Writes results with the media type that the shell has negotiated. The shell writes streams. */
export const useResponses = (): OwnPlugin => ({
  onResultProcess: ({ result, serverContext: { incoming, stream }, setResultProcessor }) => {
    if (!isAsyncIterable(result)) return setResultProcessor(processRegularResult, incoming.type)
    return setResultProcessor((results, { Response }) => {
      stream(results as AsyncIterable<ExecutionResult>)
      return new Response()
    }, "text/event-stream")
  },
})
