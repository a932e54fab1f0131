// A gateway of Apollo Federation in front of the subgraph whose URL is the first argument, and of a second subgraph. Prints its own URL.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ApolloGateway, IntrospectAndCompose, RemoteGraphQLDataSource } from "@apollo/gateway"
import { buildSubgraphSchema } from "@apollo/subgraph"
import type { ExecutionResult } from "graphql"
import { graphql, Kind, parse } from "graphql"

interface Request {
  readonly query: string
  readonly variables?: Record<string, unknown>
}
type Headers = Readonly<Record<string, string>>

/** The header fields that the gateway forwards. */
const forwarded = ["cookie", "sallyport-gateway-secret"]

const serve = async (answer: (request: Request, headers: Headers) => Promise<unknown>): Promise<string> => {
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(
      forwarded.flatMap((field) => (request.headers[field] === undefined ? [] : [[field, String(request.headers[field])]])),
    )
    const body: unknown = await answer(JSON.parse(Buffer.concat(chunks).toString("utf8")), headers).catch((error: unknown) => ({
      errors: [{ message: String(error) }],
    }))
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const documents = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { document(author: ID!, organization: ID, team: ID): Document! }
  type Document { title: String! author: User organization: Organization team: Team }
  type User @key(fields: "id") { id: ID! documents: [Document!]! }
  type Organization @key(fields: "id", resolvable: false) { id: ID! }
  type Team @key(fields: "id", resolvable: false) { id: ID! }
  type PageInfo @shareable { hasNextPage: Boolean! }
`)

const reference = (id: string | undefined) => (id === undefined ? null : { id })
const documentOf = ({
  author,
  organization,
  team,
}: {
  readonly author?: string
  readonly organization?: string
  readonly team?: string
}) => ({
  title: `by ${author}`,
  author: reference(author),
  organization: reference(organization),
  team: reference(team),
})

const schema = buildSubgraphSchema([
  {
    typeDefs: documents,
    resolvers: {
      Query: { document: (_: unknown, args: object) => documentOf(args) },
      User: {
        __resolveReference: ({ id }: { readonly id: string }) => ({ id }),
        documents: ({ id }: { readonly id: string }) => [documentOf({ author: id })],
      },
    },
  },
])
const second = await serve(({ query, variables }) => graphql({ schema, source: query, variableValues: variables ?? null }))

const [, , subgraph = "", secret = ""] = process.argv
const gateway = new ApolloGateway({
  supergraphSdl: new IntrospectAndCompose({
    subgraphs: [
      { name: "sallyport", url: subgraph },
      { name: "documents", url: second },
    ],
    introspectionHeaders: { "sallyport-gateway-secret": secret },
  }),
  buildService: ({ url = "" }) =>
    new RemoteGraphQLDataSource({
      url,
      willSendRequest: ({ request, context }) => {
        for (const [field, value] of Object.entries((context["headers"] ?? {}) as Headers)) request.http?.headers.set(field, value)
      },
    }),
})
const { executor } = await gateway.load()

type Context = Parameters<typeof executor>[0]

const url = await serve(async ({ query, variables = {} }, headers): Promise<ExecutionResult> => {
  const document = parse(query)
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("the document has no operation")
  const request = { query, variables }
  const context: Partial<Context> = {
    document,
    operation,
    operationName: null,
    request,
    source: query,
    queryHash: query,
    context: { headers },
  }
  return executor(context as Context)
})
console.log(url)
