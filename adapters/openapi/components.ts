import { isJsonObject } from "../../domain/values/json.ts"
import { baseOf, enumName, typeName } from "../graphql/names.ts"
import { component, type Json, listOf, mapValues, referenced } from "./json.ts"

/** The named schemas of the document. Objects without a name get the one that they have in GraphQL. */
export const makeComponents = (definitions: Readonly<Record<string, Json>>) => {
  const schemas = new Map<string, Json>()

  const add = (name: string, schema: Json): Json => {
    if (schemas.has(name) || name in definitions) throw new Error(`two schemas have the OpenAPI name ${name}`)
    schemas.set(name, schema)
    return component("schemas", name)
  }

  /** A reference to a schema that several responses share under one name. */
  const shared = (name: string, schema: Json): Json => (schemas.has(name) ? component("schemas", name) : add(name, schema))

  /** A reference to an output, which becomes a component if it is an object or a union. */
  const payload = (schema: Json, name: string): Json => {
    const own = hoisted(schema, name)
    return branchesOf(schema).length > 0 ? add(name, own) : own
  }

  /** Makes an object a component and returns a reference to it. Other schemas are returned with references in place of their objects. */
  const hoisted = (schema: Json, name: string): Json => {
    if (isObject(schema)) return add(name, withMembers(schema, name))
    const branches = branchesOf(schema)
    if (branches.length > 0) return unionOf(schema, branches, name)
    const { items } = schema
    return isJsonObject(items) ? { ...schema, items: hoisted(items, `${name}Item`) } : schema
  }

  const withMembers = (schema: Json, name: string): Json => ({
    ...schema,
    properties: mapValues(schema["properties"] as Json, (property, member) =>
      isJsonObject(property) ? hoisted(property, `${baseOf(name)}${typeName(member)}`) : property,
    ),
  })

  /** Clients distinguish branches by required members: `oneOf` where no branch requires every member that another one requires. */
  const unionOf = (schema: Json, branches: ReadonlyArray<Json>, name: string): Json => {
    const { anyOf, oneOf, ...rest } = schema
    const named = branches.map((branch) => hoisted(branch, `${baseOf(name)}${isObject(branch) ? traitOf(branch) : ""}`))
    return { ...rest, [isDisjoint(branches) ? "oneOf" : "anyOf"]: named }
  }

  const isDisjoint = (branches: ReadonlyArray<Json>): boolean => {
    const required = branches.map((branch) => requiredOf(resolved(branch)))
    return required.every((own, index) =>
      required.every((other, position) => index === position || own.some((member) => !other.includes(member))),
    )
  }

  const resolved = (schema: Json): Json => definitions[referenced(schema) ?? ""] ?? schema

  for (const [name, schema] of Object.entries(definitions)) schemas.set(name, isObject(schema) ? withMembers(schema, name) : schema)
  return { add, shared, payload, hoisted, all: () => Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))) }
}
export type Components = ReturnType<typeof makeComponents>

/** Whether a schema is an object with members of its own. */
const isObject = ({ type, properties }: Json): boolean => type === "object" && isJsonObject(properties)

export const branchesOf = ({ anyOf, oneOf }: Json): ReadonlyArray<Json> => listOf(anyOf ?? oneOf)

const requiredOf = ({ required }: Json): ReadonlyArray<unknown> => (Array.isArray(required) ? required : [])

/** Names a branch without a name: after its first literal text, else after its first member. */
const traitOf = ({ properties }: Json): string => {
  const members = Object.entries(properties as Json)
  for (const [, member] of members) {
    const values = isJsonObject(member) && member["type"] === "string" ? member["enum"] : undefined
    if (Array.isArray(values) && values.length === 1) return typeName(enumName(String(values[0])).toLowerCase())
  }
  return typeName(members[0]?.[0] ?? "")
}
