import { DateTime, Effect, Option, Schema } from "effect"
import { Organizations } from "../organizations/tables.ts"
import { findEach, replace, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { type Attributes, type Changes, type Reader, shownTo, type Values } from "./attributes.ts"
import { StoredValues } from "./tables.ts"
import { changedValues } from "./writing.ts"

/** The attributes of organizations. Every write of a row writes the organization as well, so that its version covers them. */
export const OrganizationAttributes = Table.make(
  "organization_attributes",
  Schema.Struct({
    organization_id: Schema.String,
    /** By attribute. May have values of attributes that are no longer declared. */
    values: StoredValues,
    updated_at: Schema.DateTimeUtc,
  }),
  { key: "organization_id", references: { organization_id: Organizations } },
)

/** The writes that change attributes of an organization, for a commit that also writes the organization. */
export const organizationAttributeWrites = Effect.fnUntraced(function* organizationAttributeWrites(
  organization_id: string,
  changes: Changes,
) {
  if (Object.keys(changes).length === 0) return []
  const stored = yield* (yield* Store).read(OrganizationAttributes, { organization_id })
  const before = Option.match(stored, { onNone: () => ({}), onSome: ({ row }) => row.values })
  const values = yield* changedValues(before, changes)
  return [replace(OrganizationAttributes, stored, { organization_id, values, updated_at: yield* DateTime.now })]
})

/** What a reader sees of these organizations, by id, in one read. */
export const organizationValues = Effect.fnUntraced(function* organizationValues(
  attributes: Attributes,
  ids: ReadonlyArray<string>,
  reader: Reader,
) {
  const rows = yield* findEach(OrganizationAttributes, ids)
  return new Map(ids.map((id): [string, Values] => [id, shownTo(attributes, rows.get(id)?.values ?? {}, reader)]))
})
