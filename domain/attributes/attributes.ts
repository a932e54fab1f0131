import { Schema } from "effect"
import { asOfUsers, type GroupSettings, type Settings } from "./settings.ts"
import type { Value, ValueSchema } from "./value-schema.ts"
import { codecOf } from "./values.ts"

// Which attributes a caller sees and changes. All paths to them pass these functions, so that none shows a private one by mistake.

/** A declared attribute. */
export interface Attribute extends Pick<Settings[string], "read" | "write" | "sign_up" | "claims"> {
  readonly name: string
  readonly schema: ValueSchema
  readonly isUnique: boolean
  readonly isIndexed: boolean
  readonly codec: Schema.Codec<Value>
  readonly isValid: (value: unknown) => value is Value
}
export type Attributes = ReadonlyArray<Attribute>

/** The attributes of a configuration. Their schemas are translated here, once. */
export const attributesFrom = (settings: Settings): Attributes =>
  Object.entries(settings).map(([name, { schema, unique, indexed, ...access }]) => {
    const { title, description = title } = schema
    const codec = description === undefined ? codecOf(schema) : codecOf(schema).annotate({ description })
    return { name, schema, ...access, codec, isUnique: unique, isIndexed: indexed, isValid: Schema.is(codec) }
  })

export const groupAttributesFrom = (settings: GroupSettings): Attributes => attributesFrom(asOfUsers(settings))

/** The values of a user, an organization or a member, by attribute. */
export type Values = Readonly<Record<string, Value>>

/** Values to set, and null for those to remove. */
export type Changes = Readonly<Record<string, Value | null>>

/** Who reads: users their own, administrators those of anyone, and the private ones with `users:private`. */
export type Reader = "user" | "admin" | "private"

/** Who writes: a user, a visitor who signs up, or an administrator. */
export type Writer = Reader | "sign_up"

const levels = { user: 0, admin: 1, private: 2 } as const

export const isReadBy = ({ read }: Attribute, reader: Reader): boolean => levels[read] <= levels[reader]

const isWrittenBy = (attribute: Attribute, writer: Writer): boolean => {
  if (writer === "sign_up") return attribute.sign_up
  return writer === "user" ? attribute.write === "user" : isReadBy(attribute, writer)
}

/**
 * What a reader sees of the stored values. Values of attributes that are no longer declared, or that their present schema does not accept,
 * stay stored and are shown nowhere.
 */
export const shownTo = (attributes: Attributes, stored: Readonly<Record<string, unknown>>, reader: Reader): Values =>
  Object.fromEntries(
    attributes.flatMap((attribute) => {
      const value = Object.hasOwn(stored, attribute.name) ? stored[attribute.name] : undefined
      return isReadBy(attribute, reader) && attribute.isValid(value) ? [[attribute.name, value]] : []
    }),
  )

/** The claims that a client with these scopes gets. */
export const claimsFor = (attributes: Attributes, stored: Readonly<Record<string, unknown>>, scopes: ReadonlyArray<string>): Values => {
  const offered = attributes.filter(({ claims }) => claims !== undefined && scopes.includes(claims))
  return shownTo(offered, stored, "user")
}

/** The names among these that the writer cannot write. */
export const refusedTo = (attributes: Attributes, names: ReadonlyArray<string>, writer: Writer): ReadonlyArray<string> =>
  names.filter((name) => !attributes.some((attribute) => attribute.name === name && isWrittenBy(attribute, writer)))

const structOf = (
  attributes: Attributes,
  member: (attribute: Attribute) => Schema.Codec<any>,
  names: { readonly identifier: string; readonly description: string },
) => {
  if (attributes.length === 0) return undefined
  const fields = Object.fromEntries(attributes.map((attribute) => [attribute.name, Schema.optionalKey(member(attribute))]))
  return Schema.Struct(fields).annotate(names)
}

/** Names of schemas in API descriptions, by whose attributes they are. */
const described = {
  user: {
    shown: { identifier: "UserAttributes", description: "The attributes of a user that the user sees." },
    administered: {
      identifier: "AdministeredAttributes",
      description: "The attributes of a user, the private ones only with `users:private`.",
    },
    changes: "UserAttributeChanges",
    administeredChanges: "AdministeredAttributeChanges",
  },
  organization: {
    shown: { identifier: "OrganizationAttributes", description: "The attributes of an organization that its members see." },
    administered: { identifier: "AdministeredOrganizationAttributes", description: "The attributes of an organization." },
    changes: "OrganizationAttributeChanges",
    administeredChanges: "AdministeredOrganizationAttributeChanges",
  },
  member: {
    shown: { identifier: "MemberAttributes", description: "The attributes of a member that members of the organization see." },
    administered: { identifier: "AdministeredMemberAttributes", description: "The attributes of a member of an organization." },
    changes: "MemberAttributeChanges",
    administeredChanges: "AdministeredMemberAttributeChanges",
  },
} as const
export type Owner = keyof typeof described

/** The schema of what a reader sees; undefined if that is nothing. */
export const shownSchema = (attributes: Attributes, reader: Reader, owner: Owner = "user") =>
  structOf(
    attributes.filter((attribute) => isReadBy(attribute, reader)),
    ({ codec }) => codec,
    reader === "user" ? described[owner].shown : described[owner].administered,
  )

/** The schema of what a writer can send; undefined if that is nothing. */
export const changesSchema = (attributes: Attributes, writer: Writer, owner: Owner = "user") => {
  const written = attributes.filter((attribute) => isWrittenBy(attribute, writer))
  if (writer === "sign_up")
    return structOf(written, ({ codec }) => codec, { identifier: "SignUpAttributes", description: "Attributes of the new user." })
  return structOf(written, ({ codec }) => Schema.NullOr(codec), {
    identifier: writer === "user" ? described[owner].changes : described[owner].administeredChanges,
    description: "Attributes that are absent stay, null removes one.",
  })
}
