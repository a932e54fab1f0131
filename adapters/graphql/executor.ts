import type { Context } from "effect"
import type { ExecutionResult, GraphQLSchema } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { ServerSentEvent } from "../http/event-stream.ts"
import type { Outcome } from "../http/exchange.ts"
import { written } from "./answers.ts"
import type { SchemaExposure } from "./documents.ts"
import type { Incoming } from "./incoming.ts"
import { makeIncoming } from "./incoming.ts"
import { makePreparation } from "./preparation.ts"
import type { Needs, Request } from "./request-context.ts"
import type { Settings } from "./settings.ts"
import { eventFieldsOf } from "./subscriptions.ts"
import type { YogaOptions } from "./yoga.ts"
import { makeYoga } from "./yoga.ts"

/** The response to a request, and the session and cookies that it sets. */
export interface Executed {
  readonly answer: { readonly status: number; readonly text: string } | Streamed
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: Outcome
}

interface Streamed {
  readonly results: AsyncIterable<ExecutionResult>
  /** The server-sent events of a result (GraphQL over SSE, distinct connections mode). */
  readonly eventsOf: (result: ExecutionResult) => ReadonlyArray<ServerSentEvent>
}

type Parameters = Request & Pick<Incoming, "type" | "accepts" | "body">

/** Executes requests. Its file imports everything that needs graphql-js. */
export const makeExecutor = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings, options: SchemaExposure & YogaOptions) => {
  const { answerTo } = makeYoga(schema, options)
  const begin = makeIncoming(auth, makePreparation(schema, settings, options))
  return async (services: Context.Context<Needs<R>>, signal: AbortSignal, parameters: Parameters): Promise<Executed> => {
    const incoming = begin(services, signal, parameters)
    const given = await answerTo(incoming)
    const answer = "results" in given ? { ...given, eventsOf } : given
    return { answer, headers: incoming.headers(), outcome: incoming.outcome() }
  }
}

const eventsOf = (result: ExecutionResult): ReadonlyArray<ServerSentEvent> => {
  const { id, isLast } = eventFieldsOf(result)
  const next = { ...(id === undefined ? {} : { id }), event: "next", data: written(result).text }
  return isLast ? [next, { event: "complete", data: "" }] : [next]
}
