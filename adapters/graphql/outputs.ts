import { Schema, SchemaAST } from "effect"
import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableOutputType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
} from "graphql"
import { baseOf, enumName, memberName, typeName } from "./names.ts"
import { membersOf, type Registry } from "./registry.ts"
import type { ResolverContext } from "./request-context.ts"
import { Json, scalars } from "./scalars.ts"
import { descriptionOf, isEncoded, isId, shaped } from "./shape.ts"

type AST = SchemaAST.AST
type Show = (value: any) => unknown
type Fields = GraphQLFieldConfigMap<any, ResolverContext>

/** An output type, and the conversion of the values of its schema to those of GraphQL; null and undefined are values too. */
export interface Shown<T extends GraphQLOutputType = GraphQLOutputType> {
  readonly type: T
  readonly show: Show
}

const same: Show = (value) => value

/** Makes output types. `graphFields` are the fields that modules add to a shared type. */
export const makeOutputs = ({ named, enumOf }: Registry, graphFields: (type: string) => Fields) => {
  const nullable = (ast: AST, name: string, member: string): Shown<GraphQLNullableOutputType> => {
    const { ast: present, shape } = shaped(ast)
    const own = SchemaAST.resolveIdentifier(present)
    switch (shape.kind) {
      case "scalar":
        return { type: shape.scalar === "String" && isId(member) ? GraphQLID : scalars[shape.scalar], show: same }
      case "enum":
        return { type: enumOf(own ?? name, shape.values, SchemaAST.resolveDescription(shape.ast)), show: same }
      case "list": {
        const item = output(shape.item, `${name}Item`, member)
        return { type: new GraphQLList(item.type), show: (values) => values.map(item.show) }
      }
      case "object":
        return { type: object(shape.ast, own ?? name), show: same }
      case "union":
        return { type: union(shape.members, own ?? name, SchemaAST.resolveDescription(present)), show: same }
      case "encoded":
      case "json":
        return { type: Json, show: Schema.encodeUnknownSync(Schema.toCodecJson(Schema.make<Schema.Codec<unknown>>(present))) }
    }
  }

  const output = (ast: AST, name: string, member: string): Shown => {
    if (isEncoded(ast)) return encoded(ast, name, member)
    const { type, show } = nullable(ast, name, member)
    return {
      type: shaped(ast).nullable || SchemaAST.isOptional(ast) ? type : new GraphQLNonNull(type),
      show: (value) => (value === null || value === undefined ? null : show(value)),
    }
  }

  /** The output of the encoded schema. It is encoded as a member of a struct, since an encoding can omit its member. */
  const encoded = (ast: AST, name: string, member: string): Shown => {
    const codec = Schema.toCodecJson(Schema.Struct({ value: Schema.make<Schema.Codec<unknown>>(ast) }))
    const [property] = (SchemaAST.toEncoded(codec.ast) as SchemaAST.Objects).propertySignatures
    const { type, show } = output(property!.type, SchemaAST.resolveIdentifier(shaped(ast).ast) ?? name, member)
    const encode = Schema.encodeUnknownSync(codec) as (struct: object) => { readonly value?: unknown }
    return { type, show: (value) => show(encode(value === undefined ? {} : { value }).value) }
  }

  const object = (ast: SchemaAST.Objects, name: string): GraphQLObjectType =>
    named(name, membersOf("type", ast), () => {
      const fields = (): Fields => {
        const own = ast.propertySignatures.map(({ name: property, type: ast }) => {
          const wireName = String(property)
          const shown = output(ast, `${baseOf(name)}${typeName(wireName)}`, wireName)
          const resolve = (source: any) => shown.show(source[property])
          return [memberName(wireName), { type: shown.type, description: descriptionOf(ast), resolve }] as const
        })
        return joined(name, Object.fromEntries(own), graphFields(name))
      }
      return new GraphQLObjectType<any, ResolverContext>({ name, description: SchemaAST.resolveDescription(ast), fields })
    })

  const union = (members: ReadonlyArray<SchemaAST.Objects>, name: string, description: string | undefined) =>
    named(name, members.map((member) => membersOf("union", member)).join(" | "), () => {
      const types = members.map((member) => object(member, SchemaAST.resolveIdentifier(member) ?? `${baseOf(name)}${traitOf(member)}`))
      const tests = members.map((member) => Schema.is(Schema.make<Schema.Codec<unknown>>(SchemaAST.toType(member))))
      return new GraphQLUnionType({
        name,
        description,
        types,
        resolveType: (value) => types[tests.findIndex((test) => test(value))]?.name,
      })
    })

  return { output: (ast: AST, name: string) => output(ast, name, "") }
}

/** Merges two sets of fields of a type; throws when both have the same name. */
export const joined = (type: string, fields: Fields, others: Fields): Fields => {
  const duplicate = Object.keys(others).find((name) => name in fields)
  if (duplicate !== undefined) throw new Error(`${type} has two GraphQL fields named ${duplicate}`)
  return { ...fields, ...others }
}

/** Names a union member without an identifier: after its first literal, else after its first property. */
const traitOf = ({ propertySignatures }: SchemaAST.Objects): string => {
  for (const { type } of propertySignatures) {
    const { shape } = shaped(type)
    if (shape.kind === "enum" && shape.values.length === 1) return typeName(enumName(shape.values[0]!).toLowerCase())
  }
  return typeName(String(propertySignatures[0]!.name))
}
