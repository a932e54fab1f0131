import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type {
  Invitation,
  ListedMember,
  OrganizationListInvitationsPayload,
  OrganizationListMembersPayload,
  OrganizationListTeamsPayload,
  Team,
} from "../../../client/operations.ts"
import { mayChange, mayRemove } from "../../../domain/organizations/access-control.ts"
import { form } from "../components/form.ts"
import { field, page, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { framed, goTo, inSection, section, signedIn } from "./frame.ts"
import type { Membership } from "./membership.ts"
import { isPermitted, membership, organizationId } from "./membership.ts"
import { confirmation, leftToRight, linkButton, list, named, pageSize, paging, row, tag } from "./parts.ts"
import { roleName } from "./role.ts"

/** A page of a list, with links to its first and its next page. */
interface Paged<A> {
  readonly rows: ReadonlyArray<A>
  readonly first: string | null
  readonly next: string | null
}

/** What the caller may do in the organization. */
interface Permitted {
  readonly update: boolean
  readonly delete: boolean
  readonly invite: boolean
  readonly cancel: boolean
  readonly createTeam: boolean
}

interface Props {
  readonly organization: Pick<Membership, "id" | "name" | "slug" | "role">
  readonly own: string
  /** `href` is null where the caller may not change the member. */
  readonly members: Paged<ListedMember & { readonly href: string | null }>
  readonly invitations: Paged<Pick<Invitation, "id" | "email" | "role" | "expires_at">>
  readonly teams: Paged<Pick<Team, "id" | "name">>
  readonly permitted: Permitted
}

/** One organization: its members, invitations and teams. */
export const template: Template<Props> = (view, { organization, own, members, invitations, teams, permitted }) => {
  const { t } = view.texts
  const { id } = organization
  return framed(
    view,
    { title: organization.name, parent: "organizations" },
    detailsCard(view, organization, permitted.update),
    section(
      t("organization.members"),
      list(
        members.rows.map((member) => memberRow(view, member, member.user_id === own)),
        "",
      ),
      paging(view, members),
    ),
    section(
      t("organization.invitations"),
      list(
        invitations.rows.map((invitation) => invitationRow(view, invitation, permitted.cancel)),
        t("organization.invitations.none"),
      ),
      paging(view, invitations),
      permitted.invite
        ? html`<p class="after">${linkButton(view.href("/account/organization/invite", { id }), t("organization.invite"))}</p>`
        : null,
    ),
    section(
      t("organization.teams"),
      list(
        teams.rows.map(({ id: team, name }) =>
          row(named(name), null, linkButton(view.href("/account/organization/team", { id, team }), t("organizations.open"))),
        ),
        t("organization.teams.none"),
      ),
      paging(view, teams),
      permitted.createTeam
        ? html`<p class="after">${linkButton(view.href("/account/organization/team/new", { id }), t("organization.team.create"))}</p>`
        : null,
    ),
    leaveCard(view, organization, permitted.delete),
  )
}

const detailsCard = (view: View, { id, slug, role }: Props["organization"], mayUpdate: boolean) => {
  const { t } = view.texts
  const change = mayUpdate ? linkButton(view.href("/account/organization/edit", { id }), t("organization.edit")) : null
  return section(
    t("organization.details"),
    html`<ul class="list">${row(t("organization.slug"), leftToRight(slug), change)}${row(t("organization.own_role"), roleName(view, role))}</ul>`,
  )
}

const memberRow = (view: View, { email, role, href }: Props["members"]["rows"][number], isOwn: boolean) => {
  const { t } = view.texts
  return row(
    html`${leftToRight(email)} ${isOwn ? tag(t("organization.you")) : null}`,
    roleName(view, role),
    href === null ? null : linkButton(href, t("organization.member.edit")),
  )
}

const invitationRow = (view: View, { id, email, role, expires_at }: Props["invitations"]["rows"][number], mayCancel: boolean) => {
  const { t, date } = view.texts
  const cancel = form(view, {
    action: "cancel",
    submit: t("organization.invitation.cancel.submit"),
    look: "small danger",
    hidden: { invitation_id: id },
  })
  return row(
    leftToRight(email),
    html`<span class="line">${roleName(view, role)}</span><span class="line">${t("organization.invitation.expires", { date: date(expires_at) })}</span>`,
    mayCancel ? confirmation(t("organization.invitation.cancel"), t("organization.invitation.cancel.about"), cancel) : null,
  )
}

const leaveCard = (view: View, { id }: Props["organization"], mayDelete: boolean) => {
  const { t } = view.texts
  const leave = form(view, { action: "leave", submit: t("organization.leave.submit"), look: "small danger" })
  return section(
    mayDelete ? t("organization.end") : t("organization.leave"),
    html`<div class="actions">${confirmation(t("organization.leave"), t("organization.leave.about"), leave)}${
      mayDelete ? linkButton(view.href("/account/organization/delete", { id }), t("organization.delete"), "danger") : null
    }</div>`,
  )
}

/** The page of a list that the address names: `members=…`, `invitations=…` or `teams=…`. */
const paged = Effect.fnUntraced(function* readPage<A>(
  name: "members" | "invitations" | "teams",
  endpoint: string,
  organization_id: string,
  rowsOf: (body: any) => ReadonlyArray<A>,
) {
  const { call, query, view } = yield* Visit
  const cursor = query.get(name)
  const body = yield* call<{ readonly next_cursor?: string | null }>(endpoint, {
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
