import type { SchemaAST } from "effect"
import { GraphQLEnumType, type GraphQLNamedType } from "graphql"
import { enumName } from "./names.ts"

/** The types by name, so that operations share them. Throws when two schemas have one name. */
export const makeRegistry = () => {
  const types = new Map<string, { readonly type: GraphQLNamedType; readonly shape: string }>()

  /** Returns the type of this name, or makes it. Two schemas of one name must have the same `shape`. */
  const named = <T extends GraphQLNamedType>(name: string, shape: string, make: () => T): T => {
    const known = types.get(name)
    if (known === undefined) {
      const type = make()
      types.set(name, { type, shape })
      return type
    }
    if (known.shape !== shape) throw new Error(`two schemas have the GraphQL name ${name}`)
    return known.type as T
  }

  const enumOf = (name: string, values: ReadonlyArray<string>, description: string | undefined) =>
    named(name, `enum ${[...values].sort().join()}`, () => {
      const names = new Map(values.map((value) => [enumName(value), { value }]))
      if (names.size < values.length) throw new Error(`two values of ${name} have the same GraphQL name`)
      return new GraphQLEnumType({ name, description, values: Object.fromEntries(names) })
    })

  return { named, enumOf }
}
export type Registry = ReturnType<typeof makeRegistry>

/** The shape of a struct: its kind and its members. */
export const membersOf = (kind: string, ast: SchemaAST.Objects): string =>
  `${kind} ${ast.propertySignatures
    .map(({ name }) => String(name))
    .sort()
    .join()}`
