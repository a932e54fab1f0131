import { Effect } from "effect"
import type {
  ListedMember,
  OrganizationListInvitationsPayload,
  OrganizationListMembersPayload,
  OrganizationListTeamsPayload,
} from "../../../client/operations.ts"
import { mayChange, mayRemove } from "../../../domain/organizations/access-control.ts"
import { field, page, Visit } from "../page.ts"
import { goTo, inSection, signedIn } from "./frame.ts"
import { isPermitted, membership, organizationId } from "./membership.ts"
import { template } from "./organization-template.ts"
import { pageSize } from "./parts.ts"

/** The page of a list that the address names: `members=…`, `invitations=…` or `teams=…`. */
const paged = Effect.fnUntraced(function* readPage<Body extends { readonly next_cursor?: string | null }, Row>(
  name: "members" | "invitations" | "teams",
  endpoint: string,
  organization_id: string,
  rowsOf: (body: Body) => ReadonlyArray<Row>,
) {
  const { call, query, view } = yield* Visit
  const cursor = query.get(name)
  const body = yield* call<Body>(endpoint, {
    organization_id,
    limit: pageSize,
    ...(cursor === null ? {} : { cursor }),
  })
  const { next_cursor = null } = body
  const hrefOf = (query: Readonly<Record<string, string>>) => view.href("/account/organization", { id: organization_id, ...query })
  return {
    rows: rowsOf(body),
    cursor,
    first: cursor === null ? null : hrefOf({}),
    next: next_cursor === null ? null : hrefOf({ [name]: next_cursor }),
  }
})

const cancel = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const id = yield* organizationId
  yield* call("organizationCancelInvitation", { invitation_id: field(form, "invitation_id") })
  return yield* goTo("/account/organization", "organization.invitation.cancelled", { id })
})

const leave = Effect.gen(function* () {
  const { call } = yield* Visit
  yield* call("organizationLeave", { organization_id: yield* organizationId })
  return yield* goTo("/account/organizations", "organization.left")
})

export const organization = page({
  path: "/account/organization",
  needs: [
    "organizationList",
    "organizationHasPermission",
    "organizationListMembers",
    "organizationListInvitations",
    "organizationListTeams",
    "organizationCancelInvitation",
    "organizationLeave",
  ],
  access: "session",
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const { user } = yield* signedIn
    const own = yield* membership
    const { id, role } = own
    const members = yield* paged("members", "organizationListMembers", id, (body: OrganizationListMembersPayload) => body.members)
    const invitations = yield* paged(
      "invitations",
      "organizationListInvitations",
      id,
      (body: OrganizationListInvitationsPayload) => body.invitations,
    )
    const teams = yield* paged("teams", "organizationListTeams", id, (body: OrganizationListTeamsPayload) => body.teams)
    const mayUpdate = yield* isPermitted(id, "member", "update")
    const mayDelete = yield* isPermitted(id, "member", "delete")
    const access = site.accessControl
    const isOpen = (target: ListedMember) =>
      access !== null && ((mayUpdate && mayChange(access, role, target.role)) || (mayDelete && mayRemove(access, role, target.role)))
    const at = members.cursor === null ? {} : { cursor: members.cursor }
    const permitted = {
      update: yield* isPermitted(id, "organization", "update"),
      delete: yield* isPermitted(id, "organization", "delete"),
      invite: yield* isPermitted(id, "invitation", "create"),
      cancel: yield* isPermitted(id, "invitation", "cancel"),
      createTeam: yield* isPermitted(id, "team", "create"),
    }
    const rows = members.rows.map((member) => ({
      ...member,
      href: isOpen(member) ? view.href("/account/organization/member", { id, user: member.user_id, ...at }) : null,
    }))
    const main = template(view, { organization: own, own: user.id, members: { ...members, rows }, invitations, teams, permitted })
    return yield* inSection("organizations", own.name, main)
  }),
  actions: { cancel, leave },
})
