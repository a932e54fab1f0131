import type { GraphQLSchema } from "graphql"
import { createYoga } from "graphql-yoga"
import { masked } from "./errors.ts"
import type { Incoming } from "./incoming.ts"
import type { ServerContext } from "./plugins.ts"
import { useParameters, usePreparation, useTrustedDocuments } from "./plugins.ts"

/** The path within yoga, whatever the path of the service is: the router has matched it. */
const endpoint = "/graphql"
const url = `http://localhost${endpoint}`

interface Options {
  readonly trusted: ReadonlyMap<string, string> | undefined
  /** Logs an error that no plugin expected. */
  readonly onError: (error: unknown) => void
}

/** The GraphQL server. What the guard of `../http` decides is off here, and no body reaches yoga: its plugins get the object that was read. */
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
