import { Effect } from "effect"
import type { ListedMember } from "../../../../client/operations.ts"
import { mayChange, mayRemove } from "../../../../domain/organizations/access-control.ts"
import { field, Visit } from "../../page.ts"
import { accountPage, goTo, inSection, signedIn } from "../frame.ts"
import { pageSize } from "../parts.ts"
import { isPermitted, type List, lists, membership, organizationId } from "./membership.ts"
import { template } from "./organization-template.ts"

/** The page of a list that the address names: `members=…`, `invitations=…` or `teams=…`. */
const paged = Effect.fnUntraced(function* readPage<Row>(name: keyof typeof lists, read: List<Row>, organization_id: string) {
  const { query, view } = yield* Visit
  const cursor = query.get(name)
  const { rows, next_cursor = null } = yield* read({ organization_id, limit: pageSize, ...(cursor === null ? {} : { cursor }) })
  const hrefOf = (query: Readonly<Record<string, string>>) => view.href("/account/organization", { id: organization_id, ...query })
  return { rows, cursor, first: cursor === null ? null : hrefOf({}), next: next_cursor === null ? null : hrefOf({ [name]: next_cursor }) }
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

export const organization = accountPage({
  path: "/account/organization",
  needs: [
    "organizationList",
    "organizationListMembers",
    "organizationListInvitations",
    "organizationListTeams",
    "organizationCancelInvitation",
    "organizationLeave",
  ],
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const { user } = yield* signedIn
    const own = yield* membership
    const { id, role } = own
    const members = yield* paged("members", lists.members, id)
    const invitations = yield* paged("invitations", lists.invitations, id)
    const teams = yield* paged("teams", lists.teams, id)
    const mayUpdate = yield* isPermitted(own, "member", "update")
    const mayDelete = yield* isPermitted(own, "member", "delete")
    const access = site.accessControl
    const isOpen = (target: ListedMember) =>
      access !== null && ((mayUpdate && mayChange(access, role, target.role)) || (mayDelete && mayRemove(access, role, target.role)))
    const at = members.cursor === null ? {} : { cursor: members.cursor }
    const permitted = {
      update: yield* isPermitted(own, "organization", "update"),
      delete: yield* isPermitted(own, "organization", "delete"),
      invite: yield* isPermitted(own, "invitation", "create"),
      cancel: yield* isPermitted(own, "invitation", "cancel"),
      createTeam: yield* isPermitted(own, "team", "create"),
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
