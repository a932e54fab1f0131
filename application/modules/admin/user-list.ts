import { DateTime, Effect, Option, Schema } from "effect"
import { UserAttributes } from "../../../domain/attributes/tables.ts"
import { Members } from "../../../domain/organizations/tables.ts"
import type { Policies } from "../../../domain/policies.ts"
import { Store } from "../../../domain/ports/store.ts"
import { noteReached } from "../../../domain/sessions/subject.ts"
import type { ModuleKeys } from "../../../domain/tokens/module-keys.ts"
import { AdministeredUser, administered, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import { largeTotal, limitUpTo, maxTotal, type Total, TotalInput, totalOf, totalOfRead, WithTotal } from "../../service/paging.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import { sealedCursor } from "../../service/sealed-cursor.ts"
import { type WantedValue, wantedValue } from "./attribute-filter.ts"
import { IndexBuilding } from "./errors.ts"
import { type AdminGrant, AdminGrants, AssignedRole, maxGrants, shownGrant } from "./grants-table.ts"
import { isStill, searchLead } from "./search/leads.ts"
import { typedIn } from "./search/typed.ts"
import { Details, detailsOf } from "./user-details.ts"
import { checkFilters, Filters, filtersOf, type Known, matcherOf } from "./user-filters.ts"
import { type Lead, type Led, leadOf, Order, Place } from "./user-leads.ts"
import { AdminMetadatas } from "./users.ts"

const defaultLimit = 50
const maxLimit = 500
/** The maximum number of rows that are read for a page. */
const maxRead = 1000

const Input = Schema.Struct({
  ...Filters,
  order: Schema.optionalKey(Order).pipe(
    Schema.annotateKey({ description: "Default: that of the filter with an index of its own, otherwise the newest first." }),
  ),
  limit: limitUpTo(maxLimit),
  cursor: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(QueryBoolean).pipe(
    Schema.annotateKey({ description: "Whether the users come with their ways in, second factor and last session." }),
  ),
  ...TotalInput,
})

/** A user with role and ban, the assigned roles, and where the list goes on after them. */
interface Found {
  readonly user: ReturnType<typeof administered>
  readonly grants: ReadonlyArray<AdminGrant>
  readonly place: Place
}

interface Search {
  readonly lead: Lead<Policies | Store>
  readonly isStill: (led: Led) => boolean
  readonly matches: ReturnType<typeof matcherOf>
  readonly wanted: WantedValue | undefined
  readonly organization_id: string | undefined
  readonly now: DateTime.Utc
}

/** What is searched for; fails if the filters cannot be followed now. */
export const searchOf = Effect.fnUntraced(function* searchOf(filters: Filters, order: Order | undefined) {
  yield* checkFilters(filters, order !== undefined)
  const wanted = yield* wantedValue(filters)
  const now = yield* DateTime.now
  const typed = filters.search === undefined ? undefined : typedIn(filters.search)
  return {
    lead: typed === undefined ? leadOf(filters, wanted, order) : searchLead(typed, filters),
    isStill: typed === undefined ? () => true : (led) => isStill(typed, led),
    matches: matcherOf(filters, wanted, now),
    wanted,
    organization_id: filters.organization_id,
    now,
  } satisfies Search as Search
})

/** The next matching users, at most `limit` among `maxRead`; `next` is null at the end of the list. */
export const searched = Effect.fnUntraced(function* searchedUsers(search: Search, limit: number, after: Place | undefined) {
  const found: Array<Found> = []
  let place = after
  let left = maxRead + 1
  for (let size = limit + 1; left > 0; size = Math.min(4 * size, left)) {
    const rows = yield* search.lead(place, size)
    for (const { known, ...each } of yield* withKnown(search, rows)) {
      if (found.length === limit) return { found, next: place ?? null }
      if (search.isStill(each) && search.matches(known))
        found.push({ user: administered(each.user, known.metadata, search.now), grants: known.grants, place: each.place })
      place = each.place
    }
    if (rows.length < size) return { found, next: null }
    left -= size
  }
  return { found, next: place ?? null }
})

/** The users with what the filters need to know of them. */
const withKnown = Effect.fnUntraced(function* withKnown({ wanted, organization_id }: Search, rows: ReadonlyArray<Led>) {
  const ids = rows.map(({ user }) => user.id)
  const attributes = wanted === undefined ? none : attributesOf(ids)
  const memberships = organization_id === undefined ? none : membershipsIn(organization_id, ids)
  const [[metadata, assigned], values, members] = yield* Effect.all([rolesOf(ids), attributes, memberships], { concurrency: 3 })
  return rows.map(({ user, place }, at) => ({
    user,
    place,
    known: {
      user,
      metadata: metadata[at]?.[0] ?? defaultMetadata,
      grants: assigned[at] ?? [],
      values: values[at]?.[0]?.values ?? {},
      isMember: members[at]?.length === 1,
    } satisfies Known,
  }))
})

const none = Effect.succeed([])

const rolesOf = Effect.fnUntraced(function* rolesOf(ids: ReadonlyArray<string>) {
  const { listForEach } = yield* Store
  return yield* Effect.all(
    [listForEach(AdminMetadatas, "user_id", ids, { limit: 1 }), listForEach(AdminGrants, "user_id", ids, { limit: maxGrants })],
    { concurrency: 2 },
  )
})

const attributesOf = (ids: ReadonlyArray<string>) =>
  Store.use(({ listForEach }) => listForEach(UserAttributes, "user_id", ids, { limit: 1 }))

const membershipsIn = (organization_id: string, ids: ReadonlyArray<string>) =>
  Store.use(({ listForEach }) => listForEach(Members, "user_id", ids, { where: { organization_id }, limit: 1 }))

/** All users in the graph. Unlike the endpoint it has no filters, and it can be read from its end. */
export const usersOfViewer = GraphField.paged({
  on: "viewer",
  name: "users",
  summary: "All users, the newest first, for administrators with `users:read`.",
  permission: "users:read",
  output: AdministeredUser,
  place: ["created_at", "id"],
  backward: true,
  load: Effect.fnUntraced(function* loadUsers(viewers, { backward = false, ...page }) {
    const now = yield* DateTime.now
    const rows = yield* (yield* Store).list(Users, {}, { order: "created_at", descending: !backward, ...page })
    const [metadata] = yield* rolesOf(rows.map(({ id }) => id))
    const users = rows.map((row, at) => administered(row, metadata[at]?.[0] ?? defaultMetadata, now))
    return viewers.map(() => users)
  }),
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
      details: Schema.optionalKey(Schema.Array(Details)),
      next_cursor: Schema.NullOr(Schema.String),
      ...WithTotal,
    }),
    errors: [IndexBuilding],
    handler: Effect.fnUntraced(function* adminListAllUsers({
      limit = defaultLimit,
      cursor,
      order,
      total = false,
      details = false,
      ...input
    }) {
      const filters = filtersOf(input)
      const list = JSON.stringify([order ?? null, filters])
      const search = yield* searchOf(filters, order)
      const after = cursor === undefined ? undefined : yield* Cursor.read(keys, cursor, list)
      const isAll = after === undefined && Object.keys(filters).length === 0
      const page: FoundPage = yield* isAll && total ? firstOfAll(search, limit) : searched(search, limit, after)
      const { found, next } = page
      const users = found.map(({ user }) => user)
      const [only, ...others] = users
      if (only !== undefined && others.length === 0 && Object.keys(filters).length > 0) yield* noteReached(only.id)
      const roles = found.flatMap(({ grants }) => grants.map((grant) => ({ user_id: grant.user_id, ...shownGrant(grant) })))
      const next_cursor = next === null ? null : yield* Cursor.write(keys, list, next)
      const whole = after === undefined && next === null ? users.length : null
      return Endpoint.reply({
        users,
        roles,
        ...(details && { details: yield* detailsOf(users.map(({ id }) => id)) }),
        next_cursor,
        ...(total && { total: page.total ?? (yield* totalOf({ whole, table: Users, filters, counted: counted(search) })) }),
      })
    }),
  })

interface FoundPage extends Effect.Success<ReturnType<typeof searched>> {
  readonly total?: Total
}

/** The first page of all users with their total. If they can be few, one read finds both; without filters, each row is on the page. */
const firstOfAll = Effect.fnUntraced(function* firstOfAll(
  search: Search,
  limit: number,
): Effect.fn.Return<FoundPage, never, Policies | Store> {
  const large = yield* largeTotal(Users)
  if (Option.isSome(large)) {
    const page = yield* searched(search, limit, undefined)
    return page.next === null ? page : { ...page, total: large.value }
  }
  const rows = yield* search.lead(undefined, maxTotal + 1)
  const page = yield* searched({ ...search, lead: (_, size) => Effect.succeed(rows.slice(0, size)) }, limit, undefined)
  return { ...page, total: totalOfRead(rows) }
})

const counted = (search: Search) =>
  Effect.map(searched(search, maxTotal, undefined), ({ found, next }) => ({ count: found.length, capped: next !== null }))
