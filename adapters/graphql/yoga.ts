import type { GraphQLSchema } from "graphql"
import { createYoga } from "graphql-yoga"
import { masked } from "./errors.ts"
import type { Incoming } from "./incoming.ts"
import type { ServerContext } from "./plugins.ts"
import { useParameters, usePreparation, useTrustedDocuments } from "./plugins.ts"

/** The path within yoga. It is independent of the service's path, which the router has already matched. */
const endpoint = "/graphql"
const url = `http://localhost${endpoint}`

interface Options {
  readonly trusted: ReadonlyMap<string, string> | undefined
  /** Logs an error that no plugin expected. */
  readonly onError: (error: unknown) => void
}

/**
 * The GraphQL server. Yoga's own versions of what the guard in `../http` does are off, and yoga reads no body: its plugins get the object
 * that the shell has read.
 */
export const makeYoga = (schema: GraphQLSchema, { trusted, onError }: Options) => {
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: endpoint,
    plugins: [useParameters(trusted !== undefined), trusted === undefined ? {} : useTrustedDocuments(trusted), usePreparation()],
    graphiql: false,
    maskedErrors: { maskError: masked },
    logging: { debug: ignored, info: ignored, warn: ignored, error: onError },
    parserAndValidationCache: false,
    cors: false,
    batching: false,
    multipart: false,
    landingPage: false,
  })
  const { Request } = yoga.fetchAPI

  return {
    answerTo: async (incoming: Incoming) => {
      const request = new Request(url, { method: "POST", headers: { accept: incoming.type } })
      const response = await yoga.handleRequest(request, { incoming })
      return { status: response.status, text: await response.text() }
    },
  }
}
export type Yoga = ReturnType<typeof makeYoga>

const ignored = () => {}
