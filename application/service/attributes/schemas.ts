import { Schema, SchemaAST } from "effect"
import { type Attributes, changesSchema, shownSchema } from "../../../domain/attributes/attributes.ts"
import type { TakesAttributes } from "../endpoint.ts"

// The schemas of inputs and outputs with the configured attributes in them.

export type Fields = Readonly<Record<string, Schema.Top>>

/** The fields of a struct, also of an optional one. */
export const fieldsOf = (schema: unknown): Fields | undefined => {
  const { fields, schema: inner } = Object(schema) as { readonly fields?: Fields; readonly schema?: unknown }
  return fields ?? (inner === undefined ? undefined : fieldsOf(inner))
}

type Shown = Readonly<Record<string, Schema.Top | undefined>>
/** Other names of schemas with attributes, by their names without. */
type Names = Readonly<Record<string, string>>
type Extend = (schema: Schema.Top) => Schema.Top

/** Adds the attributes of users to schemas. */
export const makeAttributeSchemas = (attributes: Attributes) =>
  makeSchemas(
    { User: shownSchema(attributes, "user"), AdministeredUser: shownSchema(attributes, "private") },
    {
      user: changesSchema(attributes, "user"),
      sign_up: changesSchema(attributes, "sign_up"),
      admin: changesSchema(attributes, "private"),
    },
  )

/** Adds the attributes of organizations to schemas: those that members see, and in other schemas those of administrators. */
export const makeOrganizationSchemas = (attributes: Attributes) => {
  const schemasFor = (reader: "user" | "admin") => {
    const changes = changesSchema(attributes, reader, "organization")
    const shown = shownSchema(attributes, reader, "organization")
    return makeSchemas(
      { Organization: shown, ListedOrganization: shown },
      { user: changes, sign_up: undefined, admin: changes },
      reader === "user" ? {} : { Organization: "AdministeredOrganization" },
    )
  }
  return { user: schemasFor("user"), admin: schemasFor("admin") }
}

/** Adds the attributes of members of organizations to schemas. */
export const makeMemberSchemas = (attributes: Attributes) => {
  const own = shownSchema(attributes, "user", "member")
  return makeSchemas(
    { Member: own, ListedMember: own, AdministeredMember: shownSchema(attributes, "admin", "member") },
    {
      user: changesSchema(attributes, "user", "member"),
      sign_up: undefined,
      admin: changesSchema(attributes, "admin", "member"),
    },
  )
}

/** Each schema is built once: API descriptions refuse two schemas with one name. */
const makeSchemas = (shown: Shown, changes: Readonly<Record<TakesAttributes["from"], Schema.Top | undefined>>, names: Names = {}) => {
  const built = new Map<Schema.Top, Schema.Top>()
  const extended: Extend = (schema) => {
    const known = built.get(schema) ?? annotatedAs(schema, rebuilt(schema, shown, extended), names)
    built.set(schema, known)
    return known
  }

  /** The input with the attributes that its sender can write. */
  const withChanges = <S extends Schema.Top>(input: S, { from, in: within }: TakesAttributes): S => {
    const own = changes[from]
    if (own === undefined) return input
    const member = { attributes: Schema.optionalKey(own) }
    const fields = fieldsOf(input) ?? {}
    const inner = within === undefined ? member : { [within]: Schema.Struct({ ...fieldsOf(fields[within]), ...member }) }
    return Schema.Struct({ ...fields, ...inner } as Schema.Struct.Fields) as unknown as S
  }

  /** The schema with a member `attributes` in each of its users; the same schema if it has none. */
  return { extended: <S extends Schema.Top>(schema: S) => extended(schema) as S, withChanges }
}
export type AttributeSchemas = ReturnType<typeof makeAttributeSchemas>

const annotatedAs = (schema: Schema.Top, next: Schema.Top | undefined, names: Names): Schema.Top => {
  if (next === undefined) return schema
  const { annotations, context } = schema.ast
  const name = names[SchemaAST.resolveIdentifier(schema.ast) ?? ""]
  const all = name === undefined ? annotations : { ...annotations, identifier: name }
  const annotated = all === undefined ? next : next.annotate(all)
  return context?.annotations === undefined ? annotated : annotated.annotateKey(context.annotations)
}

const rebuilt = (schema: Schema.Top, shown: Shown, extended: Extend): Schema.Top | undefined => {
  const { ast, fields, members, value } = schema as Schema.Top & {
    readonly fields?: Fields
    readonly members?: ReadonlyArray<Schema.Top>
    readonly value?: Schema.Top
  }
  if (ast.encoding !== undefined) return undefined
  if (SchemaAST.isObjects(ast) && fields !== undefined) {
    const name = SchemaAST.resolveIdentifier(ast) ?? ""
    if (!Object.hasOwn(shown, name)) return changed(fields, extended, (next) => Schema.Struct(next))
    const own = shown[name]
    return own === undefined ? undefined : Schema.Struct({ ...fields, attributes: Schema.optionalKey(own) })
  }
  if (SchemaAST.isUnion(ast) && members !== undefined)
    return changed(Object.fromEntries(members.entries()), extended, (next) => Schema.Union(Object.values(next)))
  return SchemaAST.isArrays(ast) && value !== undefined ? changed({ value }, extended, (next) => Schema.Array(next["value"]!)) : undefined
}

/** The parts of a schema joined again, if one of them has a user. */
const changed = (parts: Fields, extended: Extend, join: (parts: Fields) => Schema.Top): Schema.Top | undefined => {
  const next = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, extended(part)]))
  return Object.keys(parts).every((key) => next[key] === parts[key]) ? undefined : join(next)
}
