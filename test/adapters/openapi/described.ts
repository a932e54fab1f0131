import { Effect } from "effect"
import { decode as decodeHttp } from "../../../adapters/http/settings.ts"
import { openApi } from "../../../adapters/openapi/document.ts"
import type { Json } from "../../../adapters/openapi/json.ts"
import * as Auth from "../../../application/service/auth.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { decode } from "../../../domain/settings.ts"
import { modules as everything } from "../../everything.ts"

interface Asked {
  readonly modules?: ReadonlyArray<AnyModule>
  readonly settings?: object
  readonly rest?: boolean
}

/** The document of a service with these modules and settings. */
export const described = ({ modules = everything, settings = {}, rest = true }: Asked = {}): Json =>
  openApi({
    auth: Auth.make(modules),
    modules,
    settings: Effect.runSync(decode(settings)),
    httpSettings: Effect.runSync(decodeHttp(settings)),
    rest,
  })

interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Json>
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: { readonly content: Json }
  readonly responses: Readonly<Record<string, any>>
}

/** The operations of a document by their keys. */
export const operations = (document: Json): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(document["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { ...operation, method: method.toUpperCase(), path }]),
    ),
  )

export const schemaOf = (document: Json) => (document["components"] as { readonly schemas: Readonly<Record<string, Json>> }).schemas

/** The schema of the body of a successful response, or of the redirect if there is no other. */
export const successOf = (document: Json, { responses }: Operation): Json => {
  const contents = [200, 201, 302].map((status) => responses[status]?.content?.["application/json"])
  const { schema = {} } = contents.find((content) => content !== undefined) ?? {}
  return schemaOf(document)[schema.$ref?.split("/").at(-1)] ?? schema
}

export const endpointOf = ({ endpoints }: Auth.Auth<any>, name: string) => {
  const endpoint = endpoints[name]
  if (endpoint === undefined) throw new Error(`no module declares ${name}`)
  return endpoint
}

/** Every object in a document that can be a schema, except examples. */
export const everySchema = (value: unknown): ReadonlyArray<Json> => {
  if (Array.isArray(value)) return value.flatMap(everySchema)
  if (typeof value !== "object" || value === null) return []
  const { examples: _, ...rest } = value as Json
  return [rest, ...Object.values(rest).flatMap(everySchema)]
}
