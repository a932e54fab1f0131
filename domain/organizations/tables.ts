import { Schema } from "effect"
import { Initiator } from "../initiator.ts"
import * as Table from "../ports/table.ts"
import { Users } from "../users/tables.ts"
import { searchable } from "../values/text.ts"
import { Invitation, Member, Organization, Team } from "./organization.ts"

export const Organizations = Table.make("organization", Organization, {
  key: "id",
  unique: ["slug"],
  indexed: [["created_at", "id"]],
  searched: { search_name: ({ name }) => searchable(name) },
})

export const Members = Table.make("member", Member, {
  key: "id",
  unique: [["organization_id", "user_id"]],
  shardKey: ["organization_id", "user_id"],
  indexed: [
    ["organization_id", "id"],
    ["organization_id", "role", "id"],
    ["user_id", "id"],
  ],
  references: { organization_id: Organizations, user_id: Users },
  data: { personal: ["organization_id", "role", "created_at"], other: ["id", "user_id"] },
})

/** An invitation is removed with its inviter, and some time after it expires. */
export const Invitations = Table.make(
  "invitation",
  Schema.Struct({
    ...Invitation.fields,
    /** Identifies the invitation to members who must not get its `id`, which is a secret. References sort by the time of creation. */
    reference: Schema.String,
    /** The hash of the token in its newest mail, which proves the mailbox. Null: the mail is of an earlier version, and has none. */
    token_hash: Schema.NullOr(Schema.String),
    /** When a user signed up by it (`registration`), which it permits once. */
    admitted_at: Schema.NullOr(Schema.DateTimeUtc),
    /** The administrator of the service, or the key, that invites, whose id is `inviter_id`. Null: a member. */
    initiator: Schema.NullOr(Initiator),
  }),
  {
    key: "reference",
    unique: ["id"],
    indexed: [
      ["organization_id", "status", "reference"],
      ["organization_id", "email", "status", "reference"],
      ["email", "status", "reference"],
    ],
    references: { organization_id: Organizations, inviter_id: Users },
    expires: "expires_at",
    data: {
      personal: ["organization_id", "role", "status", "created_at", "expires_at"],
      address: "email",
      secret: ["id", "token_hash"],
      other: ["email", "inviter_id", "reference", "admitted_at", "initiator"],
    },
  },
)
export type StoredInvitation = Table.Row<typeof Invitations>

export const Teams = Table.make("team", Team, {
  key: "id",
  indexed: [["organization_id", "id"]],
  references: { organization_id: Organizations },
})

/** References the member, so that a user who leaves the organization leaves its teams. */
export const TeamMembers = Table.make(
  "team_member",
  Schema.Struct({ id: Schema.String, team_id: Schema.String, member_id: Schema.String, user_id: Schema.String }),
  {
    key: "id",
    unique: [["team_id", "member_id"]],
    indexed: [["team_id", "id"]],
    references: { team_id: Teams, member_id: Members },
    data: { personal: ["team_id"], other: ["id", "member_id", "user_id"] },
  },
)

/** The organization that a user has selected. References the membership, and is removed with it. */
export const ActiveOrganizations = Table.make(
  "active_organization",
  Schema.Struct({ user_id: Schema.String, member_id: Schema.String, organization_id: Schema.String }),
  {
    key: "user_id",
    references: { member_id: Members, organization_id: Organizations },
    data: { personal: ["organization_id"], other: ["user_id", "member_id"] },
  },
)

/** The users whose accounts an organization manages by a domain. References the membership, and is removed with it. */
export const ManagedUsers = Table.make(
  "managed_user",
  Schema.Struct({
    user_id: Schema.String,
    member_id: Schema.String,
    organization_id: Schema.String,
    /** Lowercased. */
    domain: Schema.String,
    created_at: Schema.DateTimeUtc,
  }),
  {
    key: "user_id",
    references: { member_id: Members, organization_id: Organizations },
    data: { personal: ["organization_id", "domain", "created_at"], other: ["user_id", "member_id"] },
  },
)

export const tables = [Organizations, Members, Invitations, Teams, TeamMembers, ActiveOrganizations, ManagedUsers]
