import type { SchemaAST } from "effect"
import type { GraphQLNamedType } from "graphql"
import { GraphQLEnumType } from "graphql"
import { enumName } from "./names.ts"

/** The types made so far, by name: what several operations share is one type. Throws when two schemas want one name. */
export const makeRegistry = () => {
  const types = new Map<string, { readonly type: GraphQLNamedType; readonly shape: string }>()

  /** The type of this name, made the first time it is asked for. `shape` is what two schemas of one name have to have in common. */
  const named = <T extends GraphQLNamedType>(name: string, shape: string, make: () => T): T => {
    const known = types.get(name)
    if (known === undefined) {
      const type = make()
      types.set(name, { type, shape })
      return type
    }
    if (known.shape !== shape) throw new Error(`two schemas are called ${name} in GraphQL`)
    return known.type as T
  }

  const enumOf = (name: string, values: ReadonlyArray<string>, description: string | undefined) =>
    named(name, `enum ${[...values].sort().join()}`, () => {
      const names = new Map(values.map((value) => [enumName(value), { value }]))
      if (names.size < values.length) throw new Error(`two values of ${name} have one name in GraphQL`)
      return new GraphQLEnumType({ name, description, values: Object.fromEntries(names) })
    })

  return { named, enumOf }
}
export type Registry = ReturnType<typeof makeRegistry>

/** The members of a struct, which tell one from another of the same name. */
export const membersOf = (kind: string, ast: SchemaAST.Objects): string =>
  `${kind} ${ast.propertySignatures
    .map(({ name }) => String(name))
    .sort()
    .join()}`
