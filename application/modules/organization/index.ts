import { Schema } from "effect"
import { SoleOwner } from "../../../domain/errors.ts"
import * as Access from "../../../domain/organizations/access-control.ts"
import { membershipRemovalWrites } from "../../../domain/organizations/departure.ts"
import { tables } from "../../../domain/organizations/tables.ts"
import { about, orElse, Seconds } from "../../../domain/settings.ts"
import * as Module from "../../service/module.ts"
import { administration } from "./administration.ts"
import { mails } from "./emails.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import { graphFields } from "./graph.ts"
import { invitationEndpoints } from "./invitations.ts"
import { LimitSettings } from "./limits.ts"
import { memberEndpoints } from "./members.ts"
import { organizationEndpoints } from "./organizations.ts"
import { reclaim } from "./reclaim.ts"
import { teamMemberEndpoints } from "./team-members.ts"
import { teamEndpoints } from "./teams.ts"

const { creator_role, invite_default } = Access.standard

const Settings = Schema.Struct({
  access_control: Schema.Struct({
    roles: Schema.Record(Schema.String, Access.Permissions).pipe(about("The permissions of each role.")),
    hierarchy: Schema.Array(Schema.String).pipe(about("The roles from the lowest to the highest.")),
    creator_role: Schema.String.pipe(orElse(creator_role), about("The role of the user who creates an organization.")),
    invite_default: Schema.String.pipe(orElse(invite_default), about("The role of an invitation that names none.")),
  }).pipe(orElse(Access.standard), about("Replaces all [standard roles](docs/configuration.md#roles-of-organizations).")),
  invitation_expires_in: Seconds.pipe(orElse(604_800), about("Lifetime of an invitation in seconds.")),
  ...LimitSettings,
})

/** Groups of users with roles, invitations and teams. */
export const organization = Module.define({
  name: "organization",
  errors: Object.values(Errors),
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Settings,
  faults: ({ access_control }) => Access.faults(access_control).map(({ path, wanted }) => ({ path: ["access_control", ...path], wanted })),
  parts: (settings) => ({
    tables,
    rowEvents: events,
    endpoints: [
      ...organizationEndpoints(settings),
      ...memberEndpoints(settings.access_control),
      ...invitationEndpoints(settings),
      ...teamEndpoints(settings),
      ...teamMemberEndpoints(settings.access_control),
      ...administration,
    ],
    graphFields: graphFields(settings.access_control),
    reclaims: [reclaim],
    beforeUserRemoval: [membershipRemovalWrites(settings.access_control)],
    removalErrors: [SoleOwner],
  }),
})
