import type { Context } from "effect"
import type { GraphQLSchema } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { Outcome } from "../http/exchange.ts"
import type { SchemaExposure } from "./documents.ts"
import type { Incoming } from "./incoming.ts"
import { makeIncoming } from "./incoming.ts"
import { makePreparation } from "./preparation.ts"
import type { Needs, Request } from "./request-context.ts"
import type { Settings } from "./settings.ts"
import type { YogaOptions } from "./yoga.ts"
import { makeYoga } from "./yoga.ts"

/** The response to a request, and the session and cookies that it sets. */
export interface Executed {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly outcome: Outcome
}

type Parameters = Request & Pick<Incoming, "type" | "body">

/** Executes requests. Its file imports everything that needs graphql-js. */
export const makeExecutor = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings, options: SchemaExposure & YogaOptions) => {
  const { answerTo } = makeYoga(schema, options)
  const begin = makeIncoming(auth, makePreparation(schema, settings, options))
  return async (services: Context.Context<Needs<R>>, signal: AbortSignal, parameters: Parameters): Promise<Executed> => {
    const incoming = begin(services, signal, parameters)
    const written = await answerTo(incoming)
    return { ...written, headers: incoming.headers(), outcome: incoming.outcome() }
  }
}
