import type { OpenApiDocument } from "../../adapters/client-types/client-types.ts"
import type { JsonSchema } from "../../adapters/client-types/schema-types.ts"
import { keyOf, nameOf } from "../../adapters/client-types/schema-types.ts"

type Paths = OpenApiDocument["paths"]
type Operation = NonNullable<Paths[string]["get"]>

/** A program that calls every operation of the client with its required input, and reads the results. `from` is the module of the client. */
export const allCalls = (document: OpenApiDocument, from: string): string => {
  const calls = Object.entries(document.paths).flatMap(([path, { get, post, put }]) => {
    const operation = get ?? post
    return operation === undefined || put !== undefined || isOtherProtocol(operation)
      ? []
      : [callOf(document, path, operation, get !== undefined)]
  })
  return [`import { createClient } from "${from}"`, "const client = createClient()", ...calls.map(used)].join("\n")
}

/** Endpoints of OAuth take forms, answer with redirects, or use PUT; the client does not have them. */
const isOtherProtocol = ({ requestBody, responses }: Operation) =>
  responses["200"]?.content?.["application/json"] === undefined || requestBody?.content?.["application/x-www-form-urlencoded"] !== undefined

const used = (call: string, index: number) => `const { data: data${index}, error: error${index} } = await ${call}
export const shown${index} = error${index} === null ? Object.keys(data${index}) : [error${index}.code, error${index}.message]`

const callOf = (document: OpenApiDocument, path: string, operation: Operation, isGet: boolean): string => {
  const members = path.split("/").slice(1).map(memberOf)
  const input = isGet ? queryOf(operation) : (operation.requestBody?.content?.["application/json"]?.schema ?? {})
  return `client${members.join("")}(${literalOf(document, input)})`
}

const memberOf = (segment: string) => {
  const key = keyOf(segment.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  return key.startsWith('"') ? `[${key}]` : `.${key}`
}

const queryOf = ({ parameters = [] }: Operation): JsonSchema => {
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required === true)
  return { properties: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])), required: query.map(({ name }) => name) }
}

/** A value of a schema, as it is written in a program. */
const literalOf = (document: OpenApiDocument, schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return literalOf(document, document.components?.schemas?.[nameOf(schema.$ref)] ?? {})
  const [value] = "const" in schema ? [schema.const] : (schema.enum ?? [])
  if (value !== undefined) return JSON.stringify(value)
  const [alternative] = schema.oneOf ?? schema.anyOf ?? []
  if (alternative !== undefined) return literalOf(document, alternative)
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map((item) => literalOf(document, item)).join(", ")}]`
  const type = typeof schema.type === "object" ? schema.type[0] : schema.type
  if (type !== undefined && type in scalars) return scalars[type as keyof typeof scalars]
  if (type === "array") return `[${(schema.prefixItems ?? []).map((item) => literalOf(document, item)).join(", ")}]`
  return `{ ${membersOf(document, schema).join(", ")} }`
}
const scalars = { string: '"a"', number: "1", integer: "1", boolean: "true", null: "null" }

const membersOf = (document: OpenApiDocument, { properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).flatMap(([name, schema]) =>
    required.includes(name) ? [`${keyOf(name)}: ${literalOf(document, schema)}`] : [],
  )
