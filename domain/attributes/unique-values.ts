import { Effect, Option } from "effect"
import { invalidMember } from "../errors.ts"
import { find, insert, remove, removeVersioned, Store } from "../ports/store.ts"
import { tokenHash } from "../tokens/keys.ts"
import { Users } from "../users/tables.ts"
import type { Attribute, Attributes, Values } from "./attributes.ts"
import { type AttributeValue, AttributeValues } from "./tables.ts"

/** The most rows of one user: a row for each attribute, and those that an earlier configuration left. */
const limit = 1000

/** The row of a unique value. */
export const rowOf = Effect.fnUntraced(function* rowOf(user_id: string, { name }: Attribute, value: unknown) {
  return {
    hash: yield* tokenHash("attribute", JSON.stringify([name, value])),
    attribute: name,
    value: JSON.stringify(value),
    user_id,
  } satisfies AttributeValue
})

/**
 * The writes that make the unique values of a user those among these values. Fails if another user has a unique value; the commit fails with `Taken` if
 * one gets it concurrently.
 */
export const uniqueWrites = Effect.fnUntraced(function* uniqueWrites(attributes: Attributes, user_id: string, values: Values) {
  const store = yield* Store
  const rows = yield* Effect.forEach(
    attributes.filter(({ name, isUnique }) => isUnique && Object.hasOwn(values, name)),
    (attribute) => rowOf(user_id, attribute, values[attribute.name]),
  )
  const stored = yield* store.list(AttributeValues, { user_id }, { limit })
  const hashes = new Set(rows.map(({ hash }) => hash))
  const present = new Set(stored.map(({ hash }) => hash))
  const removals = stored.filter(({ hash }) => !hashes.has(hash)).map(({ hash }) => remove(AttributeValues, hash))
  const added = yield* Effect.forEach(
    rows.filter(({ hash }) => !present.has(hash)),
    takenOver,
  )
  return [...removals, ...added.flat()]
})

/** The writes that insert a unique value. The row of a removed user can outlive the user for a moment, and gives way. */
const takenOver = Effect.fnUntraced(function* takenOver(row: AttributeValue) {
  const other = yield* (yield* Store).read(AttributeValues, { hash: row.hash })
  if (Option.isNone(other)) return [insert(AttributeValues, row)]
  if (Option.isSome(yield* find(Users, { id: other.value.row.user_id })))
    return yield* invalidMember(`attributes.${row.attribute}`, "Expected a value that no other user has")
  return [removeVersioned(AttributeValues, other.value), insert(AttributeValues, row)]
})
