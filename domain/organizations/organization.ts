import { Schema, SchemaTransformation } from "effect"
import { lowercased, Text } from "../values/text.ts"

/** The name of an organization or a team, as the user typed it. */
export const Name = Text.check(
  Schema.makeFilter((text: string) => text.trim() !== "" && text.length <= 200, { expected: "a name of 1 to 200 characters" }),
)

/** An organization's name in URLs. Decoding lowercases it. It is ASCII only, so that it needs no escaping and no two slugs look alike. */
export const Slug = Schema.String.pipe(
  Schema.decode(SchemaTransformation.transform({ decode: lowercased, encode: (slug) => slug })),
  Schema.check(Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,63}$/, { expected: "a letter or digit, then up to 63 letters, digits, . _ -" })),
)

/** The scope by which a user signs in at a client for one of their organizations. */
export const organizationScope = "organization"

/** A group of users, its members. The role of a member decides what the member may do. */
export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** Lowercased, and unique across all organizations. */
  slug: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Organization" })
export interface Organization extends Schema.Schema.Type<typeof Organization> {}

/** A user's membership in an organization. */
export const Member = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  user_id: Schema.String,
  role: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Member" })
export interface Member extends Schema.Schema.Type<typeof Member> {}

/** An offer of a role in an organization to the owner of an email address. */
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

/** A group of members of an organization. */
export const Team = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  name: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Team" })
export interface Team extends Schema.Schema.Type<typeof Team> {}
