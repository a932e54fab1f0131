import { Schema, SchemaTransformation } from "effect"
import { Text } from "../values/text.ts"

/** What people call an organization or a team; kept as it was typed. */
export const Name = Text.check(
  Schema.makeFilter((text: string) => text.trim() !== "" && text.length <= 200, { expected: "a name of 1 to 200 characters" }),
)

/** An organization's name in addresses, lowercased on the way in: what needs no escaping in a URL and cannot be mistaken for another. */
export const Slug = Schema.String.pipe(
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.check(Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,63}$/, { expected: "1 to 64 letters, digits, and . _ - after the first of them" })),
)

/** A group of users who share something, and decide among themselves who belongs to it. */
export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** Lowercased, and unique across all organizations. */
  slug: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Organization" })
export interface Organization extends Schema.Schema.Type<typeof Organization> {}

/** A user's place in an organization. */
export const Member = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  user_id: Schema.String,
  role: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Member" })
export interface Member extends Schema.Schema.Type<typeof Member> {}

/** A place in an organization that is offered to whoever owns an address. */
export const Invitation = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  /** Lowercased. */
  email: Schema.String,
  role: Schema.String,
  status: Schema.Literals(["pending", "accepted", "rejected", "cancelled"]),
  inviter_id: Schema.String,
  expires_at: Schema.DateTimeUtc,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Invitation" })
export interface Invitation extends Schema.Schema.Type<typeof Invitation> {}

/** Some members of an organization. */
export const Team = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  name: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Team" })
export interface Team extends Schema.Schema.Type<typeof Team> {}
