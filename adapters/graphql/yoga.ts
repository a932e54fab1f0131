import type { ExecutionResult, GraphQLSchema } from "graphql"
import { createYoga } from "graphql-yoga"
import { written } from "./answers.ts"
import { masked } from "./errors.ts"
import type { Incoming } from "./incoming.ts"
import type { ServerContext } from "./plugins.ts"
import { usePreparation, useTrustedDocuments, yogaParameters } from "./plugins.ts"

/** The request in the hooks of plugins. It has no body: its parameters are those that the shell has read. */
const request = new Request("http://localhost/graphql", { method: "POST" })

export interface YogaOptions {
  readonly trusted: ReadonlyMap<string, string> | undefined
  /** Logs an error that no plugin expected. */
  readonly onError: (error: unknown) => void
}

/** The GraphQL server. Features of yoga that the guard in `../http` has as well are off. */
export const makeYoga = (schema: GraphQLSchema, { trusted, onError }: YogaOptions) => {
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: [trusted === undefined ? {} : useTrustedDocuments(trusted), usePreparation()],
    graphiql: false,
    maskedErrors: { maskError: masked },
    logging: { debug: ignored, info: ignored, warn: ignored, error: onError },
    parserAndValidationCache: false,
    cors: false,
    batching: false,
    multipart: false,
    landingPage: false,
  })

  const failed = (error: unknown, { signal }: Incoming): ExecutionResult => {
    const shown = masked(error)
    if (shown !== error && !signal.aborted) onError(error)
    return { errors: [shown] }
  }
  const resultOf = async (incoming: Incoming) => {
    try {
      const params = yogaParameters(incoming.body, trusted !== undefined)
      return (await yoga.getResultForParams({ params, request }, { incoming })) as ExecutionResult | AsyncIterable<ExecutionResult>
    } catch (error) {
      return failed(error, incoming)
    }
  }
  /** The response: one result, or the results of a stream. */
  const answerTo = async (incoming: Incoming) => {
    const result = await resultOf(incoming)
    return Symbol.asyncIterator in result ? { results: result } : written(result)
  }
  return { answerTo }
}

const ignored = () => {}
