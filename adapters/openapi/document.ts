import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AnyModule } from "../../application/service/module.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { typeName } from "../graphql/names.ts"
import { sessionCookie } from "../http/session-cookie.ts"
import type { HttpSettings } from "../http/settings.ts"
import { manifest } from "../manifest.ts"
import { branchesOf, makeComponents } from "./components.ts"
import { makeErrors } from "./errors.ts"
import { headerComponents, headersOf, sessionFields } from "./headers.ts"
import { component, type Json, referenced } from "./json.ts"
import { headerParametersOf, parametersOf, takesInput } from "./parameters.ts"
import { schemasOf } from "./schemas.ts"
import { securityOf } from "./security.ts"

export interface Described {
  readonly auth: Pick<Auth<any>, "endpoints" | "sessionTransports">
  readonly modules: ReadonlyArray<AnyModule>
  readonly settings: Pick<SettingsValue, "base_path" | "public_url" | "session">
  readonly httpSettings: Pick<HttpSettings["Service"], "cookie">
  /** Without REST, only the endpoints of other protocols have routes. */
  readonly rest: boolean
}

/** The OpenAPI document of a service. Throws when two schemas have one name. */
export const openApi = ({ auth, modules, settings, httpSettings, rest }: Described): Json => {
  const shown = Object.entries(auth.endpoints).filter(([, { protocol }]) => rest || protocol !== undefined)
  const endpoints = Object.fromEntries(shown)
  const transports = auth.sessionTransports
  const { inputs, outputs, named } = schemasOf(endpoints)
  const components = makeComponents(named)
  const errors = makeErrors(transports, components)
  const security = securityOf(Object.values(endpoints), {
    transports,
    cookie: sessionCookie(httpSettings.cookie, settings.session).name,
    takesApiKeys: modules.some(({ takesApiKeys }) => takesApiKeys === true),
  })

  const operation = (name: string, endpoint: AnyEndpoint): Json => {
    const aliases = endpoint.protocol?.aliases?.map((alias) => `\`${alias.replace("{base_path}", settings.base_path)}\``)
    return {
      operationId: name,
      tags: modules.filter((module) => name in module.endpoints).map((module) => module.name),
      summary: endpoint.summary,
      ...(aliases === undefined ? {} : { description: `Also at ${aliases.join(" and ")} of the host.` }),
      ...permissionOf(endpoint),
      security: security.requirementsOf(endpoint),
      ...inputOf(name, endpoint, inputs[name] ?? {}),
      responses: { ...successesOf(name, endpoint, outputs[name] ?? {}), ...errors.of(endpoint) },
    }
  }

  const inputOf = (name: string, endpoint: AnyEndpoint, input: Json): Json => {
    if (!takesInput(endpoint)) return {}
    if (endpoint.method === "GET" || endpoint.method === "DELETE") return { parameters: parametersOf(input) }
    const schema = components.hoisted(input, `${typeName(name)}Input`)
    const types = ["application/json", ...(endpoint.protocol?.form === true ? ["application/x-www-form-urlencoded"] : [])]
    const content = Object.fromEntries(types.map((type) => [type, { schema }]))
    const parameters = headerParametersOf(endpoint)
    return { ...(parameters.length === 0 ? {} : { parameters }), requestBody: { required: Array.isArray(input["required"]), content } }
  }

  /** A redirect has its target in the body too. */
  const successesOf = (name: string, endpoint: AnyEndpoint, output: Json): Json => {
    const { body, redirects } = withoutRedirect(output)
    const session = sessionFields(endpoint, transports)
    const { created = false, text } = endpoint.protocol ?? {}
    const texts = text === undefined ? {} : { [text]: { schema: { type: "string" } } }
    const response = (status: number, description: string, content: Json) => ({
      [status]: { description, headers: headersOf(endpoint, status, session), content },
    })
    const json = (schema: Json) => ({ "application/json": { schema } })
    const payload = body === undefined ? {} : json(components.payload(body, `${typeName(name)}Payload`))
    if (endpoint.method === "DELETE") return { 204: { description: "Success.", headers: headersOf(endpoint, 204, session) } }
    return {
      ...(body === undefined && text === undefined ? {} : response(created ? 201 : 200, "Success.", { ...payload, ...texts })),
      ...(redirects ? response(302, "A redirect of the browser.", json(component("schemas", "Redirect"))) : {}),
    }
  }

  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of shown) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
  }
  const tags = modules.filter((module) => Object.keys(module.endpoints).some((name) => name in endpoints))
  return {
    openapi: "3.1.1",
    info: {
      title: "Sallyport",
      version: manifest.version,
      description: "Sign-up, sign-in and sessions, and the modules that this service has turned on.",
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: `${settings.public_url}${settings.base_path}` }],
    tags: tags.map(({ name }) => ({ name })),
    paths,
    components: {
      schemas: components.all(),
      responses: errors.responses(),
      headers: headerComponents(transports),
      securitySchemes: security.schemes,
    },
  }
}

/** An operation has either a permission or aliases. */
const permissionOf = ({ access }: AnyEndpoint): Json =>
  typeof access === "object" && access.permission !== null
    ? { description: `Needs the permission \`${access.permission}\`.`, "x-permission": access.permission }
    : {}

const isRedirect = (schema: Json) => referenced(schema) === "Redirect"

/** An output without its redirect, and whether it has one. */
const withoutRedirect = (output: Json) => {
  const branches = branchesOf(output)
  const bodies = branches.filter((branch) => !isRedirect(branch))
  if (branches.length === 0) return isRedirect(output) ? { redirects: true } : { body: output, redirects: false }
  if (bodies.length === branches.length) return { body: output, redirects: false }
  return { body: bodies.length === 1 ? bodies[0] : { anyOf: bodies }, redirects: true }
}
