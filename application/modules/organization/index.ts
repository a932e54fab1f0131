import { movedMemberAttributes } from "../../../domain/attributes/members.ts"
import { SoleOwner } from "../../../domain/errors.ts"
import { faults, mayGrant } from "../../../domain/organizations/access-control.ts"
import { membershipRemovalWrites } from "../../../domain/organizations/departure.ts"
import { movedMemberships } from "../../../domain/organizations/moves.ts"
import { permittedTo } from "../../../domain/organizations/statements.ts"
import { Organizations, tables } from "../../../domain/organizations/tables.ts"
import { counting } from "../../../domain/storage/tally.ts"
import * as Module from "../../service/module.ts"
import { administration } from "./administration/index.ts"
import { organizationsByText } from "./administration/search.ts"
import { searchNames } from "./administration/search-names.ts"
import { mails } from "./emails.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import { graphFields } from "./graph.ts"
import { invitationEndpoints } from "./invitations.ts"
import { invitedSignUp } from "./invited-sign-up.ts"
import { memberEndpoints } from "./members.ts"
import { organizationEndpoints } from "./organizations.ts"
import { reclaim } from "./reclaim.ts"
import { spending } from "./registration.ts"
import { OrganizationSettings } from "./settings.ts"
import { showInvitation } from "./show-invitation.ts"
import { teamMemberEndpoints } from "./team-members.ts"
import { teamEndpoints } from "./teams.ts"

/** Groups of users with roles, invitations and teams. */
export const organization = Module.define({
  name: "organization",
  errors: Object.values(Errors),
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: OrganizationSettings,
  faults: ({ access_control }) => faults(access_control).map(({ path, wanted }) => ({ path: ["access_control", ...path], wanted })),
  parts: (settings, _, keys) => ({
    tables,
    rowEvents: events,
    endpoints: [
      ...organizationEndpoints(settings),
      ...memberEndpoints(settings.access_control),
      ...invitationEndpoints(settings),
      showInvitation(settings),
      invitedSignUp(settings),
      ...teamEndpoints(settings),
      ...teamMemberEndpoints(settings.access_control),
      ...administration(settings, keys),
    ],
    background: [counting(Organizations), searchNames],
    searches: [organizationsByText],
    graphFields: graphFields(settings.access_control),
    invitations: [spending(settings.access_control)],
    organizationPermits: (role, resource, action) => permittedTo(settings.access_control, role)(resource, action),
    mayGrantRole: (own, role) => mayGrant(settings.access_control, own, role),
    reclaims: [reclaim],
    beforeUserRemoval: [membershipRemovalWrites(settings.access_control)],
    removalErrors: [SoleOwner],
    mergesUsers: movedMemberships(settings.access_control, movedMemberAttributes),
  }),
})
