import { DateTime, Effect, Schema } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { administered, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { User } from "../../../domain/users/user.ts"
import { searchable, Text } from "../../../domain/values/text.ts"
import { cursorOf, defaultPageSize, nextPage, PageInput } from "../../service/paging.ts"
import { AdminMetadatas } from "./users.ts"

/** The range of times that every store accepts, in milliseconds since 1970. */
const Millis = Schema.Int.check(Schema.isBetween({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 }))

/** The start of the next page. Opaque to clients. */
const Place = Schema.Struct({ at: Millis, id: Text })
const Cursor = cursorOf(Place)

export const ListInput = Schema.Struct({
  limit: PageInput.limit,
  cursor: Schema.optionalKey(Cursor.input),
  /** The beginning of an address or of a name, in any case. */
  search: Schema.optionalKey(Schema.String),
})

/** A page of users, the newest first, and the start of the next page. */
export const page = Effect.fnUntraced(function* pageOfUsers({ limit = defaultPageSize, cursor, search = "" }: typeof ListInput.Type) {
  const found = yield* matching(searchable(search), limit + 1, cursor === undefined ? undefined : Cursor.read(cursor))
  const users = found.slice(0, limit)
  const last = users.at(-1)
  return { users, next_cursor: last === undefined || found.length <= limit ? null : Cursor.write(placeOf(last)) }
})

/** A page of users with role and ban. The number of reads is the same for any page. */
export const list = Effect.fnUntraced(function* listUsers(input: typeof ListInput.Type) {
  const now = yield* DateTime.now
  const { users, next_cursor } = yield* page(input)
  const ids = users.map(({ id }) => id)
  const metadata = yield* (yield* Store).listForEach(AdminMetadatas, "user_id", ids, { limit: 1 })
  return {
    users: users.map((user, index) => administered(user, metadata[index]?.[0] ?? defaultMetadata, now)),
    ...nextPage(input, next_cursor),
  }
})

const placeOf = ({ created_at, id }: User) => ({ at: DateTime.toEpochMillis(created_at), id })

/** The newest users whose address or name begins with a text. Both lists start at the same place, so merging them gives a complete page. */
const matching = Effect.fnUntraced(function* matchingUsers(text: string, limit: number, cursor: typeof Place.Type | undefined) {
  const { list } = yield* Store
  const after = cursor === undefined ? {} : { after: { id: cursor.id, created_at: DateTime.makeUnsafe(cursor.at) } }
  const newest = { limit, order: "created_at", descending: true, ...after } as const
  if (text === "") return yield* list(Users, {}, newest)

  const byEmail = list(Users, {}, { ...newest, prefix: { field: "email", text } })
  const byName = list(Users, {}, { ...newest, prefix: { field: "search_name", text } })
  const found = (yield* Effect.all([byEmail, byName], { concurrency: 2 })).flat()
  const distinct = [...new Map(found.map((user) => [user.id, user])).values()]
  return distinct.sort(newestFirst).slice(0, limit)
})

const newestFirst = (one: User, other: User) =>
  DateTime.toEpochMillis(other.created_at) - DateTime.toEpochMillis(one.created_at) || (one.id < other.id ? 1 : -1)
