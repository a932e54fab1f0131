import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
} from "graphql"
import { Forbidden, InvalidRequest } from "../../domain/errors.ts"
import type { Entity } from "./entities.ts"
import { refused, refusedWith } from "./errors.ts"
import { batchMark } from "./limits.ts"
import type { ResolverContext } from "./request-context.ts"
import { Json } from "./scalars.ts"

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])'
const mark = "sallyport/subgraph"

/** Adds `_service` and `_entities`, with which a gateway of Apollo Federation 2 uses the schema as a subgraph. `sdl` is the schema without them. */
export const federated = (schema: GraphQLSchema, sdl: string, entities: ReadonlyArray<Entity>): GraphQLSchema => {
  const { query, ...config } = schema.toConfig()
  if (query === null || query === undefined) throw new Error("the schema has no queries")
  const { fields, ...rest } = query.toConfig()
  const subgraph = subgraphOf(sdl, entities)
  const added = { ...serviceField(subgraph), ...entitiesField(schema, entities) }
  const federatedQuery = new GraphQLObjectType({ ...rest, fields: { ...fields, ...added } })
  const types = config.types.filter((type) => type !== query)
  return new GraphQLSchema({ ...config, types, query: federatedQuery, extensions: { [mark]: subgraph } })
}

/** The SDL of the subgraph; undefined without federation. */
export const subgraphSdl = ({ extensions }: GraphQLSchema) => extensions[mark] as string | undefined

type Fields = GraphQLFieldConfigMap<unknown, ResolverContext>

const serviceField = (sdl: string): Fields => {
  const service = new GraphQLObjectType({
    name: "_Service",
    description: "A subgraph of Apollo Federation.",
    fields: { sdl: { type: GraphQLString, description: "The schema, for the composition of a gateway's schema." } },
  })
  const resolve: Fields[string]["resolve"] = (_, __, { calls }) => {
    if (!calls.readsSchema) throw refused(new Forbidden())
    return { sdl }
  }
  return { _service: { type: new GraphQLNonNull(service), description: "The schema of this subgraph.", resolve } }
}

const entitiesField = (schema: GraphQLSchema, entities: ReadonlyArray<Entity>): Fields => {
  const byType = new Map(entities.map((entity) => [entity.type, entity]))
  const types = [...byType.keys()].map((name) => schema.getType(name)).filter(isObjectType)
  const resolve: Fields[string]["resolve"] = (_, { representations }, { calls }) =>
    calls.entities(
      representations.map((each: unknown) => {
        const { __typename, id } = Object(each)
        const entity = byType.get(__typename)
        if (entity !== undefined && typeof id === "string") return { entity, id }
        throw refusedWith(InvalidRequest, "representations: Expected the __typename of an entity and its id")
      }),
    )
  return {
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLUnionType({ name: "_Entity", types }))),
      description: "The entities that these represent; null for those that the caller may not see.",
      args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Any))) } },
      extensions: batchMark,
      resolve,
    },
  }
}

const Any = new GraphQLScalarType({
  ...Json.toConfig(),
  name: "_Any",
  description: "An entity as other subgraphs identify it: by its `__typename` and `id`.",
  specifiedByURL: null,
})

/**
 * The SDL of the subgraph. Other subgraphs with connections define `PageInfo` too, so it has to be `@shareable`. The directive is added to
 * the type itself: on an extension, it would not apply to the fields of the type.
 */
const subgraphOf = (sdl: string, entities: ReadonlyArray<Entity>): string => {
  const keys = entities.map(({ type }) => `extend type ${type} @key(fields: "id")`)
  return [link, ...keys, sdl.replace(/^type PageInfo \{$/m, "type PageInfo @shareable {")].join("\n\n")
}
