import { Effect } from "effect"
import { readerOfPrincipal } from "../../../domain/attributes/administrators.ts"
import type { Attributes } from "../../../domain/attributes/attributes.ts"
import { valuesOf } from "../../../domain/attributes/reading.ts"
import { isJsonObject } from "../../../domain/values/json.ts"
import type { AnyEndpoint, Reply } from "../endpoint.ts"
import type { AnyGraphField } from "../graph-field.ts"
import { type AttributeSchemas, fieldsOf, makeAttributeSchemas } from "./schemas.ts"

/** Adds the configured attributes to endpoints and graph fields. Without attributes, these stay as they are declared. */
export const withAttributes = (attributes: Attributes) => {
  const same = { endpoint: (endpoint: AnyEndpoint) => endpoint, field: (field: AnyGraphField) => field }
  if (attributes.length === 0) return same
  const schemas = makeAttributeSchemas(attributes)
  return {
    endpoint: (endpoint: AnyEndpoint) => endpointWith(attributes, schemas, endpoint),
    field: (field: AnyGraphField) => fieldWith(attributes, schemas, field),
  }
}

/** The endpoint with the attributes in its input and in the users of its output. */
const endpointWith = (attributes: Attributes, { extended, withChanges }: AttributeSchemas, endpoint: AnyEndpoint): AnyEndpoint => {
  const { access, handler, attributes: takes } = endpoint
  const output = extended(endpoint.output)
  const input = takes === undefined || takes.of !== undefined ? endpoint.input : withChanges(endpoint.input, takes)
  if (output === endpoint.output) return { ...endpoint, input }
  const reader = typeof access === "string" ? Effect.succeed("user" as const) : readerOfPrincipal
  const fill = Effect.fnUntraced(function* fillUsers(reply: Reply<unknown>) {
    const users = usersIn(reply)
    if (users.length === 0) return reply
    const values = yield* valuesOf(attributes, users.map(idOf), yield* reader)
    return { ...reply, body: replaced(reply.body as Body, values) }
  })
  return { ...endpoint, input, output, handler: (given) => Effect.flatMap(handler(given), fill as (reply: any) => Effect.Effect<any>) }
}

/**
 * The field with the attributes of the viewer, or, with a permission, of all its users. Users of other fields, such as members of an
 * organization, have none.
 */
const fieldWith = (attributes: Attributes, { extended }: AttributeSchemas, field: AnyGraphField): AnyGraphField => {
  const output = field.on === "viewer" ? extended(field.output) : field.output
  if (output === field.output) return field
  const isForAdministrators = field.permission !== undefined
  const reader = isForAdministrators ? readerOfPrincipal : Effect.succeed("user" as const)
  const fill = Effect.fnUntraced(function* fillUsers(viewer: Viewer, users: ReadonlyArray<User>) {
    const values = yield* valuesOf(attributes, users.map(idOf), yield* reader)
    return users.map((user, at) => (isForAdministrators || isOwn(viewer, user) ? { ...user, attributes: values[at] } : user))
  })
  const load: AnyGraphField["load"] = Effect.fnUntraced(function* loadUsers(parents, page) {
    const loaded = (yield* field.load(parents, page)) as ReadonlyArray<User | ReadonlyArray<User>>
    const filled = yield* Effect.forEach(loaded, (each, at) => fill(parents[at], [each].flat()))
    return field.place === undefined ? filled.flat() : filled
  })
  return { ...field, output, load }
}

interface Viewer {
  readonly user: User
}
const isOwn = (viewer: Viewer, user: User) => viewer.user.id === user.id

/** Finds attributes that their sender cannot write. Where none are declared, the member is unknown and ignored as any other. */
export const unknownAttributeIn =
  (declared: Readonly<Record<"user" | "organization" | "member", Attributes>>) =>
  (endpoint: AnyEndpoint, raw: unknown): ReadonlyArray<string> | undefined =>
    declared[endpoint.attributes?.of ?? "user"].length === 0 ? undefined : unknownIn(endpoint, raw)

/** The path of an attribute in an input that its sender cannot write, for a refusal: decoding would leave it out without a word. */
const unknownIn = ({ attributes: takes, input }: AnyEndpoint, raw: unknown): ReadonlyArray<string> | undefined => {
  if (takes === undefined) return undefined
  const path = [...(takes.in === undefined ? [] : [takes.in]), "attributes"]
  const given = path.reduce<unknown>((value, member) => (isJsonObject(value) ? value[member] : undefined), raw)
  if (given === undefined) return undefined
  const known = path.reduce<unknown>((schema, member) => fieldsOf(schema)?.[member], input)
  if (known === undefined) return path
  const stranger = Object.keys(Object(given)).find((name) => !Object.hasOwn(fieldsOf(known) ?? {}, name))
  return stranger === undefined || !isJsonObject(given) ? undefined : [...path, stranger]
}

interface User {
  readonly id: string
}
interface Body {
  readonly user?: User | null
  readonly users?: ReadonlyArray<User>
}
const idOf = ({ id }: User) => id

/** The users at the top of a body; a challenge in its place has none. */
const usersIn = ({ body, session }: Reply<unknown>): ReadonlyArray<User> => {
  if (typeof session === "object" && "challenge" in session) return []
  const { user, users = [] } = Object(body) as Body
  return [...(user === undefined || user === null ? [] : [user]), ...users]
}

const replaced = ({ user, users, ...rest }: Body, values: ReadonlyArray<unknown>): Body => {
  const shown = (all: ReadonlyArray<User>, from: number) => all.map((each, at) => ({ ...each, attributes: values[from + at] }))
  const own = user === undefined || user === null ? [] : [user]
  return {
    ...rest,
    ...(user === undefined ? {} : { user: shown(own, 0)[0] ?? null }),
    ...(users === undefined ? {} : { users: shown(users, own.length) }),
  }
}
