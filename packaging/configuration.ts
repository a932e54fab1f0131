// The types and the JSON Schema of the configuration, from the schemas of its settings. An application that compiled the types of these
// schemas instead would check those of Effect.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema, SchemaAST, SchemaRepresentation } from "effect"
import { type JsonSchema, typeOf } from "../adapters/client-types/schema-types.ts"
import { fields } from "../adapters/config/fields.ts"
import { settingsWith, withoutLinks } from "../adapters/config/reference.ts"
import { cleaned } from "../adapters/openapi/clean.ts"
import { optional } from "../application/modules/index.ts"
import { ProviderFields } from "../application/modules/social/provider-settings.ts"
import { isJsonObject, type JsonObject } from "../domain/values/json.ts"

interface Node extends JsonSchema {
  readonly default?: unknown
  readonly minItems?: number
}
type Properties = Readonly<Record<string, Node>>

/** The types of values that JSON does not have, by the paths of their settings. */
const types: Readonly<Record<string, string>> = {
  store: "AnyOwnStore",
  mail: "OwnMailer",
  sms: "OwnSmsSender",
  http: "OwnHttpClient",
  clock: "OwnClock",
  "graphql.plugins[]": "object",
  "modules.social.providers[].map_user": "MapFunction",
}
const own = "#/types/"

const settings = settingsWith(optional)
const about = (path: string, kind: string | undefined): Node => {
  const found = settings.find((setting) => setting.path === path && setting.kind === kind)
  if (found?.description === undefined) return {}
  return { description: withoutLinks(found.description), ...(found.default.is === "value" ? { default: found.default.value } : {}) }
}

const mapValues = (properties: Properties, change: (value: Node, name: string) => Node): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, change(value, name)]))

/** Adds what the conversion leaves out: descriptions of settings with a default, and the types of values that are not JSON. */
const completed = (node: Node, path: string): Node => {
  const { anyOf, ...others } = node
  const { properties, items } = node
  if (path === "modules.social.providers") return { ...node, items: provider }
  if (Object.keys(node).every((key) => key === "description")) return { ...node, $ref: own + typeAt(path) }
  // A schema without keys accepts any value but null.
  if (/^modules\.\w+$/.test(path) && properties === undefined) return { type: "object", properties: {}, additionalProperties: false }
  // JSON has no NaN, for which the conversion has a text.
  if (anyOf?.some(({ enum: values }) => values?.includes("NaN"))) return { ...others, ...anyOf[0] }
  if (anyOf !== undefined) return { ...node, anyOf: anyOf.map((each) => completed(each, path)) }
  if (node.type === "array") return { ...node, items: completed(items || {}, `${path}[]`) }
  if (properties === undefined) return node
  const within = path === "" ? "" : `${path}.`
  const kind = properties["kind"]?.enum?.[0] as string | undefined
  return {
    ...node,
    properties: mapValues(properties, (each, name) => ({ ...completed(each, within + name), ...about(within + name, kind) })),
  }
}

const typeAt = (path: string) => {
  const type = types[path]
  if (type === undefined) throw new Error(`${path} is not JSON: name its type in packaging/configuration.ts`)
  return type
}

const schemaOf = (ast: SchemaAST.AST): Node => {
  const encoded = SchemaRepresentation.toRepresentations([SchemaAST.toEncoded(ast)])
  const [schema] = SchemaRepresentation.toJsonSchemaMultiDocument(encoded, { onExcessProperty: "error" }).schemas
  return cleaned(schema) as Node
}

const ofProvider = completed(schemaOf(ProviderFields.ast), "modules.social.providers[]")
const { preset = {}, id = {} } = ofProvider.properties ?? {}

/** A provider has a preset or an id of its own. */
const provider: Node = {
  allOf: [
    { ...ofProvider, required: ["client_id", "redirect_uri"] },
    {
      anyOf: [
        { type: "object", properties: { preset }, required: ["preset"] },
        { type: "object", properties: { id }, required: ["id"] },
      ],
    },
  ],
}

const { extensions: _, ...ofJson } = fields(optional)
const { modules, ...keys } = completed(schemaOf(Schema.Struct(ofJson).ast), "").properties as Properties

/** `sallyport.schema.json`. */
export const configurationSchema = (): string => {
  const switched = mapValues(modules?.properties ?? {}, (node) => ({ anyOf: [node, { type: "boolean" }] }))
  const properties = { $schema: { type: "string" }, ...keys, modules: { ...modules, properties: switched } }
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties, additionalProperties: false }
  return `${JSON.stringify(withoutTypes(schema), null, 1)}\n`
}

/** What JSON can have. */
const withoutTypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter(isInJson).map(withoutTypes)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => (isInJson(each) ? [[key, withoutTypes(each)]] : [])))
}

const isInJson = (value: unknown): boolean => !isJsonObject(value) || !(String(value["$ref"]).startsWith(own) || isListOfTypes(value))

const isListOfTypes = ({ items }: JsonObject) => isJsonObject(items) && !isInJson(items)

/** `adapters/config/configuration.generated.ts`. */
export const configurationTypes = (): string => {
  const interfaceOf = (name: string, about: string, properties: Properties) =>
    `/** ${about} */\nexport interface ${name} ${typeOf({ type: "object", properties })}\n`
  return `// Generated from the schemas of the settings by \`npm run configuration:update\`.
import type { MapFunction } from "../../application/modules/social/map-function.ts"
import type { AnyOwnStore, OwnClock, OwnHttpClient, OwnMailer, OwnSmsSender } from "../own/ports.ts"

${interfaceOf("ModuleSettings", "The settings of the modules.", modules?.properties ?? {})}
${interfaceOf("ConfigurationKeys", "The keys of the configuration other than `modules` and `extensions`.", keys)}`
}

const root = join(import.meta.dirname, "..")
if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "docs/sallyport.schema.json"), configurationSchema())
  writeFileSync(join(root, "adapters/config/configuration.generated.ts"), configurationTypes())
}
