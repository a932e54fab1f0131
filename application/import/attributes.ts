import { type DateTime, Effect } from "effect"
import type { Attribute, Attributes } from "../../domain/attributes/attributes.ts"
import { bytesOf } from "../../domain/attributes/size.ts"
import { AttributeValues, UserAttributes } from "../../domain/attributes/tables.ts"
import { hasRows, rowOf } from "../../domain/attributes/value-rows.ts"
import type { Value } from "../../domain/attributes/value-schema.ts"
import { maxBytes } from "../../domain/attributes/writing.ts"
import { insert, Store } from "../../domain/ports/store.ts"
import type { Code, UserRecord } from "./record.ts"

/** A value that can be stored, unless it is unique and taken. */
export interface AdmittedAttribute {
  readonly attribute: Attribute
  readonly value: Value
}

/** Identifies a unique value in maps and sets. */
export const attributeKey = ({ attribute, value }: AdmittedAttribute) => JSON.stringify([attribute.name, value])

const valuesOf = (admitted: ReadonlyArray<AdmittedAttribute>) =>
  Object.fromEntries(admitted.map(({ attribute, value }) => [attribute.name, value]))

/** The attributes of a record that the configuration has and whose schemas accept the values. */
export const admitAttributes = (
  { attributes: given = {} }: UserRecord,
  declared: Attributes,
  note: (field: string, code: Code) => void,
) => {
  if (Object.keys(given).some((name) => !declared.some((attribute) => attribute.name === name))) note("attributes", "unknown_attribute")
  const admitted = declared.flatMap((attribute): ReadonlyArray<AdmittedAttribute> => {
    if (!Object.hasOwn(given, attribute.name)) return []
    const value = given[attribute.name]
    if (attribute.isValid(value)) return [{ attribute, value }]
    note(`attributes.${attribute.name}`, "invalid_attribute")
    return []
  })
  if (bytesOf(valuesOf(admitted)) <= maxBytes) return admitted
  note("attributes", "attributes_too_large")
  return []
}

/** The writes that store the attributes of a new user. */
export const attributeRows = Effect.fnUntraced(function* attributeRows(
  user_id: string,
  admitted: ReadonlyArray<AdmittedAttribute>,
  now: DateTime.Utc,
) {
  if (admitted.length === 0) return []
  const kept = admitted.filter(({ attribute }) => hasRows(attribute))
  const rows = yield* Effect.forEach(kept, ({ attribute, value }) => rowOf(user_id, attribute, value))
  const values = insert(UserAttributes, { user_id, values: valuesOf(admitted), updated_at: now })
  return [values, ...rows.map((row) => insert(AttributeValues, row))]
})

/** The unique values among these that users have, and these users. */
export const takenAttributes = Effect.fnUntraced(function* takenAttributes(admitted: ReadonlyArray<AdmittedAttribute>) {
  const unique = admitted.filter(({ attribute }) => attribute.isUnique)
  if (unique.length === 0) return { hashes: new Map<string, string>(), holders: [] }
  const keys = new Map(
    yield* Effect.forEach(unique, (each) =>
      Effect.map(rowOf("", each.attribute, each.value), ({ hash }) => [hash, attributeKey(each)] as const),
    ),
  )
  const found = (yield* (yield* Store).listForEach(AttributeValues, "hash", [...keys.keys()], { limit: 1 })).flat()
  return {
    hashes: new Map(found.map(({ hash }) => [keys.get(hash) ?? "", hash])),
    holders: found.map(({ user_id }) => user_id),
  }
})
