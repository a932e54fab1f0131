import { DateTime, Effect, Option, Schema } from "effect"
import { type Organization, Slug } from "../../../../domain/organizations/organization.ts"
import { Organizations } from "../../../../domain/organizations/tables.ts"
import { find, type ListOptions, Store } from "../../../../domain/ports/store.ts"
import { searchable, Text } from "../../../../domain/values/text.ts"

// The index that leads through a list of organizations, the newest first.

/** By which organizations are selected; several filters select those that match all. */
export const Filters = {
  name_prefix: Schema.optionalKey(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200))).pipe(
    Schema.annotateKey({ description: "The beginning of the name, in any case." }),
  ),
  slug: Schema.optionalKey(Slug),
}
const All = Schema.Struct(Filters)
export type Filters = typeof All.Type

/** The range of times that every store accepts, in milliseconds since 1970. */
const Millis = Schema.Int.check(Schema.isBetween({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 }))

/** Where the next page begins: after this organization. */
export const Place = Schema.Struct({ id: Schema.String, at: Millis })
export type Place = typeof Place.Type

export const placeOf = ({ id, created_at }: Organization): Place => ({ id, at: DateTime.toEpochMillis(created_at) })

const newestFirst = (one: Place, other: Place) => other.at - one.at || (one.id < other.id ? 1 : -1)

/** The part of a list in memory that comes after a place. */
export const following = (all: ReadonlyArray<Organization>, after: Place | undefined, limit: number) =>
  all
    .toSorted((one, other) => newestFirst(placeOf(one), placeOf(other)))
    .filter((organization) => after === undefined || newestFirst(after, placeOf(organization)) < 0)
    .slice(0, limit)

/** Whether an organization matches each filter. */
export const matcherOf = ({ name_prefix, slug }: Filters) => {
  const beginning = name_prefix === undefined ? "" : searchable(name_prefix)
  return (organization: Organization) =>
    (slug === undefined || organization.slug === slug) && searchable(organization.name).startsWith(beginning)
}

/** The next organizations that can match, at most `limit`. Fewer end the list. */
export const leading = Effect.fnUntraced(function* leadingOrganizations(
  { name_prefix, slug }: Filters,
  after: Place | undefined,
  limit: number,
) {
  const { list, listForEach } = yield* Store
  if (slug !== undefined) return following((yield* listForEach(Organizations, "slug", [slug], { limit: 1 })).flat(), after, limit)
  const from = after === undefined ? {} : { after: { id: after.id, created_at: DateTime.makeUnsafe(after.at) } }
  const newest: ListOptions<typeof Organizations> = { limit, order: "created_at", descending: true, ...from }
  const text = name_prefix === undefined ? "" : searchable(name_prefix)
  if (text === "") return yield* list(Organizations, {}, newest)
  // Those that an earlier version of the program wrote have no text yet (`search-names.ts`). Both lists begin at the same place, so that
  // together they make a complete page.
  const lists = [list(Organizations, {}, { ...newest, prefix: { field: "search_name", text } }), list(Organizations, withoutText, newest)]
  return following((yield* Effect.all(lists, { concurrency: 2 })).flat(), after, limit)
})

const withoutText = { search_name: null } as const

/** The organizations that can have this id, or a name or a slug that begins with a text, at most `limit` of each. */
export const beginningWith = Effect.fnUntraced(function* organizationsBeginningWith(text: string, limit: number) {
  const { list } = yield* Store
  const found = yield* Effect.all(
    [
      Effect.map(find(Organizations, { id: text }), Option.toArray),
      leading({ name_prefix: text }, undefined, limit),
      list(Organizations, {}, { limit, prefix: { field: "slug", text } }),
    ],
    { concurrency: 3 },
  )
  return [...new Map(found.flat().map((each) => [each.id, each])).values()]
})
