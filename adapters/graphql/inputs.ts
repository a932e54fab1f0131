import { Schema, SchemaAST } from "effect"
import {
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableInputType,
} from "graphql"
import { memberName, typeName } from "./names.ts"
import { membersOf, type Registry } from "./registry.ts"
import { Json, scalars } from "./scalars.ts"
import { descriptionOf, isId, shaped } from "./shape.ts"

type AST = SchemaAST.AST
type Wire = (value: unknown) => unknown

/** An input type, and the conversion of its values to the input that an endpoint decodes. */
interface InputType {
  readonly type: GraphQLInputType
  readonly wire: Wire
}

const same: Wire = (value) => value

/** Makes input types. A nested type without an identifier is named after its member. */
export const makeInputs = ({ named, enumOf }: Registry) => {
  const nullable = (ast: AST, name: string, member: string): { readonly type: GraphQLNullableInputType; readonly wire: Wire } => {
    const { ast: present, shape } = shaped(ast)
    const own = SchemaAST.resolveIdentifier(present)
    switch (shape.kind) {
      case "scalar":
        return { type: shape.scalar === "String" && isId(member) ? GraphQLID : scalars[shape.scalar], wire: wireOf(present) }
      case "enum":
        return { type: enumOf(own ?? name, shape.values, SchemaAST.resolveDescription(shape.ast)), wire: same }
      case "list": {
        const item = input(shape.item, name, member)
        return {
          type: new GraphQLList(item.type),
          wire: (value) => (Array.isArray(value) ? value.map((each) => optional(item.wire, each)) : value),
        }
      }
      case "object":
        return object([shape.ast], own ?? name, SchemaAST.resolveDescription(present))
      case "union":
        return object(shape.members, own ?? name, SchemaAST.resolveDescription(present))
      case "encoded":
        return SchemaAST.toEncoded(present) === present ? { type: Json, wire: same } : nullable(SchemaAST.toEncoded(present), name, member)
      case "json":
        return { type: Json, wire: same }
    }
  }

  const input = (ast: AST, name: string, member: string): InputType => {
    const { type, wire } = nullable(ast, name, member)
    return { type: shaped(ast).nullable ? type : new GraphQLNonNull(type), wire }
  }

  /** GraphQL has no input unions: a union of structs becomes one type with the members of all, required where every struct requires them. */
  const object = (structs: ReadonlyArray<SchemaAST.Objects>, name: string, description: string | undefined) => {
    const members = new Map<string, Wire>()
    const config: Record<string, GraphQLInputFieldConfig> = {}
    for (const [property, types] of propertiesOf(structs)) {
      const ast = types.length === 1 ? types[0]! : Schema.Union(types.map((type) => Schema.make(type))).ast
      const member = nullable(ast, `${name}${typeName(property)}`, property)
      const required = structs.every((struct) => requires(struct, property)) && !shaped(ast).nullable
      members.set(property, member.wire)
      config[memberName(property)] = {
        type: required ? new GraphQLNonNull(member.type) : member.type,
        description: descriptionOf(types[0]!),
      }
    }
    const shape = structs.map((struct) => membersOf("input", struct)).join()
    const type = named(`${name}Input`, shape, () => new GraphQLInputObjectType({ name: `${name}Input`, description, fields: config }))
    const wire: Wire = (value) => {
      const values = value as Readonly<Record<string, unknown>>
      const raw: Record<string, unknown> = {}
      for (const [property, wire] of members) {
        const memberValue = values[memberName(property)]
        if (memberValue !== undefined) raw[property] = optional(wire, memberValue)
      }
      return raw
    }
    return { type, wire }
  }

  return { input: (ast: AST, name: string) => input(ast, name, "") }
}

const optional = (wire: Wire, value: unknown) => (value === null || value === undefined ? value : wire(value))

const propertiesOf = (structs: ReadonlyArray<SchemaAST.Objects>): ReadonlyMap<string, ReadonlyArray<AST>> => {
  const types = new Map<string, ReadonlyArray<AST>>()
  for (const { propertySignatures } of structs) {
    for (const { name, type } of propertySignatures) types.set(String(name), [...(types.get(String(name)) ?? []), type])
  }
  return types
}

const requires = ({ propertySignatures }: SchemaAST.Objects, member: PropertyKey) => {
  const property = propertySignatures.find(({ name }) => name === member)
  return property !== undefined && !SchemaAST.isOptional(SchemaAST.toEncoded(property.type))
}

/**
 * Query parameters of REST are text, so an endpoint may decode numbers and booleans from text. The numbers and booleans of GraphQL are
 * converted to such text.
 */
const wireOf = (ast: AST): Wire => (SchemaAST.isString(shaped(SchemaAST.toEncoded(ast)).ast) ? String : same)

/** The type of the argument `input`: it is optional if every member is. */
export const argumentOf = (type: GraphQLInputType): GraphQLInputType =>
  type instanceof GraphQLNonNull && hasOnlyOptionalMembers(type) ? type.ofType : type

const hasOnlyOptionalMembers = (type: GraphQLNonNull<any>): boolean => {
  const { getFields } = type.ofType as { readonly getFields?: () => Readonly<Record<string, { readonly type: unknown }>> }
  return getFields !== undefined && Object.values(getFields.call(type.ofType)).every((field) => !(field.type instanceof GraphQLNonNull))
}
