import type { Context } from "effect"
import type { ExecutionResult, GraphQLSchema } from "graphql"
import { type Plugin, YogaServer } from "graphql-yoga"
import type { Auth } from "../../application/service/auth.ts"
import type { ServerSentEvent } from "../http/event-stream.ts"
import type { Outcome } from "../http/exchange.ts"
import type { SchemaExposure } from "./documents.ts"
import { masked } from "./errors.ts"
import { makeIncoming, type Received } from "./incoming.ts"
import { parametersOf } from "./parameters.ts"
import { eventsOf, type ServerContext, useCodes, usePreparation, useResponses } from "./plugins.ts"
import { makePreparation } from "./preparation.ts"
import type { Needs } from "./request-context.ts"
import type { Settings } from "./settings.ts"

export interface YogaOptions {
  readonly trusted: ReadonlyMap<string, string> | undefined
  /** Logs an error that no plugin expected. */
  readonly onError: (error: unknown) => void
}

/** The response to a request, and the session and cookies that it sets. */
export interface Executed {
  readonly answer: { readonly status: number; readonly text: string } | Streamed
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: Outcome
}

interface Streamed {
  readonly results: AsyncIterable<ExecutionResult>
  readonly eventsOf: (result: ExecutionResult) => ReadonlyArray<ServerSentEvent>
}

/** The GraphQL server. Its file imports everything that needs graphql-js. Features of yoga that the guard in `../http` has as well are off. */
export const makeExecutor = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings, options: SchemaExposure & YogaOptions) => {
  const { trusted, onError } = options
  const begin = makeIncoming(auth, makePreparation(schema, settings, options))
  const yoga = new YogaServer<ServerContext, ServerContext>({
    schema,
    plugins: [...(settings.plugins as ReadonlyArray<Plugin>), usePreparation(), useCodes(), useResponses()],
    maskedErrors: { maskError: masked },
    logging: { debug: ignored, info: ignored, warn: ignored, error: onError },
    parserAndValidationCache: false,
  })
  // The shell has read the body. yoga's parsers would each look for parameters in the web request.
  yoga.parseRequest = (_, { incoming }) => ({ requestParserResult: parametersOf(incoming.body, trusted) })
  const { Request } = yoga.fetchAPI
  const waitUntil = (work: PromiseLike<void> | void) => void work?.then(ignored, onError)

  return async (services: Context.Context<Needs<R>>, signal: AbortSignal, received: Received): Promise<Executed> => {
    const incoming = begin(services, signal, received)
    let results: AsyncIterable<ExecutionResult> | undefined
    const request = new Request(received.url, { method: "POST", headers: received.headers, signal })
    const context = {
      waitUntil,
      incoming,
      calls: incoming.calls,
      stream: (opened: AsyncIterable<ExecutionResult>) => {
        results = opened
      },
    }
    const response = await yoga.handle(request, context)
    const { status } = response
    const answer = results === undefined ? { status, text: await response.text() } : { results, eventsOf }
    return { answer, headers: { ...Object.fromEntries(response.headers), ...incoming.headers() }, outcome: incoming.outcome() }
  }
}

const ignored = () => {}
