import { isJsonObject } from "../../domain/values/json.ts"
import { type Json, listOf, mapValues } from "./json.ts"

/** A schema in the form that generators of clients understand; it accepts the same values. */
export const cleaned = (schema: Json): Json => nullable(single(merged(mapMembers(open(bounded(schema))))))

/** The members whose value is a schema, a list of schemas or an object of schemas. */
const mapMembers = (schema: Json): Json =>
  mapValues(schema, (value, member) => {
    if (["allOf", "anyOf", "oneOf", "prefixItems"].includes(member)) return listOf(value).map(cleaned)
    if (["properties", "patternProperties"].includes(member) && isJsonObject(value))
      return mapValues(value, (property) => (isJsonObject(property) ? cleaned(property) : property))
    return ["items", "additionalProperties", "propertyNames"].includes(member) && isJsonObject(value) ? cleaned(value) : value
  })

/** Additional members are allowed by default; generators turn an explicit `additionalProperties` into an index signature. */
const open = (schema: Json): Json => {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === true || isEmpty(additionalProperties) ? rest : schema
}

const isEmpty = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0

/** The bounds of every integer in JavaScript. The format stops generators for other languages from using 32-bit integers. */
const bounded = (schema: Json): Json => {
  if (schema["type"] !== "integer") return schema
  const { minimum, maximum, ...rest } = schema
  if (minimum !== Number.MIN_SAFE_INTEGER || maximum !== Number.MAX_SAFE_INTEGER) return schema
  return { ...rest, format: "int64" }
}

/** Moves the members of `allOf` to the schema itself, unless both have a member of the same name and another value. */
const merged = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const kept: Array<Json> = []
  let own: Json = rest
  for (const part of listOf(allOf)) {
    const fits = Object.entries(part).every(([member, value]) => !(member in own) || isSame(own[member], value))
    if (fits) own = { ...own, ...part }
    else kept.push(part)
  }
  return kept.length === 0 ? own : { ...own, allOf: kept }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A union of one schema is that schema. */
const single = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  const branches = listOf(anyOf)
  return branches.length === 1 ? merged({ ...rest, allOf: branches }) : schema
}

const scalars: ReadonlyArray<unknown> = ["boolean", "integer", "number", "string"]

/** A scalar or null is one schema with two types. */
const nullable = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  const branches = listOf(anyOf)
  const [value, ...others] = branches.filter(({ type }) => type !== "null")
  if (branches.length !== 2 || value === undefined || others.length > 0 || !scalars.includes(value["type"])) return schema
  const values = Array.isArray(value["enum"]) ? { enum: [...value["enum"], null] } : {}
  return { ...value, ...rest, type: [value["type"], "null"], ...values }
}
