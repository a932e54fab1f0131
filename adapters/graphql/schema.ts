import { SchemaAST } from "effect"
import {
  assertValidSchema,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  getNullableType,
  isInputObjectType,
  lexicographicSortSchema,
  printSchema,
} from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AnyGraphField } from "../../application/service/graph-field.ts"
import type { AnyEventStream } from "../../application/service/streams/event-stream.ts"
import type { StreamEvent } from "../../application/service/streams/reader.ts"
import * as Connections from "./connections.ts"
import { entitiesOf } from "./entities.ts"
import { federated, subgraphSdl } from "./federation.ts"
import { argumentOf, makeInputs } from "./inputs.ts"
import { typeName } from "./names.ts"
import { endpointExtension } from "./operations.ts"
import { joined, makeOutputs } from "./outputs.ts"
import { makeRegistry } from "./registry.ts"
import { after, type ResolverContext } from "./request-context.ts"
import { shaped } from "./shape.ts"

type Fields = GraphQLFieldConfigMap<any, ResolverContext>
type Field = GraphQLFieldConfig<any, ResolverContext>

const viewerType = "Viewer"

/** The endpoints with a GraphQL field: all but those of protocols that exist only over HTTP. */
export const operationsOf = ({ endpoints }: Pick<Auth<unknown>, "endpoints">): ReadonlyArray<readonly [string, AnyEndpoint]> =>
  Object.entries(endpoints).filter(([, { protocol }]) => protocol === undefined || protocol.isOperation === true)

/** The schema of a service: a field per endpoint, and the graph fields and streams of modules. Throws when two fields or types have one name. */
export const makeSchema = (
  auth: Pick<Auth<any>, "modules" | "tables" | "endpoints" | "graphFields" | "streams">,
  { federation = false }: { readonly federation?: boolean } = {},
): GraphQLSchema => {
  const registry = makeRegistry()
  const outputs = makeOutputs(registry, (type) => graphFieldsOf(type))
  const inputs = makeInputs(registry)
  const endpointField = makeEndpointField(inputs, outputs)
  const streamField = makeStreamField(inputs, outputs)
  const graphFieldConfig = makeGraphFieldConfig(outputs, Connections.makeConnections(registry))

  const graphFieldsOf = (type: string): Fields => {
    const fields: Fields = {}
    for (const graphField of auth.graphFields)
      if (parentTypeOf(graphField) === type)
        Object.assign(fields, joined(type, fields, { [graphField.name]: graphFieldConfig(type, graphField) }))
    return fields
  }
  const fieldsOf = (method: AnyEndpoint["method"]): Fields => {
    const operations = operationsOf(auth).filter(([, endpoint]) => endpoint.method === method)
    return Object.fromEntries(operations.map(([name, endpoint]) => [name, endpointField(name, endpoint)]))
  }

  const viewer = new GraphQLObjectType<any, ResolverContext>({
    name: viewerType,
    description: "The signed-in user and their data.",
    fields: () => graphFieldsOf(viewerType),
  })
  const graph: Fields = {
    viewer: { type: viewer, description: "The caller; null without a session.", resolve: (_, __, { calls }) => calls.viewer() },
  }
  const subscriptions: Fields = Object.fromEntries(auth.streams.map((stream) => [stream.name, streamField(stream)]))
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: () => joined("Query", graph, fieldsOf("GET")) }),
    mutation: new GraphQLObjectType({ name: "Mutation", fields: () => fieldsOf("POST") }),
    ...(auth.streams.length === 0 ? {} : { subscription: new GraphQLObjectType({ name: "Subscription", fields: subscriptions }) }),
  })
  assertValidSchema(schema)
  assertReachable(auth, schema)
  return federation ? federated(schema, printed(schema), entitiesOf(auth.tables)) : schema
}

type Outputs = ReturnType<typeof makeOutputs>

