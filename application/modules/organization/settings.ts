import { Schema } from "effect"
import { Permissions, standard } from "../../../domain/organizations/access-control.ts"
import { about, between, orElse, Seconds } from "../../../domain/settings.ts"

const { creator_role, invite_default } = standard

/** Limits are checked by reading that many rows. */
export const OrganizationSettings = Schema.Struct({
  access_control: Schema.Struct({
    roles: Schema.Record(Schema.String, Permissions).pipe(about("The permissions of each role.")),
    hierarchy: Schema.Array(Schema.String).pipe(about("The roles from the lowest to the highest.")),
    creator_role: Schema.String.pipe(orElse(creator_role, "The role of the user who creates an organization.")),
    invite_default: Schema.String.pipe(orElse(invite_default, "The role of an invitation that names none.")),
  }).pipe(orElse(standard, "Replaces all [standard roles](docs/configuration.md#roles-of-organizations).")),
  invitation_expires_in: Seconds.pipe(orElse(604_800, "Lifetime of an invitation in seconds.")),
  max_per_user: between(1, 10_000).pipe(orElse(100, "Organizations that one user is a member of.")),
  max_teams: between(1, 10_000).pipe(orElse(500, "Teams of one organization.")),
  max_invitations: between(1, 10_000).pipe(orElse(500, "Pending invitations of one organization.")),
})
export type OrganizationSettings = typeof OrganizationSettings.Type
