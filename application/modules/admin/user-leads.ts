import { DateTime, Effect, Option, Schema } from "effect"
import { AttributeValues } from "../../../domain/attributes/tables.ts"
import { Members } from "../../../domain/organizations/tables.ts"
import { find, findEach, type ListOptions, Store } from "../../../domain/ports/store.ts"
import { behindIds } from "../../../domain/storage/new-id.ts"
import { defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import { searchable } from "../../../domain/values/text.ts"
import type { WantedValue } from "./attribute-filter.ts"
import { AdminGrants, maxGrants } from "./grants-table.ts"
import type { Filters } from "./user-filters.ts"
import { AdminMetadatas } from "./users.ts"

// The index that leads through a list. The other filters are applied to the rows that it finds.

/** The orders of lists. */
export const Order = Schema.Literals(["newest", "oldest", "email"]).annotate({ identifier: "UserOrder" })
export type Order = typeof Order.Type

/** The range of times that every store accepts, in milliseconds since 1970. */
const Millis = Schema.Int.check(Schema.isBetween({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 }))

/** Where the next page begins: after this user, or after the text of the index by which the user was found. */
export const Place = Schema.Struct({ id: Schema.String, email: Schema.String, at: Millis, text: Schema.optionalKey(Schema.String) })
export type Place = typeof Place.Type

export const placeOf = ({ id, email, created_at }: Pick<StoredUser, "id" | "email" | "created_at">): Place => ({
  id,
  email,
  at: DateTime.toEpochMillis(created_at),
})

/** A user, and where the list goes on after them. */
export interface Led {
  readonly user: StoredUser
  readonly place: Place
}

/** The next users in the order of an index, at most `limit`. Fewer end the list. */
export type Lead<R = Store> = (after: Place | undefined, limit: number) => Effect.Effect<ReadonlyArray<Led>, never, R>

const led = (user: StoredUser): Led => ({ user, place: placeOf(user) })

/** Without an order, the filter that selects the fewest rows leads. */
export const leadOf = (filters: Filters, wanted: WantedValue | undefined, order: Order | undefined): Lead => {
  const { user_id, email, email_prefix, name_prefix, provider_id, account_id, role, organization_id } = filters
  if (user_id !== undefined) return only(find(Users, { id: user_id }))
  if (email !== undefined) return only(find(Users, { email }))
  if (provider_id !== undefined && account_id !== undefined) return only(ofAccount(provider_id, account_id))
  if (order === undefined && wanted !== undefined) return withValue(wanted)
  if (order === undefined && role !== undefined && role !== defaultMetadata.role) return ofRole(role)
  if (order === undefined && organization_id !== undefined) return inOrganization(organization_id)
  if (order === undefined && filters.banned === true) return banned
  if (order === "email" || (order === undefined && email_prefix !== undefined)) return byEmail(email_prefix)
  return byTime(filters, order !== "oldest", beginning("search_name", order === undefined ? name_prefix : undefined))
}

/** At most one user, on the first page. */
export const only =
  (user: Effect.Effect<Option.Option<StoredUser>, never, Store>): Lead =>
  (after) =>
    after === undefined ? Effect.map(user, (found) => Option.toArray(found).map(led)) : Effect.succeed([])

const ofAccount = Effect.fnUntraced(function* ownerOfAccount(provider_id: string, account_id: string) {
  const account = yield* find(Accounts, { provider_id, account_id })
  return Option.isNone(account) ? Option.none<StoredUser>() : yield* find(Users, { id: account.value.user_id })
})

/** A row of another table that names a user. `text`: of an index in the order of texts. */
interface Entry {
  readonly id: string
  readonly text?: string
}

/** The next rows of an index, at most `limit`; `after` is an `Entry` too. */
type Entries<R> = (
  after: Entry | undefined,
  limit: number,
) => Effect.Effect<{ readonly entries: ReadonlyArray<Entry>; readonly isOver: boolean }, never, R>

/** The users of the rows of another table. A row can outlive its user for a moment, so further rows are read until the page is full. */
export const byEntry = <R>(entriesAfter: Entries<R>, isWanted: (user: StoredUser) => boolean = () => true): Lead<R | Store> =>
  Effect.fnUntraced(function* usersByEntry(after, limit) {
    const all: Array<Led> = []
    let last: Entry | undefined = after
    while (all.length < limit) {
      const { entries, isOver } = yield* entriesAfter(last, limit - all.length)
      const users = yield* usersOf(entries)
      for (const { id, ...text } of entries) {
        const user = users.get(id)
        if (user !== undefined && isWanted(user)) all.push({ user, place: { ...placeOf(user), ...text } })
      }
      if (isOver) break
      last = entries.at(-1) ?? last
    }
    return all
  })

const usersOf = (entries: ReadonlyArray<Entry>) =>
  entries.length === 0
    ? Effect.succeed(new Map<string, StoredUser>())
    : findEach(
        Users,
        entries.map(({ id }) => id),
      )

type Ids = (after: string, limit: number) => Effect.Effect<{ readonly ids: ReadonlyArray<string>; readonly isOver: boolean }, never, Store>

/** In the order of their ids. */
const byId = (idsAfter: Ids): Lead =>
  byEntry((after, limit) =>
    Effect.map(idsAfter(after?.id ?? "", limit), ({ ids, isOver }) => ({ entries: ids.map((id) => ({ id })), isOver })),
  )

const inMetadata = Effect.fnUntraced(function* idsInMetadata(
  where: { readonly role: string } | { readonly banned: true },
  user_id: string,
  limit: number,
) {
  const rows = yield* (yield* Store).list(AdminMetadatas, where, { limit, order: "user_id", after: { user_id } })
  return { ids: rows.map((row) => row.user_id), isOver: rows.length < limit }
})

const banned = byId((after, limit) => inMetadata({ banned: true }, after, limit))

const withValue = ({ attribute, value }: WantedValue) =>
  byId(
    Effect.fnUntraced(function* idsWithValue(user_id, limit) {
      const where = { attribute, value: JSON.stringify(value) }
      const rows = yield* (yield* Store).list(AttributeValues, where, { limit, order: "user_id", after: { user_id, hash: behindIds } })
      return { ids: rows.map((row) => row.user_id), isOver: rows.length < limit }
    }),
  )

/** One user can have the role several times, at most `maxGrants`, of which the last page may have ended in the middle. */
const inGrants = Effect.fnUntraced(function* idsInGrants(role: string, user_id: string, limit: number) {
  const size = limit + maxGrants
  const rows = yield* (yield* Store).list(AdminGrants, { role }, { limit: size, order: "user_id", after: { user_id, id: "" } })
  return { ids: rows.map((row) => row.user_id).filter((id) => id !== user_id), isOver: rows.length < size }
})

const inOrganization = (organization_id: string) =>
  byId(
    Effect.fnUntraced(function* idsInOrganization(user_id, limit) {
      const rows = yield* (yield* Store).list(Members, { organization_id }, { limit, order: "user_id", after: { user_id, id: behindIds } })
      return { ids: rows.map((row) => row.user_id), isOver: rows.length < limit }
    }),
  )

/** Both indexes together, up to the last id of the one that goes on: behind it, the other has ids that the next page may precede. */
const ofRole = (role: string) =>
  byId(
    Effect.fnUntraced(function* idsOfRole(after, limit) {
      const both = yield* Effect.all([inMetadata({ role }, after, limit), inGrants(role, after, limit)], { concurrency: 2 })
      const ends = both.flatMap(({ ids, isOver }) => (isOver ? [] : (ids.at(-1) ?? [])))
      const all = [...new Set(both.flatMap(({ ids }) => ids))].filter((id) => ends.every((end) => id <= end)).toSorted()
      const ids = all.slice(0, limit)
      return { ids, isOver: ends.length === 0 && ids.length === all.length }
    }),
  )

/** Only users with a text that begins so. */
type Beginning = NonNullable<ListOptions<typeof Users>["prefix"]>

/** A condition for lists by time; none without a text. */
export const beginning = (field: Beginning["field"], typed: string | undefined): Beginning | undefined =>
  typed === undefined || typed === "" ? undefined : { field, text: searchable(typed) }

/** In the order of the addresses. */
export const byEmail = (typed: string | undefined): Lead => {
  const prefix = beginning("email", typed)
  return Effect.fnUntraced(function* usersByEmail(place, limit) {
    const after = place && { email: place.email, id: place.id }
    const page = { limit, order: "email", ...(after && { after }), ...(prefix && { prefix }) } as const
    return (yield* (yield* Store).list(Users, {}, page)).map(led)
  })
}

/** From one end of the wanted time to the other. */
export const byTime = (
  { created_from, created_before }: Pick<Filters, "created_from" | "created_before">,
  descending: boolean,
  prefix: Beginning | undefined,
): Lead => {
  const start = descending ? created_before : created_from
  const isIn = ({ created_at }: StoredUser) =>
    descending
      ? created_from === undefined || DateTime.isGreaterThanOrEqualTo(created_at, created_from)
      : created_before === undefined || DateTime.isLessThan(created_at, created_before)
  return Effect.fnUntraced(function* usersByTime(after, limit) {
    const from = after === undefined ? start && { created_at: start, id: "" } : { created_at: DateTime.makeUnsafe(after.at), id: after.id }
    const where = { limit, order: "created_at", descending, ...(from && { after: from }), ...(prefix && { prefix }) } as const
    return (yield* (yield* Store).list(Users, {}, where)).filter(isIn).map(led)
  })
}
