import { Effect } from "effect"
import { Store } from "../ports/store.ts"
import { notePrivate } from "../sessions/subject.ts"
import { type Attributes, hasPrivate, type Reader, shownTo, type Values } from "./attributes.ts"
import { UserAttributes } from "./tables.ts"

/** What a reader sees of these users, in one read and in their order. */
export const valuesOf = Effect.fnUntraced(function* valuesOf(attributes: Attributes, ids: ReadonlyArray<string>, reader: Reader) {
  const distinct = [...new Set(ids)]
  const rows = yield* (yield* Store).listForEach(UserAttributes, "user_id", distinct, { limit: 1 })
  const byId = new Map(distinct.map((id, at) => [id, shownTo(attributes, rows[at]?.[0]?.values ?? {}, reader)]))
  if (reader === "private") yield* notePrivate(distinct.filter((id) => hasPrivate(attributes, byId.get(id) ?? {})))
  return ids.map((id): Values => byId.get(id) ?? {})
})
