import { read } from "./repository.ts"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

interface Content {
  readonly schema?: JsonSchema
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error: string | { readonly code: string } } }>>
}

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, Content>>
}

interface Described {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary?: string
  readonly description?: string
  readonly "x-permission"?: string
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response>>
}

interface Document {
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

/** An error that an operation can answer with. */
export interface Refusal {
  readonly status: number
  readonly code: string
}

export interface Operation {
  readonly id: string
  readonly module: string
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly summary: string
  readonly access: "public" | "session" | "permission" | "client"
  /** Undefined: none, or any. */
  readonly permission: string | undefined
  readonly input: JsonSchema
  readonly isForm: boolean
  /** The schema of the answer; none if it is a redirect. */
  readonly output: JsonSchema | undefined
  readonly setsCookie: boolean
  readonly refusals: ReadonlyArray<Refusal>
}

export const document: Document = JSON.parse(read("docs/openapi.json"))

/** The modules of the document, the core's first. */
export const modules: ReadonlyArray<string> = document.tags.map(({ name }) => name)

/** The schema behind a reference. */
export const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split("/").at(-1)!]!)

const jsonOf = (response: Response | undefined) => response?.content?.["application/json"]

const responseOf = (response: Response): Response =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split("/").at(-1)!]!

/** The service's own codes; errors of OAuth have another form. */
const codesOf = (response: Response): ReadonlyArray<string> =>
  Object.values(jsonOf(responseOf(response))?.examples ?? {}).flatMap(({ value: { error } }) =>
    typeof error === "object" ? [error.code] : [],
  )

const refusalsOf = (responses: Described["responses"]): ReadonlyArray<Refusal> =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => codesOf(response).map((code) => ({ status: Number(status), code })))

const accessOf = (security: Described["security"]): Operation["access"] => {
  if (security.some((way) => "cookie" in way)) return security.some((way) => "access_token" in way) ? "permission" : "session"
  return security.length === 0 ? "public" : "client"
}

const inputOf = ({ parameters = [], requestBody }: Described): JsonSchema => {
  if (requestBody !== undefined) return resolved(Object.values(requestBody.content)[0]?.schema ?? {})
  const fields = parameters.filter((parameter) => parameter.in === "query")
  return {
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.flatMap(({ name, required }) => (required === true ? [name] : [])),
  }
}

const operationOf = (path: string, method: string, described: Described): Operation => {
  const success = Object.entries(described.responses).find(([status]) => status.startsWith("2"))?.[1]
  return {
    id: described.operationId,
    module: described.tags[0],
    method: method.toUpperCase() as Operation["method"],
    path,
    summary: described.summary ?? "",
    access: accessOf(described.security),
    permission: described["x-permission"],
    input: inputOf(described),
    isForm: Object.keys(described.requestBody?.content ?? {}).includes("application/x-www-form-urlencoded"),
    output: jsonOf(success)?.schema,
    setsCookie: success?.headers !== undefined && "Set-Cookie" in success.headers,
    refusals: refusalsOf(described.responses),
  }
}

export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
)

/** The heading of an operation on the page of its module. */
export const titleOf = ({ method, path }: Operation): string => `${method} ${path}`
