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
import { type AdminGrant, AdminGrants, AssignedRole, maxGrants, shownGrant } from "./grants-table.ts"
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

/** A user with role and ban, and the assigned roles. */
interface Found {
  readonly user: ReturnType<typeof administered>
  readonly grants: ReadonlyArray<AdminGrant>
}

interface Search {
  readonly lead: Lead
  readonly matches: ReturnType<typeof matcherOf>
  readonly now: DateTime.Utc
}

/** The next matching users, at most `limit` among `maxRead`; `next` is null at the end of the list. */
export const searched = Effect.fnUntraced(function* searchedUsers({ lead, matches, now }: Search, limit: number, after: Place | undefined) {
  const found: Array<Found> = []
  let place = after
  let left = maxRead + 1
  for (let size = limit + 1; left > 0; size = Math.min(4 * size, left)) {
    const rows = yield* lead(place, size)
    const [metadata, assigned] = yield* rolesOf(rows)
    for (const [at, row] of rows.entries()) {
      if (found.length === limit) return { found, next: place ?? null }
      const own = metadata[at]?.[0] ?? defaultMetadata
      const grants = assigned[at] ?? []
      if (matches(row, own, grants)) found.push({ user: administered(row, own, now), grants })
      place = placeOf(row)
    }
    if (rows.length < size) return { found, next: null }
    left -= size
  }
  return { found, next: place ?? null }
})

const rolesOf = Effect.fnUntraced(function* rolesOf(rows: ReadonlyArray<StoredUser>) {
  const { listForEach } = yield* Store
  const ids = rows.map(({ id }) => id)
  return yield* Effect.all(
    [listForEach(AdminMetadatas, "user_id", ids, { limit: 1 }), listForEach(AdminGrants, "user_id", ids, { limit: maxGrants })],
    { concurrency: 2 },
  )
})

const Cursor = sealedCursor(Place, "user-list")

const RoleOfUser = Schema.Struct({ user_id: Schema.String, ...AssignedRole.fields }).annotate({ identifier: "RoleOfUser" })

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
      roles: Schema.Array(RoleOfUser).pipe(
        Schema.annotateKey({ description: "The roles assigned to these users, in addition to `role`." }),
      ),
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
      const { found, next } = yield* searched(search, limit, after)
      const users = found.map(({ user }) => user)
      const roles = found.flatMap(({ grants }) => grants.map((grant) => ({ user_id: grant.user_id, ...shownGrant(grant) })))
      const next_cursor = next === null ? null : yield* Cursor.write(keys, list, next)
      return Endpoint.reply({ users, roles, next_cursor, ...(total ? { total: yield* counted(search) } : {}) })
    }),
  })

const counted = (search: Search) =>
  Effect.map(searched(search, maxRead, undefined), ({ found, next }) => ({ count: found.length, capped: next !== null }))
