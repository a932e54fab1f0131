import { DateTime, Effect, Schema } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import { Store } from "../../../domain/ports/store.ts"
import type { ModuleKeys } from "../../../domain/tokens/module-keys.ts"
import { AdministeredUser, administered, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { limitUpTo } from "../../service/paging.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import { sealedCursor } from "../../service/sealed-cursor.ts"
import { Filters, filtersOf, matcherOf } from "./user-filters.ts"
import { type Lead, leadOf, Order, Place, placeOf } from "./user-leads.ts"
import { AdminMetadatas } from "./users.ts"

const defaultLimit = 50
const maxLimit = 500
/** The maximum number of rows that are read for a page or a total. */
const maxRead = 1000

const Input = Schema.Struct({
  ...Filters,
  order: Schema.optionalKey(Order).pipe(
    Schema.annotateKey({ description: "Default: that of the filter with an index of its own, otherwise the newest first." }),
  ),
  limit: limitUpTo(maxLimit),
  cursor: Schema.optionalKey(Schema.String),
  total: Schema.optionalKey(QueryBoolean).pipe(Schema.annotateKey({ description: "Whether the users are counted, up to 1,000." })),
})

/** A user, and what is stored of their role and ban. */
type Found = ReturnType<typeof administered>

interface Search {
  readonly lead: Lead
  readonly matches: ReturnType<typeof matcherOf>
  readonly now: DateTime.Utc
}

/** The next matching users, at most `limit` among `maxRead`; `next` is null at the end of the list. */
export const searched = Effect.fnUntraced(function* searchedUsers({ lead, matches, now }: Search, limit: number, after: Place | undefined) {
  const users: Array<Found> = []
  let place = after
  let left = maxRead + 1
  for (let size = limit + 1; left > 0; size = Math.min(4 * size, left)) {
    const rows = yield* lead(place, size)
    const metadata = yield* metadataOf(rows)
    for (const [at, row] of rows.entries()) {
      if (users.length === limit) return { users, next: place ?? null }
      const own = metadata[at]?.[0] ?? defaultMetadata
      if (matches(row, own)) users.push(administered(row, own, now))
      place = placeOf(row)
    }
    if (rows.length < size) return { users, next: null }
    left -= size
  }
  return { users, next: place ?? null }
})

const metadataOf = (rows: ReadonlyArray<StoredUser>) =>
  Effect.flatMap(Store, ({ listForEach }) =>
    listForEach(
      AdminMetadatas,
      "user_id",
      rows.map(({ id }) => id),
      { limit: 1 },
    ),
  )

const Cursor = sealedCursor(Place, "user-list")

/** The users, page by page. A cursor is sealed, since it has an address, and names the list that it belongs to. */
export const listAllUsers = (keys: ModuleKeys) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/users/list",
    summary: "The users who match all filters, page by page. A page may be short: only `next_cursor: null` ends the list.",
    access: { permission: "users:read" },
    input: Input,
    output: Schema.Struct({
      users: Schema.Array(AdministeredUser),
      next_cursor: Schema.NullOr(Schema.String),
      total: Schema.optionalKey(
        Schema.Struct({
          count: Schema.Int,
          capped: Schema.Boolean.pipe(Schema.annotateKey({ description: "Whether there can be more." })),
        }),
      ),
    }),
    handler: Effect.fnUntraced(function* adminListAllUsers({ limit = defaultLimit, cursor, order, total = false, ...input }) {
      const filters = filtersOf(input)
      if ((filters.provider_id === undefined) !== (filters.account_id === undefined))
        return yield* invalidMember("account_id", "Expected together with provider_id")
      const list = JSON.stringify([order ?? null, filters])
      const now = yield* DateTime.now
      const search = { lead: leadOf(filters, order), matches: matcherOf(filters, now), now }
      const after = cursor === undefined ? undefined : yield* Cursor.read(keys, cursor, list)
      const { users, next } = yield* searched(search, limit, after)
      const next_cursor = next === null ? null : yield* Cursor.write(keys, list, next)
      return Endpoint.reply({ users, next_cursor, ...(total ? { total: yield* counted(search) } : {}) })
    }),
  })

const counted = (search: Search) =>
  Effect.map(searched(search, maxRead, undefined), ({ users, next }) => ({ count: users.length, capped: next !== null }))
