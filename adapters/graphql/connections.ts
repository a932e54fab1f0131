import { Effect, Option, Result, Schema, SchemaAST } from "effect"
import { Base64Url } from "effect/encoding"
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql"
import type { AnyGraphField, Page } from "../../application/service/graph-field.ts"
import { type AuthError, invalidMember } from "../../domain/errors.ts"
import { isStorableJson } from "../../domain/storage/query-checks.ts"
import type { Shown } from "./outputs.ts"
import type { Registry } from "./registry.ts"
import { isStruct } from "./shape.ts"

/** The page size without `first`. */
export const defaultFirst = 20
const maxFirst = 100

/** The maximum length of a cursor, in characters. Longer cursors are refused without decoding. */
const maxCursorLength = 4096

/** Marks the types of connections, which do not count in the cost of a document. */
export const connectionMark = { "sallyport/connection": true } as const

export const args: GraphQLFieldConfigArgumentMap = {
  first: {
    type: new GraphQLNonNull(GraphQLInt),
    description: `The number of nodes, at most ${maxFirst}.`,
    default: { value: defaultFirst },
  },
  after: { type: GraphQLString, description: "Returns the nodes after this cursor." },
}

/** The arguments of a list that can also be read from its end. */
export const bothWays: GraphQLFieldConfigArgumentMap = {
  first: { type: GraphQLInt, description: `The number of nodes, at most ${maxFirst}. Default: ${defaultFirst}.` },
  after: { type: GraphQLString, description: "Returns the nodes after this cursor." },
  last: { type: GraphQLInt, description: `The number of nodes at the end of the list, at most ${maxFirst}.` },
  before: { type: GraphQLString, description: "Returns the nodes before this cursor. With `last`." },
}

interface Wanted {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

/** Makes the connection of a paged field (GraphQL Cursor Connections Specification). */
export const makeConnections =
  (registry: Registry) => (graphField: AnyGraphField, node: Shown, place: NonNullable<AnyGraphField["place"]>) => {
    const cursors = cursorsOf("ast" in place ? place : fieldsOf(graphField, place))

    const page = (args: Wanted): Effect.Effect<Page, AuthError> =>
      Effect.gen(function* () {
        const { first = null, after = null, last = null, before = null } = args
        const isBackward = last !== null || before !== null
        if (isBackward && (first !== null || after !== null)) return yield* invalidMember("last", "Expected without first and after")
        const size = (isBackward ? last : first) ?? defaultFirst
        if (size < 0 || size > maxFirst) return yield* invalidMember(isBackward ? "last" : "first", `Expected 0 to ${maxFirst}`)
        const direction = isBackward ? { backward: true } : {}
        const cursor = isBackward ? before : after
        if (cursor === null) return { limit: size + 1, ...direction }
        const place = cursor.length > maxCursorLength ? Option.none() : cursors.read(cursor)
        return Option.isSome(place)
          ? { limit: size + 1, after: place.value, ...direction }
          : yield* invalidMember(isBackward ? "before" : "after", "Expected a cursor of this list")
      })

    /** The query reads one row more than the page, which decides whether there are more. */
    const show = (rows: ReadonlyArray<unknown>, { limit, after, backward = false }: Page) => {
      const inPage = rows.slice(0, limit - 1)
      const edges = (backward ? inPage.toReversed() : inPage).map((row) => ({ node: node.show(row), cursor: cursors.write(row) }))
      const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor]
      const [hasMore, hasCursor] = [rows.length >= limit, after !== undefined]
      const [hasNextPage, hasPreviousPage] = backward ? [hasCursor, hasMore] : [hasMore, hasCursor]
      return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } }
    }
    return { type: connectionOf(registry, node.type), page, show }
  }

const connectionOf = ({ named }: Registry, node: GraphQLOutputType) => {
  const name = nameOf(node)
  const partOf = (name: string, fields: () => GraphQLFieldConfigMap<any, unknown>, description?: string) =>
    named(name, "relay", () => new GraphQLObjectType({ name, extensions: connectionMark, description, fields }))

  const pageInfo = () => partOf("PageInfo", () => pageInfoFields, "The position of a page in its list.")
  const edge = () => partOf(`${name}Edge`, () => ({ node: { type: node }, cursor: { type: new GraphQLNonNull(GraphQLString) } }))
  return partOf(`${name}Connection`, () => ({
    edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge()))) },
    pageInfo: { type: new GraphQLNonNull(pageInfo()) },
  }))
}

const pageInfoFields: GraphQLFieldConfigMap<any, unknown> = {
  hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
  hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
  startCursor: { type: GraphQLString },
  endCursor: { type: GraphQLString },
}

/** A cursor contains the sort values of a row, not its id, so that paging continues after the row is deleted. */
const cursorsOf = (place: Schema.Codec<any, any>) => {
  const codec = Schema.fromJsonString(Schema.toCodecJson(place))
  const encode = Schema.encodeUnknownSync(codec)
  const decode = Schema.decodeUnknownOption(codec)
  return {
    write: (row: unknown) => Base64Url.encode(encode(row)),
    read: (cursor: string) =>
      Option.filter(Option.flatMap(Result.getSuccess(Base64Url.decodeString(cursor)), decode), (place) => isStorableJson(place)),
  }
}

/** A schema of these fields of the nodes. */
const fieldsOf = ({ name, output }: AnyGraphField, place: ReadonlyArray<string>) => {
  const ast = SchemaAST.toType(output.ast)
  if (!isStruct(ast)) throw new Error(`the nodes of the graph field ${name} are not structs`)
  const fields = place.map((field) => {
    const property = ast.propertySignatures.find((property) => property.name === field)
    if (property === undefined) throw new Error(`the nodes of the graph field ${name} have no ${field}`)
    return [field, Schema.make<Schema.Codec<unknown>>(property.type)] as const
  })
  return Schema.Struct(Object.fromEntries(fields))
}

const nameOf = (type: GraphQLOutputType): string => String(type).replace(/[[\]!]/g, "")
