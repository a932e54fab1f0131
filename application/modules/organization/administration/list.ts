import { Effect, Schema } from "effect"
import { limitedOrganizations } from "../../../../domain/administration/reach.ts"
import { Organization } from "../../../../domain/organizations/organization.ts"
import type { ModuleKeys } from "../../../../domain/tokens/module-keys.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { limitUpTo } from "../../../service/paging.ts"
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
    input: Schema.Struct({ ...Filters, limit: limitUpTo(maxLimit), cursor: Schema.optionalKey(Schema.String) }),
    output: Schema.Struct({ organizations: Schema.Array(Organization), next_cursor: Schema.NullOr(Schema.String) }),
    handler: Effect.fnUntraced(function* adminListOrganizations({ limit = defaultLimit, cursor, ...filters }) {
      const { name_prefix = null, slug = null } = filters
      const name = JSON.stringify([name_prefix, slug])
      const after = cursor === undefined ? undefined : yield* Cursor.read(keys, cursor, name)
      const few = yield* limitedOrganizations
      const found = few === undefined ? yield* leading(filters, after, limit + 1) : following(few, after, limit + 1)
      const inPage = found.slice(0, limit)
      const last = inPage.at(-1)
      const next_cursor = last === undefined || found.length <= limit ? null : yield* Cursor.write(keys, name, placeOf(last))
      return Endpoint.reply({ organizations: inPage.filter(matcherOf(filters)), next_cursor })
    }),
  })
