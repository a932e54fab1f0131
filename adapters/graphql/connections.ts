import { Effect, Option, Result, Schema, SchemaAST } from "effect"
import { Base64Url } from "effect/encoding"
import type { GraphQLFieldConfigArgumentMap, GraphQLFieldConfigMap, GraphQLOutputType } from "graphql"
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql"
import type { AnyGraphField, Page } from "../../application/service/graph-field.ts"
import type { AuthError } from "../../domain/errors.ts"
import { InvalidRequest } from "../../domain/errors.ts"
import { isStorableJson } from "../../domain/storage/store-question.ts"
import type { Shown } from "./outputs.ts"
import { shownOf } from "./outputs.ts"
import type { Registry } from "./registry.ts"
import { isStruct } from "./shape.ts"

/** Nodes of a page that asks for no number. */
export const defaultFirst = 20
/** The most nodes of a page. */
const mostFirst = 100

/** The longest cursor that is decoded, in characters. */
const maxCursorLength = 4096

/** Marks the types that pages are made of. */
export const frame = { "sallyport/frame": true } as const

export const args: GraphQLFieldConfigArgumentMap = {
  first: { type: new GraphQLNonNull(GraphQLInt), description: `How many, at most ${mostFirst}.`, default: { value: defaultFirst } },
  after: { type: GraphQLString, description: "The cursor that the page begins after." },
}

/** A list that is read by pages (GraphQL Cursor Connections Specification). */
export const makeConnections =
  (registry: Registry) => (graphField: AnyGraphField, node: Shown, place: NonNullable<AnyGraphField["place"]>) => {
    const cursors = cursorsOf("ast" in place ? place : fieldsOf(graphField, place))

    const page = (given: { readonly first: number; readonly after?: string | null }): Effect.Effect<Page, AuthError> =>
      Effect.gen(function* () {
        const { first, after = null } = given
        if (first < 0 || first > mostFirst) return yield* new InvalidRequest({ message: `first: Expected 0 to ${mostFirst}` })
        if (after === null) return { limit: first + 1 }
        const place = after.length > maxCursorLength ? Option.none() : cursors.read(after)
        return Option.isSome(place)
          ? { limit: first + 1, after: place.value }
          : yield* new InvalidRequest({ message: "after: Expected a cursor of this list" })
      })

    /** One row more than was asked for says that there are more. */
    const show = (rows: ReadonlyArray<unknown>, { limit, after }: Page) => {
      const edges = rows.slice(0, limit - 1).map((row) => ({ node: shownOf(node, row), cursor: cursors.write(row) }))
      const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor]
      return { edges, pageInfo: { hasNextPage: rows.length >= limit, hasPreviousPage: after !== undefined, startCursor, endCursor } }
    }
    return { type: connectionOf(registry, node.type), page, show }
  }

const connectionOf = ({ named }: Registry, node: GraphQLOutputType) => {
  const name = nameOf(node)
  const framed = (name: string, fields: () => GraphQLFieldConfigMap<any, unknown>, description?: string) =>
    named(name, "relay", () => new GraphQLObjectType({ name, extensions: frame, description, fields }))

  const pageInfo = () => framed("PageInfo", () => pageInfoFields, "Where a page of a list stands.")
  const step = () => framed(`${name}Edge`, () => ({ node: { type: node }, cursor: { type: new GraphQLNonNull(GraphQLString) } }))
  return framed(`${name}Connection`, () => ({
    edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(step()))) },
    pageInfo: { type: new GraphQLNonNull(pageInfo()) },
  }))
}

const pageInfoFields: GraphQLFieldConfigMap<any, unknown> = {
  hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
  hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
  startCursor: { type: GraphQLString },
  endCursor: { type: GraphQLString },
}

/** A cursor is a place in the list, so that a page goes on even where the row it ended with is gone. */
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

/** Some fields of an edge's nodes. */
const fieldsOf = ({ name, output }: AnyGraphField, place: ReadonlyArray<string>) => {
  const ast = SchemaAST.toType(output.ast)
  if (!isStruct(ast)) throw new Error(`the nodes of the edge ${name} are no structs`)
  const fields = place.map((field) => {
    const found = ast.propertySignatures.find((property) => property.name === field)
    if (found === undefined) throw new Error(`the nodes of the edge ${name} have no ${field}`)
    return [field, Schema.make<Schema.Codec<unknown>>(found.type)] as const
  })
  return Schema.Struct(Object.fromEntries(fields))
}

const nameOf = (type: GraphQLOutputType): string => String(type).replace(/[[\]!]/g, "")
