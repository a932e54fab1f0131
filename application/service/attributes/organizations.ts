import { Effect, type Schema } from "effect"
import type { Attributes } from "../../../domain/attributes/attributes.ts"
import { organizationValues } from "../../../domain/attributes/organizations.ts"
import { isJsonObject } from "../../../domain/values/json.ts"
import type { AnyEndpoint, Reply } from "../endpoint.ts"
import type { AnyGraphField } from "../graph-field.ts"
import { makeOrganizationSchemas } from "./schemas.ts"

/** Adds the configured attributes of organizations to endpoints and graph fields. Without attributes, these stay as they are declared. */
export const withOrganizationAttributes = (attributes: Attributes) => {
  if (attributes.length === 0) return { endpoint: (endpoint: AnyEndpoint) => endpoint, field: (field: AnyGraphField) => field }
  const schemas = makeOrganizationSchemas(attributes)

  const endpointWith = (endpoint: AnyEndpoint): AnyEndpoint => {
    const { access, handler, attributes: takes } = endpoint
    const reader = access === "public" || access === "session" ? "user" : "admin"
    const output: Schema.Codec<any, any> = schemas[reader].extended(endpoint.output)
    const input = takes?.of === "organization" ? schemas[reader].withChanges(endpoint.input, takes) : endpoint.input
    if (output === endpoint.output) return { ...endpoint, input }
    const fill = Effect.fnUntraced(function* fillOrganizations(reply: Reply<any>) {
      const { organization, organizations, ...rest } = reply.body
      const [own, all] = [yield* filled([organization], reader), yield* filled(organizations ?? [], reader)]
      const body = {
        ...rest,
        ...(organization === undefined ? {} : { organization: own[0] }),
        ...(organizations && { organizations: all }),
      }
      return { ...reply, body }
    })
    return { ...endpoint, input, output, handler: (given) => Effect.flatMap(handler(given), fill as (reply: any) => Effect.Effect<any>) }
  }

  /** These values with the attributes of those that are organizations: others are null, or the errors of some parents. */
  const filled = Effect.fnUntraced(function* filled(values: ReadonlyArray<unknown>, reader: "user" | "admin") {
    const ids = values.filter(isOrganization).map(({ id }) => id)
    const found = yield* organizationValues(attributes, ids, reader)
    return values.map((value) => (isOrganization(value) ? { ...value, attributes: found.get(value.id) } : value))
  })

  const fieldWith = (field: AnyGraphField): AnyGraphField => {
    const output = schemas.user.extended(field.output)
    if (output === field.output) return field
    const load: AnyGraphField["load"] = Effect.fnUntraced(function* loadOrganizations(parents, page) {
      const loaded = yield* field.load(parents, page)
      const all = yield* filled(loaded.flat(), "user")
      let at = 0
      return loaded.map((each) => (Array.isArray(each) ? each.map(() => all[at++]) : all[at++]))
    })
    return { ...field, output, load }
  }
  return { endpoint: endpointWith, field: fieldWith }
}

const isOrganization = (value: unknown): value is { readonly id: string } => isJsonObject(value) && typeof value["id"] === "string"
