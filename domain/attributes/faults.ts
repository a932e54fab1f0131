import { type AttributeSettings, asOfUsers, type GroupSettings, type Settings } from "./settings.ts"
import { bytesOf, longestOf } from "./size.ts"
import type { ValueSchema } from "./value-schema.ts"

/** An invalid setting: its path below the attributes, and the expected value. */
export interface Fault {
  readonly path: ReadonlyArray<string>
  readonly wanted: string
}

/** Not `constructor`: every object has a member of this name, which would count as the attribute. */
const name = /^(?!constructor$)[a-z][a-z0-9_]{0,39}$/

/** Every token, and every response with a user, can contain all of them. */
export const maxAttributes = 64

/** The longest claims of one user as JSON, in bytes: an ID token travels in header fields and URLs, which are short. */
export const maxClaimBytes = 1024

/** A pattern is tried on this many characters at most: the time that many patterns take grows with the square of the length, or faster. */
const maxPatternLength = 256

/** The longest unique or indexed text in characters: databases reject much longer index entries. */
const maxRowLength = 256

/** The faults of attributes with valid settings. */
export const faultsOf = (attributes: Settings): ReadonlyArray<Fault> => {
  const all = Object.entries(attributes)
  return [
    ...(all.length > maxAttributes ? [{ path: [], wanted: `at most ${maxAttributes} attributes` }] : []),
    ...all
      .filter(([each]) => !name.test(each))
      .map(([each]) => ({ path: [each], wanted: "a name of at most 40 letters (a to z), digits and _" })),
    ...all.flatMap(([name, attribute]) => at([name], [...under("schema", schemaFaults(attribute.schema)), ...accessFaults(attribute)])),
    ...claimFaults(all),
  ]
}

/** The faults of attributes of organizations or members. */
export const groupFaultsOf = (attributes: GroupSettings): ReadonlyArray<Fault> => faultsOf(asOfUsers(attributes))

const at = (path: ReadonlyArray<string>, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
const under = (key: string, faults: ReadonlyArray<Fault>) => at([key], faults)

/** As in JSON Schema, a keyword of another type has no effect. */
const schemaFaults = (schema: ValueSchema): ReadonlyArray<Fault> => {
  const { type, items, enum: values, const: only } = schema
  if (type === undefined && values === undefined && only === undefined) return [{ path: ["type"], wanted: "a type, or `enum` or `const`" }]
  return [
    ...(type === "array" && items === undefined ? [{ path: ["items"], wanted: "the schema of the items" }] : []),
    ...(items === undefined ? [] : under("items", schemaFaults(items))),
    ...patternFaults(schema),
  ]
}

const patternFaults = ({ pattern, maxLength = Number.POSITIVE_INFINITY }: ValueSchema): ReadonlyArray<Fault> => {
  if (pattern === undefined) return []
  if (!isExpression(pattern)) return [{ path: ["pattern"], wanted: "a regular expression of ECMAScript" }]
  return maxLength <= maxPatternLength ? [] : [{ path: ["maxLength"], wanted: `at most ${maxPatternLength}, because of \`pattern\`` }]
}

const isExpression = (pattern: string) => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp
  } catch {
    return false
  }
}

const accessFaults = ({ schema, read, write, unique, indexed, sign_up, claims }: AttributeSettings): ReadonlyArray<Fault> => [
  ...(write === "user" && read !== "user" ? [{ path: ["write"], wanted: '"admin", because the user does not see it' }] : []),
  ...(claims !== undefined && read !== "user" ? [{ path: ["claims"], wanted: "no such key, because the user does not see it" }] : []),
  ...(sign_up && read === "private" ? [{ path: ["sign_up"], wanted: "false, because it is private" }] : []),
  ...(unique ? rowFaults(schema, "unique") : indexed ? rowFaults(schema, "indexed") : []),
]

/** The values are in an index of the store. */
const rowFaults = (schema: ValueSchema, key: "unique" | "indexed"): ReadonlyArray<Fault> => {
  if (schema.type === "array") return [{ path: [key], wanted: "false, because lists are not compared" }]
  return longestOf(schema) <= longestOf({ type: "string", maxLength: maxRowLength })
    ? []
    : [{ path: ["schema", "maxLength"], wanted: `at most ${maxRowLength}, because of \`${key}\`` }]
}

const claimFaults = (all: ReadonlyArray<readonly [string, AttributeSettings]>): ReadonlyArray<Fault> => {
  const claims = all.filter(([, { claims }]) => claims !== undefined)
  const unlimited = claims.filter(([, { schema }]) => longestOf(schema) === Number.POSITIVE_INFINITY)
  if (unlimited.length > 0)
    return unlimited.map(([name]) => ({ path: [name, "schema"], wanted: "a limit of the length, because clients get it" }))
  // The braces, and for each claim its name, a colon and a comma.
  const total = claims.reduce((sum, [name, { schema }]) => sum + bytesOf(name) + 2 + longestOf(schema), 2)
  return total <= maxClaimBytes
    ? []
    : [{ path: [], wanted: `claims of at most ${maxClaimBytes} bytes as JSON; the longest values have ${total}` }]
}
