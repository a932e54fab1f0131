import { SchemaAST } from "effect"
import { isJsonObject } from "../../domain/values/json.ts"
import { isMoment } from "../graphql/shape.ts"
import { type Json, listOf, mapValues, referenced } from "./json.ts"

type AST = SchemaAST.AST

/**
 * Restores what the conversion to JSON Schema loses: the format of timestamps, and the rule that an optional member of an input
 * (`Schema.optional`) may be absent but not null. (In an output, an undefined member is written as null.)
 */
export const makeSchemaRestorer = (definitions: Readonly<Record<string, Json>>, side: "input" | "output") => {
  const named: Record<string, Json> = { ...definitions }
  const visited = new Set<string>()

  const restored = (schema: Json, ast: AST): Json => {
    if (SchemaAST.isSuspend(ast)) return restored(schema, ast.thunk())
    const name = referenced(schema)
    if (name !== undefined) {
      visit(name, ast)
      return schema
    }
    if (isMoment(ast)) return { ...schema, format: "date-time" }
    if (ast.encoding !== undefined) return schema
    const inner = { ...schema, ...membersOf(schema, ast) }
    if (!("allOf" in inner)) return inner
    return { ...inner, allOf: listOf(inner["allOf"]).map((part) => (referenced(part) === undefined ? part : restored(part, ast))) }
  }

  const membersOf = (schema: Json, ast: AST): Json => {
    if (SchemaAST.isObjects(ast)) return propertiesOf(schema, ast)
    if (SchemaAST.isArrays(ast)) return itemsOf(schema, ast)
    return SchemaAST.isUnion(ast) ? branchesOf(schema, ast) : {}
  }

  const propertiesOf = ({ properties }: Json, { propertySignatures }: SchemaAST.Objects): Json => {
    if (!isJsonObject(properties)) return {}
    const types = new Map(propertySignatures.map(({ name, type }) => [String(name), type]))
    const each = (property: unknown, name: string) => {
      const type = types.get(name)
      return type !== undefined && isJsonObject(property) ? restored(property, type) : property
    }
    return { properties: mapValues(properties, each) }
  }

  const itemsOf = ({ items }: Json, { elements, rest }: SchemaAST.Arrays): Json => {
    const [item] = rest
    return elements.length === 0 && item !== undefined && isJsonObject(items) ? { items: restored(items, item) } : {}
  }

  const branchesOf = (schema: Json, { types }: SchemaAST.Union): Json => {
    const kind = "oneOf" in schema ? "oneOf" : "anyOf"
    const branches = listOf(schema[kind])
    if (branches.length !== types.length) return {}
    const kept = branches.flatMap((branch, index) => (isAbsent(types[index]!) ? [] : [restored(branch, types[index]!)]))
    return { [kind]: kept }
  }

  const isAbsent = (ast: AST) => side === "input" && SchemaAST.isUndefined(ast)

  /** Restores a named schema once. */
  const visit = (name: string, ast: AST) => {
    if (visited.has(name)) return
    visited.add(name)
    named[name] = restored(named[name] ?? {}, ast)
  }

  return { restored, named }
}
