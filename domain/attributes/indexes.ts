import { DateTime, Duration, Effect, Option } from "effect"
import {
  check,
  commitOrConflict,
  insert,
  isCommitted,
  removeVersioned,
  retryOnConflict,
  Store,
  update,
  type Versioned,
} from "../ports/store.ts"
import { Users } from "../users/tables.ts"
import type { Attributes } from "./attributes.ts"
import { type AttributeIndex, AttributeIndexes, UserAttributes } from "./tables.ts"
import { valueWrites } from "./value-rows.ts"

// Values get their rows in the commit that stores them. The rows of the values before that are added here, in the order of the users.

/**
 * A process with an earlier configuration stores values without rows. Each of its rounds, one every two seconds, removes indexes that it
 * does not know. An index that was left alone for this time is known to every process, and is filled for good.
 */
const untouched = Duration.seconds(10)
export const roundEvery = 2_000

const limit = 1000
const page = 100

/** Adds the indexes that the configuration has, removes those that it has not, and fills the ones that are new. */
export const fillIndexes = Effect.fnUntraced(function* fillIndexes(attributes: Attributes) {
  const { list } = yield* Store
  const wanted = attributes.filter(({ isIndexed }) => isIndexed).map(({ name }) => name)
  const known = yield* list(AttributeIndexes, {}, { limit })
  const created_at = yield* DateTime.now
  for (const attribute of wanted.filter((name) => !known.some((index) => index.attribute === name)))
    yield* isCommitted([insert(AttributeIndexes, { attribute, place: null, is_complete: false, created_at })])
  for (const { attribute } of known.filter((index) => !wanted.includes(index.attribute))) yield* dropped(attribute)
  const since = DateTime.subtractDuration(created_at, untouched)
  for (const index of known) {
    const isDue = !index.is_complete && DateTime.isLessThanOrEqualTo(index.created_at, since)
    if (isDue && wanted.includes(index.attribute)) yield* filled(attributes, index.attribute)
  }
})

const dropped = Effect.fnUntraced(function* dropIndex(attribute: string) {
  const found = yield* (yield* Store).read(AttributeIndexes, { attribute })
  if (Option.isSome(found)) yield* isCommitted([removeVersioned(AttributeIndexes, found.value)])
})

const filled = Effect.fnUntraced(function* fillIndex(attributes: Attributes, attribute: string) {
  const { read } = yield* Store
  while (true) {
    const index = yield* read(AttributeIndexes, { attribute })
    if (Option.isNone(index) || index.value.row.is_complete) return
    yield* fillPage(attributes, index.value)
  }
})

/** Adds the rows of the next users in one commit, or else of one after another. Of two processes, one advances the place. */
const fillPage = Effect.fnUntraced(function* fillPage(attributes: Attributes, index: Versioned<AttributeIndex>) {
  const { place } = index.row
  const after = place === null ? {} : { after: { user_id: place } }
  const users = yield* (yield* Store).list(UserAttributes, {}, { limit: page, order: "user_id", ...after })
  const progress = update(AttributeIndexes, index, { place: users.at(-1)?.user_id ?? place, is_complete: users.length < page })
  const writes = yield* Effect.forEach(users, ({ user_id }) => rowWrites(attributes, user_id), { concurrency: 8 })
  if (yield* isCommitted([...writes.flat(), progress])) return
  yield* Effect.forEach(users, ({ user_id }) => fillUser(attributes, user_id), { discard: true })
  yield* isCommitted([progress])
})

/** The rows that a user lacks, on the condition that neither the user nor the values change. */
const rowWrites = Effect.fnUntraced(function* rowWrites(attributes: Attributes, user_id: string) {
  const found = yield* (yield* Store).readWithReferenced(UserAttributes, { user_id }, "user_id")
  if (Option.isNone(found)) return []
  const [values, user] = found.value
  const writes = yield* Effect.orDie(valueWrites(attributes, user_id, values.row.values, {}))
  return writes.length === 0 ? [] : [check(Users, user), check(UserAttributes, values), ...writes]
})

const fillUser = (attributes: Attributes, user_id: string) =>
  retryOnConflict(Effect.flatMap(rowWrites(attributes, user_id), commitOrConflict))