/** The field of an endpoint. It is nullable, since a refusal is an error of the field. */
const makeEndpointField =
  (inputs: ReturnType<typeof makeInputs>, outputs: Outputs) =>
  (name: string, endpoint: AnyEndpoint): Field => {
    const { type, show } = outputs.output(endpoint.output.ast, `${typeName(name)}Payload`)
    const shown = { type: type instanceof GraphQLNonNull ? type.ofType : type, show }
    const inputType = hasNoInput(endpoint) ? undefined : inputs.input(endpoint.input.ast, typeName(name))
    const resolve: Field["resolve"] = async (_, { input = {} }, { calls }) =>
      shown.show(await calls.call(endpoint, inputType === undefined ? {} : inputType.wire(input)))
    const args = inputType === undefined ? {} : { args: { input: { type: argumentOf(inputType.type) } } }
    const extensions = isInputObjectType(getNullableType(inputType?.type)) ? endpointExtension(endpoint) : {}
    return { type: shown.type, description: endpoint.summary, resolve, extensions, ...args }
  }

/** The GraphQL field of a graph field: its output, or a connection when it is paged. */
const makeGraphFieldConfig =
  (outputs: Outputs, connections: ReturnType<typeof Connections.makeConnections>) =>
  (type: string, graphField: AnyGraphField): Field => {
    const shown = outputs.output(graphField.output.ast, `${type}${typeName(graphField.name)}`)
    const description = graphField.summary
    if (graphField.place === undefined) {
      const resolve: Field["resolve"] = (parent, _, { calls }) => after(calls.load(graphField, parent, { limit: 1 }), shown.show)
      return { type: nullableIfRefusable(type, graphField, shown.type), description, resolve }
    }
    const connection = connections(graphField, shown, graphField.place)
    const resolve: Field["resolve"] = async (parent, args, { calls }) => {
      const page = await calls.run(connection.page(args))
      return connection.show((await calls.load(graphField, parent, page)) as ReadonlyArray<unknown>, page)
    }
    const args = graphField.backward ? Connections.bothWays : Connections.args
    return { type: nullableIfRefusable(type, graphField, new GraphQLNonNull(connection.type)), args, description, resolve }
  }

const makeStreamField =
  (inputs: ReturnType<typeof makeInputs>, outputs: Outputs) =>
  (stream: AnyEventStream): Field => {
    const shown = outputs.output(stream.output.ast, typeName(stream.name))
    const { type, wire } = inputs.input(stream.input.ast, typeName(stream.name))
    return {
      type: shown.type,
      description: stream.summary,
      args: { input: { type: argumentOf(type) } },
      subscribe: (_, { input = {} }, { calls }) => calls.open(stream, wire(input) as object),
      resolve: ({ value }: StreamEvent) => shown.show(value),
    }
  }

/** The schema in SDL; with federation, that of the subgraph. */
export const printed = (schema: GraphQLSchema): string => subgraphSdl(schema) ?? printSchema(lexicographicSortSchema(schema))

const parentTypeOf = ({ on }: AnyGraphField): string | undefined => (on === "viewer" ? viewerType : SchemaAST.resolveIdentifier(on.ast))

/**
 * Fields of the viewer are the caller's own and cannot be refused, unless they need a permission. Other fields are nullable, so that a refusal
 * removes only the field.
 */
const nullableIfRefusable = (type: string, { permission }: AnyGraphField, to: GraphQLOutputType) =>
  type === viewerType && permission === undefined ? to : getNullableType(to)

/** A graph field on an unreachable type is missing from the schema, which is intended only where the module of the type is off. */
const assertReachable = ({ graphFields, modules }: Pick<Auth<any>, "graphFields" | "modules">, schema: GraphQLSchema) => {
  const expected = graphFields.filter(({ of }) => of === undefined || modules.includes(of))
  const unreachable = expected.find((graphField) => schema.getType(parentTypeOf(graphField) ?? "") === undefined)
  if (unreachable !== undefined)
    throw new Error(
      `the graph field ${unreachable.name} is on ${parentTypeOf(unreachable) ?? "a schema without an identifier"}, which is not a type of the schema`,
    )
}

const hasNoInput = ({ input }: AnyEndpoint) => {
  const { ast } = shaped(input.ast)
  return SchemaAST.isObjects(ast) && ast.propertySignatures.length === 0
}
