import { Effect, Option } from "effect"
import { InvalidRequest } from "../errors.ts"
import { find, insert, remove, removeVersioned, Store, type Write } from "../ports/store.ts"
import { tokenHash } from "../tokens/keys.ts"
import { Users } from "../users/tables.ts"
import type { Attribute, Attributes, Changes, Values } from "./attributes.ts"
import { type AttributeValue, AttributeValues } from "./tables.ts"

/** The most rows of one user: a row for each attribute, and those that an earlier configuration left. */
const limit = 1000

/** The row of a value. That of a unique value has a key that does not depend on the user. */
export const rowOf = Effect.fnUntraced(function* rowOf(
  user_id: string,
  { name, isUnique }: Pick<Attribute, "name" | "isUnique">,
  value: unknown,
) {
  return {
    hash: yield* tokenHash("attribute", JSON.stringify(isUnique ? [name, value] : [name, value, user_id])),
    attribute: name,
    value: JSON.stringify(value),
    user_id,
  } satisfies AttributeValue
})

/** Whether the values of an attribute have rows. */
export const hasRows = ({ isUnique, isIndexed }: Attribute) => isUnique || isIndexed

/**
 * The writes that make the rows of a user those of these values. Fails if another user has a unique value that changes; the commit fails
 * with `Taken` if one gets it concurrently. A value that was there before its attribute was unique stays, although others have it as well.
 */
export const valueWrites = Effect.fnUntraced(function* valueWrites(
  attributes: Attributes,
  user_id: string,
  values: Values,
  changes: Changes,
) {
  const stored = yield* (yield* Store).list(AttributeValues, { user_id }, { limit })
  const kept = new Set<string>()
  const added: Array<Write> = []
  for (const attribute of attributes) {
    const { name } = attribute
    if (!hasRows(attribute) || !Object.hasOwn(values, name)) continue
    const isChanged = Object.hasOwn(changes, name)
    const row = yield* rowOf(user_id, attribute, values[name])
    const present = stored.find((one) => one.hash === row.hash || (!isChanged && one.attribute === name && one.value === row.value))
    if (present === undefined) added.push(...(yield* takenOver(row, isChanged)))
    else kept.add(present.hash)
  }
  return [...stored.filter(({ hash }) => !kept.has(hash)).map(({ hash }) => remove(AttributeValues, hash)), ...added]
})

/** The writes that insert a value. The row of a removed user can outlive the user for a moment, and gives way. */
const takenOver = Effect.fnUntraced(function* takenOver(row: AttributeValue, isChanged: boolean) {
  const other = yield* (yield* Store).read(AttributeValues, { hash: row.hash })
  if (Option.isNone(other)) return [insert(AttributeValues, row)]
  if (Option.isNone(yield* find(Users, { id: other.value.row.user_id })))
    return [removeVersioned(AttributeValues, other.value), insert(AttributeValues, row)]
  if (isChanged) return yield* taken(`attributes.${row.attribute}`)
  return [insert(AttributeValues, yield* rowOf(row.user_id, { name: row.attribute, isUnique: false }, JSON.parse(row.value)))]
})

const taken = (member: string) =>
  new InvalidRequest({ member, message: `${member}: Expected a value that no other user has`, reason: "taken" })
