import { DateTime, Effect, Option } from "effect"
import { invalidMember } from "../errors.ts"
import { Policies } from "../policies.ts"
import { Conflict, replace, Store, Taken } from "../ports/store.ts"
import type { Changes, Values } from "./attributes.ts"
import { bytesOf } from "./size.ts"
import { AttributeValues, UserAttributes } from "./tables.ts"
import { valueWrites } from "./value-rows.ts"

/** The largest values of one user, organization or member together, as JSON, in bytes. */
export const maxBytes = 16_384

/** The attributes in a decoded input: `Auth.make` adds the member to the inputs of endpoints that declare `attributes`. */
export const attributesIn = (input: object): Changes => (Reflect.get(input, "attributes") as Changes | undefined) ?? {}

/** RFC 7396: null removes a member, and a list replaces the earlier one. */
const merged = (stored: Values, changes: Changes): Values => {
  const removed = new Set(Object.keys(changes).filter((name) => changes[name] === null))
  return Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([name]) => !removed.has(name))) as Values
}

/** The values after a change; fails if they are too large. */
export const changedValues = Effect.fnUntraced(function* changedValues(before: Values, changes: Changes) {
  const values = merged(before, changes)
  if (bytesOf(values) <= maxBytes) return values
  return yield* invalidMember("attributes", `Expected at most ${maxBytes} bytes for all attributes together`)
})

/**
 * The writes that change attributes of a user, for a commit that also writes the user. The input has been decoded, so the writer can write
 * them. A concurrent change of other attributes makes the commit fail with `Conflict`, and its repetition keeps both.
 */
export const attributeWrites = Effect.fnUntraced(function* attributeWrites(user_id: string, changes: Changes) {
  if (Object.keys(changes).length === 0) return []
  const stored = yield* (yield* Store).read(UserAttributes, { user_id })
  const before = Option.match(stored, { onNone: () => ({}), onSome: ({ row }) => row.values })
  const values = yield* changedValues(before, changes)
  const rows = yield* valueWrites((yield* Policies).attributes, user_id, values, changes)
  return [...rows, replace(UserAttributes, stored, { user_id, values, updated_at: yield* DateTime.now })]
})

/** Turns `Taken` into `Conflict` if another user got a unique value in the meantime: the repetition finds it, and says so. */
export const conflictIfAttributeTaken = <A, E, R>(commit: Effect.Effect<A, E | Taken, R>) =>
  Effect.mapError(commit, (error) =>
    error instanceof Taken && error.table === AttributeValues.name ? new Conflict({ table: error.table }) : error,
  )
