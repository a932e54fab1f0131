import { Effect, Schema } from "effect"
import { limitedOrganizations } from "../../../../domain/administration/reach.ts"
import { Organization } from "../../../../domain/organizations/organization.ts"
import { Organizations } from "../../../../domain/organizations/tables.ts"
import type { ModuleKeys } from "../../../../domain/tokens/module-keys.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { limitUpTo, maxTotal, TotalInput, totalOf, WithTotal } from "../../../service/paging.ts"
import { sealedCursor } from "../../../service/sealed-cursor.ts"
import { Filters, following, leading, matcherOf, Place, placeOf } from "./leads.ts"

const defaultLimit = 50
const maxLimit = 500

const Cursor = sealedCursor(Place, "organization-list")

/** The organizations in reach, page by page. */
export const list = (keys: ModuleKeys) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/organizations/list",
    summary: "The organizations that match all filters, the newest first. A page may be short: only `next_cursor: null` ends the list.",
    access: { permission: "organizations:read", within: true },
    input: Schema.Struct({ ...Filters, limit: limitUpTo(maxLimit), cursor: Schema.optionalKey(Schema.String), ...TotalInput }),
    output: Schema.Struct({ organizations: Schema.Array(Organization), next_cursor: Schema.NullOr(Schema.String), ...WithTotal }),
    handler: Effect.fnUntraced(function* adminListOrganizations({ limit = defaultLimit, cursor, total = false, ...filters }) {
      const { name_prefix = null, slug = null } = filters
      const name = JSON.stringify([name_prefix, slug])
      const after = cursor === undefined ? undefined : yield* Cursor.read(keys, cursor, name)
      const few = yield* limitedOrganizations
      const found = yield* leadingIn(few, filters, after, limit)
      const inPage = found.slice(0, limit)
      const last = inPage.at(-1)
      const next_cursor = last === undefined || found.length <= limit ? null : yield* Cursor.write(keys, name, placeOf(last))
      const organizations = inPage.filter(matcherOf(filters))
      const whole = after === undefined && next_cursor === null ? organizations.length : null
      const table = few === undefined ? Organizations : null
      const count = totalOf({ whole, table, filters, counted: countedIn(few, filters) })
      return Endpoint.reply({ organizations, next_cursor, ...(total && { total: yield* count }) })
    }),
  })

type Few = ReadonlyArray<typeof Organization.Type> | undefined

/** The next candidates, and one more if there are others after them. */
const leadingIn = (few: Few, filters: Filters, after: Place | undefined, limit: number) =>
  few === undefined ? leading(filters, after, limit + 1) : Effect.succeed(following(few, after, limit + 1))

const countedIn = (few: Few, filters: Filters) =>
  Effect.map(leadingIn(few, filters, undefined, maxTotal), (found) => ({
    count: found.slice(0, maxTotal).filter(matcherOf(filters)).length,
    capped: found.length > maxTotal,
  }))
