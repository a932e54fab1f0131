import { DateTime, Effect, Option } from "effect"
import type { Merging } from "../policies.ts"
import { put, removeVersioned, replace, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { bytesOf } from "./size.ts"
import { type AttributeValue, AttributeValues, UserAttributes } from "./tables.ts"
import { rowOf } from "./value-rows.ts"
import { maxBytes } from "./writing.ts"

const limit = 1000

/** The writes that move the attributes of a user that the other user lacks, unless they are too large together. */
export const movedAttributes = Effect.fnUntraced(function* movedAttributes({ from, into }: Merging) {
  const { list, read } = yield* Store
  const [theirs, own] = [yield* read(UserAttributes, { user_id: from }), yield* read(UserAttributes, { user_id: into })]
  if (Option.isNone(theirs)) return []
  const before = Option.match(own, { onNone: () => ({}), onSome: ({ row }) => row.values })
  const entries = Object.entries(theirs.value.row.values)
  const moved = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(before, name)))
  const values = { ...before, ...moved }
  if (Object.keys(moved).length === 0 || bytesOf(values) > maxBytes) return []
  const updated_at = yield* DateTime.now
  const writes: Array<Write> = [
    update(UserAttributes, theirs.value, {
      values: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(moved, name))),
      updated_at,
    }),
    replace(UserAttributes, own, { user_id: into, values, updated_at }),
  ]
  for (const { hash, attribute } of yield* list(AttributeValues, { user_id: from }, { limit })) {
    const row = yield* read(AttributeValues, { hash })
    if (Option.isSome(row) && Object.hasOwn(moved, attribute)) writes.push(...(yield* movedRow(row.value, into)))
  }
  return writes
})

/** The key of a value that is not unique depends on the user. */
const movedRow = Effect.fnUntraced(function* movedRow(found: Versioned<AttributeValue>, into: string) {
  const { attribute, value, user_id, hash } = found.row
  const rowFor = (user: string) => rowOf(user, { name: attribute, isUnique: false }, JSON.parse(value))
  if (hash !== (yield* rowFor(user_id)).hash) return [update(AttributeValues, found, { user_id: into })]
  return [removeVersioned(AttributeValues, found), put(AttributeValues, yield* rowFor(into))]
})
