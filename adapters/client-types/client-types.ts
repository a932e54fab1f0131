import { commonCodes } from "../../client/http.ts"
import { type JsonSchema, keyOf, nameOf, typeOf, union } from "./schema-types.ts"

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>
}
interface Referable extends Content {
  readonly $ref?: string
}
interface OpenApiOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly parameters?: ReadonlyArray<{
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly schema?: JsonSchema
  }>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Referable>>
}

/** The parts of an OpenAPI 3.1 document that the types of the client are made of. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post" | "put", OpenApiOperation>>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

/** Operations by the segments of their paths. */
interface Tree {
  operation?: string
  readonly below: Map<string, Tree>
}

const common: ReadonlySet<string> = new Set(commonCodes)

/** Generates the types of the client's operations from an OpenAPI document. `from` is the module that declares `Operation`. */
export const clientTypes = (document: OpenApiDocument, from: string): string => {
  const tree: Tree = { below: new Map() }
  const gets: Array<string> = []
  for (const [path, { get, post, put }] of Object.entries(document.paths)) {
    const operation = get ?? post
    if (operation === undefined || put !== undefined || isOtherProtocol(operation)) continue
    if (get !== undefined) gets.push(path)
    nodeAt(tree, path).operation = signatureOf(document, operation, get !== undefined)
  }
  const operations = objectOf(tree)
  const types = new Map(Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [nameOf(name), typeOf(schema)]))
  const used = reachable(types, operations)
  const declared = [...types].filter(([name]) => used.has(name)).map(([name, type]) => `export type ${name} = ${type}`)
  return [
    `import type { NoInput, Operation, OperationsOf, OptionalOperation } from "${from}"`,
    ...declared,
    `/** All operations, by the segments of their paths. */\nexport interface Operations ${operations}`,
    `export const operations: OperationsOf<Operations> = { gets: ${JSON.stringify(gets)} }`,
    "",
  ].join("\n\n")
}

/** Endpoints of OAuth take forms, answer with redirects, or use PUT; browsers and other software call them, not the client. */
const isOtherProtocol = ({ requestBody, responses }: OpenApiOperation) =>
  responses["200"]?.content?.["application/json"] === undefined || requestBody?.content?.["application/x-www-form-urlencoded"] !== undefined

/** The names of the components that a text of types refers to, directly or through other components. */
const reachable = (types: ReadonlyMap<string, string>, text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (text: string) => {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      const type = types.get(name)
      if (type === undefined || found.has(name)) continue
      found.add(name)
      visit(type)
    }
  }
  visit(text)
  return found
}

const nodeAt = (tree: Tree, path: string): Tree =>
  path
    .split("/")
    .slice(1)
    .reduce((node, segment) => {
      const name = segment.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
      const next: Tree = node.below.get(name) ?? { below: new Map() }
      node.below.set(name, next)
      return next
    }, tree)

const objectOf = ({ below }: Tree): string => {
  const members = [...below].map(([name, node]) => `readonly ${keyOf(name)}: ${typeOfNode(node)}`)
  return `{ ${members.join("; ")} }`
}

const typeOfNode = (node: Tree): string => {
  if (node.operation === undefined) return objectOf(node)
  return node.below.size === 0 ? node.operation : `${node.operation} & ${objectOf(node)}`
}

const signatureOf = (document: OpenApiDocument, operation: OpenApiOperation, isGet: boolean): string => {
  const output = operation.responses["200"]?.content?.["application/json"]?.schema ?? {}
  const declared = isGet ? queryOf(operation) : operation.requestBody?.content?.["application/json"]?.schema
  const { required = [], properties = {} } = resolved(document, declared) ?? {}
  const type = required.length === 0 ? "OptionalOperation" : "Operation"
  const input = declared === undefined || Object.keys(properties).length === 0 ? "NoInput" : typeOf(declared)
  return `${type}<${input}, ${typeOf(output)}, ${codesOf(document, operation)}>`
}

const resolved = (document: OpenApiDocument, schema: JsonSchema | undefined) =>
  schema?.$ref === undefined ? schema : document.components?.schemas?.[nameOf(schema.$ref)]

const queryOf = ({ parameters = [] }: OpenApiOperation): JsonSchema | undefined => {
  const inQuery = parameters.filter((parameter) => parameter.in === "query")
  if (inQuery.length === 0) return undefined
  return {
    type: "object",
    properties: Object.fromEntries(inQuery.map(({ name, schema = {} }) => [name, schema])),
    required: inQuery.filter(({ required }) => required === true).map(({ name }) => name),
  }
}

const codesOf = (document: OpenApiDocument, { responses }: OpenApiOperation): string => {
  const codes = Object.entries(responses).flatMap(([status, response]) => (status.startsWith("2") ? [] : codesIn(document, response)))
  return union(codes.filter((code) => !common.has(code)).map((code) => JSON.stringify(code)))
}

const codesIn = (document: OpenApiDocument, response: Referable): ReadonlyArray<string> => {
  const resolved = response.$ref === undefined ? response : (document.components?.responses?.[nameOf(response.$ref)] ?? {})
  const schema = resolved.content?.["application/json"]?.schema
  return schema === undefined ? [] : codesInSchema(document, schema)
}

const codesInSchema = (document: OpenApiDocument, schema: JsonSchema): ReadonlyArray<string> => {
  if (schema.$ref !== undefined) return codesInSchema(document, document.components?.schemas?.[nameOf(schema.$ref)] ?? {})
  const code = schema.properties?.["error"]?.properties?.["code"]
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((each) => codesInSchema(document, each))
  const own = code?.enum ?? (code !== undefined && "const" in code ? [code.const] : [])
  return [...alternatives, ...own.filter((each) => typeof each === "string")]
}
