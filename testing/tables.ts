import { Schema } from "effect"
import * as Table from "../domain/ports/table.ts"

// Example tables of a workshop, with every kind of field and index that the suite tests.

export const Owner = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  nickname: Schema.NullOr(Schema.String),
  verified: Schema.Boolean,
  visits: Schema.Int,
  weight: Schema.Number,
  joined_at: Schema.DateTimeUtc,
  left_at: Schema.NullOr(Schema.DateTimeUtc),
  tags: Schema.Array(Schema.String),
  settings: Schema.NullOr(Schema.Struct({ theme: Schema.String, seen_at: Schema.DateTimeUtc })),
})
export type Owner = typeof Owner.Type

/** Its name is a reserved word of SQL, as are names of the service's tables. */
export const Owners = Table.make("user", Owner, {
  key: "id",
  unique: ["email", "nickname"],
  indexed: ["joined_at", "visits"],
  searched: { tag: ({ tags }) => tags[0]?.slice(0, 50).toLowerCase() ?? null },
})

export const Tool = Schema.Struct({
  id: Schema.String,
  owner_id: Schema.NullOr(Schema.String),
  shelf: Schema.String,
  note: Schema.String,
  place: Schema.NullOr(Schema.Int),
  order: Schema.Int,
})
export const Tools = Table.make("table", Tool, {
  key: "id",
  unique: [["shelf", "place"]],
  indexed: [["owner_id", "order"]],
  references: { owner_id: Owners },
})

export const Part = Schema.Struct({ id: Schema.String, tool_id: Schema.String, expires_at: Schema.DateTimeUtc })
export const Parts = Table.make("part", Part, { key: "id", references: { tool_id: Tools }, expires: "expires_at" })

export const ChallengeFields = Schema.Struct({
  hash: Schema.String,
  count: Schema.Int,
  owner_id: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export const Tickets = Table.make("ticket", ChallengeFields, { key: "hash", references: { owner_id: Owners }, expires: "expires_at" })

/** Kept out of `tables`, so that only the test that adds it has expiring rows with dependants. */
export const Screws = Table.make("screw", Schema.Struct({ id: Schema.String, part_id: Schema.String }), {
  key: "id",
  references: { part_id: Parts },
})

export const tables = [Owners, Tools, Parts, Tickets]
