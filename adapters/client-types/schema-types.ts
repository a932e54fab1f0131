/** A JSON Schema of an OpenAPI 3.1 document, as far as inputs and outputs need it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
  readonly description?: string
}

/** The TypeScript type of the values of a schema. */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ("const" in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) return union(alternatives.map(typeOf))
  if (schema.allOf !== undefined) return schema.allOf.map((each) => grouped(typeOf(each))).join(" & ")
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  return ofType(schema)
}

const ofType = (schema: JsonSchema): string => {
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "number":
    case "integer":
      return "number"
    case "array":
      return arrayOf(schema)
    case "object":
      return objectOf(schema)
    default:
      return schema.properties === undefined ? "unknown" : objectOf(schema)
  }
}

const arrayOf = ({ items, prefixItems }: JsonSchema): string => {
  const rest = `ReadonlyArray<${items ? typeOf(items) : "unknown"}>`
  if (prefixItems === undefined) return rest
  return `readonly [${[...prefixItems.map(typeOf), ...(items ? [`...${rest}`] : [])].join(", ")}]`
}

const objectOf = ({ properties = {}, required = [], additionalProperties }: JsonSchema): string => {
  const members = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined ? "" : `/** ${schema.description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`
    return `${comment}readonly ${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`
  })
  if (members.length > 0) return `{\n${members.join("\n")}\n}`
  if (typeof additionalProperties === "object") return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
  return additionalProperties === undefined ? "object" : "Readonly<Record<string, unknown>>"
}

/** The name of the component that a reference leads to. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1).replaceAll(/\W/g, "_")

export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

export const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ") || "never"

/** A union within an intersection needs parentheses. */
const grouped = (type: string) => (type.includes(" | ") ? `(${type})` : type)
