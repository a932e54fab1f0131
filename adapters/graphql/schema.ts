import { SchemaAST } from "effect"
import type { GraphQLFieldConfig, GraphQLFieldConfigMap, GraphQLOutputType } from "graphql"
import {
  assertValidSchema,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  getNullableType,
  isInputObjectType,
  lexicographicSortSchema,
  printSchema,
} from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AnyGraphField } from "../../application/service/graph-field.ts"
import * as Connections from "./connections.ts"
import { makeInputs } from "./inputs.ts"
import { typeName } from "./names.ts"
import { calling } from "./operations.ts"
import { joined, makeOutputs, shownOf } from "./outputs.ts"
import { makeRegistry } from "./registry.ts"
import { shaped } from "./shape.ts"
import type { Visit } from "./visit.ts"

type Fields = GraphQLFieldConfigMap<any, Visit>
type Field = GraphQLFieldConfig<any, Visit>

/** The type that the graph begins with. */
const viewerType = "Viewer"

/** The operations that are fields: those of protocols that are spoken over HTTP alone are not. */
export const operationsOf = ({ endpoints }: Pick<Auth<unknown>, "endpoints">): ReadonlyArray<readonly [string, AnyEndpoint]> =>
  Object.entries(endpoints).filter(([, { protocol }]) => protocol === undefined || protocol.isOperation === true)

/** The schema of a service: a field for each endpoint, and the graph that edges make. Throws when two things want one name. */
export const makeSchema = (auth: Pick<Auth<any>, "endpoints" | "graphFields">): GraphQLSchema => {
  const registry = makeRegistry()
  const outputs = makeOutputs(registry, (type) => edgesOf(type))
  const endpointField = makeEndpointField(makeInputs(registry), outputs)
  const edgeField = makeEdgeField(outputs, Connections.makeConnections(registry))

  const edgesOf = (type: string): Fields => {
    const fields: Fields = {}
    for (const graphField of auth.graphFields)
      if (originOf(graphField) === type) Object.assign(fields, joined(type, fields, { [graphField.name]: edgeField(type, graphField) }))
    return fields
  }
  const fieldsOf = (method: AnyEndpoint["method"]): Fields => {
    const operations = operationsOf(auth).filter(([, endpoint]) => endpoint.method === method)
    return Object.fromEntries(operations.map(([name, endpoint]) => [name, endpointField(name, endpoint)]))
  }

  const viewer = new GraphQLObjectType<any, Visit>({
    name: viewerType,
    description: "Somebody who is signed in.",
    fields: () => edgesOf(viewerType),
  })
  const graph: Fields = {
    viewer: { type: viewer, description: "Who asks; null without a session.", resolve: (_, __, visit) => visit.viewer() },
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: () => joined("Query", graph, fieldsOf("GET")) }),
    mutation: new GraphQLObjectType({ name: "Mutation", fields: () => fieldsOf("POST") }),
  })
  assertValidSchema(schema)
  assertTaken(auth.graphFields, schema)
  return schema
}

type Outputs = ReturnType<typeof makeOutputs>

/** The field of an endpoint; it can be left without a value where the endpoint refuses. */
const makeEndpointField =
  (inputs: ReturnType<typeof makeInputs>, outputs: Outputs) =>
  (name: string, endpoint: AnyEndpoint): Field => {
    const { type, show } = outputs.output(endpoint.output.ast, `${typeName(name)}Payload`)
    const shown = { type: type instanceof GraphQLNonNull ? type.ofType : type, show }
    const taken = takesNothing(endpoint) ? undefined : inputs.input(endpoint.input.ast, typeName(name))
    const isOptional = taken?.type instanceof GraphQLNonNull && hasDefaults(taken.type)
    const resolve: Field["resolve"] = async (_, { input = {} }, visit) =>
      shownOf(shown, await visit.call(endpoint, taken === undefined ? {} : taken.wire(input)))
    const args = taken === undefined ? {} : { args: { input: { type: isOptional ? taken.type.ofType : taken.type } } }
    const extensions = isInputObjectType(getNullableType(taken?.type)) ? calling(endpoint) : {}
    return { type: shown.type, description: endpoint.summary, resolve, extensions, ...args }
  }

/** The field of an edge from this type: what it leads to, or where that is a list to be read by pages, a connection. */
const makeEdgeField =
  (outputs: Outputs, connections: ReturnType<typeof Connections.makeConnections>) =>
  (type: string, graphField: AnyGraphField): Field => {
    const shown = outputs.output(graphField.output.ast, `${type}${typeName(graphField.name)}`)
    const description = graphField.summary
    if (graphField.place === undefined) {
      const resolve: Field["resolve"] = async (parent, _, visit) => shownOf(shown, await visit.load(graphField, parent, { limit: 1 }))
      return { type: optionalBut(type, shown.type), description, resolve }
    }
    const connection = connections(graphField, shown, graphField.place)
    const resolve: Field["resolve"] = async (parent, given, visit) => {
      const page = await visit.run(connection.page(given))
      return connection.show((await visit.load(graphField, parent, page)) as ReadonlyArray<unknown>, page)
    }
    return { type: optionalBut(type, new GraphQLNonNull(connection.type)), args: Connections.args, description, resolve }
  }

/** The schema in GraphQL's own language. */
export const printed = (schema: GraphQLSchema): string => printSchema(lexicographicSortSchema(schema))

const originOf = ({ on }: AnyGraphField): string | undefined => (on === "viewer" ? viewerType : SchemaAST.resolveIdentifier(on.ast))

/** From the viewer everything leads to their own; from other things it may be refused, which takes no more away than the field. */
const optionalBut = (type: string, to: GraphQLOutputType) => (type === viewerType ? to : getNullableType(to))

/** An edge from a type that nothing leads to would silently not be there. */
const assertTaken = (graphFields: ReadonlyArray<AnyGraphField>, schema: GraphQLSchema) => {
  const lost = graphFields.find((graphField) => schema.getType(originOf(graphField) ?? "") === undefined)
  if (lost !== undefined)
    throw new Error(`the edge ${lost.name} hangs from ${originOf(lost) ?? "a schema without an identifier"}, which is no type of the graph`)
}

const takesNothing = ({ input }: AnyEndpoint) => {
  const { ast } = shaped(input.ast)
  return SchemaAST.isObjects(ast) && ast.propertySignatures.length === 0
}

/** Whether an input can be left out as a whole. */
const hasDefaults = (type: GraphQLNonNull<any>): boolean => {
  const { getFields } = type.ofType as { readonly getFields?: () => Readonly<Record<string, { readonly type: unknown }>> }
  return getFields !== undefined && Object.values(getFields.call(type.ofType)).every((field) => !(field.type instanceof GraphQLNonNull))
}
