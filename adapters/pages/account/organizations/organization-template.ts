import { html } from "@remix-run/html-template"
import type { Invitation, ListedMember, Team } from "../../../../client/operations.ts"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { labelFor, named, roleName } from "../../components/names.ts"
import { time } from "../../components/time.ts"
import type { Template, View } from "../../view.ts"
import { framed, section } from "../frame.ts"
import { confirmation, linkButton, list, paging, row, tag } from "../parts.ts"
import type { Membership } from "./membership.ts"

/** A page of a list, with links to its first and its next page. */
interface Paged<A> {
  readonly rows: ReadonlyArray<A>
  readonly first: string | null
  readonly next: string | null
}

interface Permitted {
  readonly update: boolean
  readonly delete: boolean
  readonly invite: boolean
  readonly cancel: boolean
  readonly createTeam: boolean
}

export interface OrganizationPage {
  readonly organization: Pick<Membership, "id" | "name" | "slug" | "role">
  readonly own: string
  /** `href` is null where the caller may not change the member. */
  readonly members: Paged<ListedMember & { readonly href: string | null }>
  readonly invitations: Paged<Pick<Invitation, "id" | "email" | "role" | "expires_at">>
  readonly teams: Paged<Pick<Team, "id" | "name">>
  readonly permitted: Permitted
}

/** One organization: its members, invitations and teams. */
export const template: Template<OrganizationPage> = (view, { organization, own, members, invitations, teams, permitted }) => {
  const { t } = view.texts
  const { id } = organization
  const memberRows = members.rows.map((member) => memberRow(view, member, member.user_id === own))
  const invitationRows = invitations.rows.map((invitation) => invitationRow(view, invitation, permitted.cancel))
  const teamRows = teams.rows.map(({ id: team, name }) =>
    row(
      named(name),
      null,
      linkButton(view.href("/account/organization/team", { id, team }), labelFor(t("organizations.open"), named(name))),
    ),
  )
  return framed(
    view,
    { title: organization.name, parent: "organizations" },
    detailsCard(view, organization, permitted.update),
    section(t("organization.members"), list(memberRows, ""), paging(view, members)),
    section(
      t("organization.invitations"),
      list(invitationRows, t("organization.invitations.none")),
      paging(view, invitations),
      permitted.invite
        ? html`<p class="after">${linkButton(view.href("/account/organization/invite", { id }), t("organization.invite"))}</p>`
        : null,
    ),
    section(
      t("organization.teams"),
      list(teamRows, t("organization.teams.none")),
      paging(view, teams),
      permitted.createTeam
        ? html`<p class="after">${linkButton(view.href("/account/organization/team/new", { id }), t("organization.team.create"))}</p>`
        : null,
    ),
    leaveCard(view, organization, permitted.delete),
  )
}

const detailsCard = (view: View, { id, slug, role }: OrganizationPage["organization"], mayUpdate: boolean) => {
  const { t } = view.texts
  const change = mayUpdate ? linkButton(view.href("/account/organization/edit", { id }), t("organization.edit")) : null
  return section(
    t("organization.details"),
    html`<ul class="list">${row(t("organization.slug"), leftToRight(slug), change)}${row(t("organization.own_role"), roleName(view, role))}</ul>`,
  )
}

const memberRow = (view: View, { email, name, role, joined_at, href }: OrganizationPage["members"]["rows"][number], isOwn: boolean) => {
  const { t, rich } = view.texts
  const lines = [
    name ? leftToRight(email) : null,
    roleName(view, role),
    joined_at ? rich("organization.member.since", { date: time(view, joined_at) }) : null,
  ]
  return row(
    html`${name ? named(name) : leftToRight(email)} ${isOwn ? tag(t("organization.you")) : null}`,
    html`${lines.map((line) => (line === null ? null : html`<span class="line">${line}</span>`))}`,
    href === null ? null : linkButton(href, t("organization.member.edit")),
  )
}

const invitationRow = (
  view: View,
  { id, email, role, expires_at }: OrganizationPage["invitations"]["rows"][number],
  mayCancel: boolean,
) => {
  const { t, rich } = view.texts
  const cancel = form(view, {
    action: "cancel",
    submit: t("organization.invitation.cancel.submit"),
    look: "small danger",
    hidden: { invitation_id: id },
  })
  return row(
    leftToRight(email),
    html`<span class="line">${roleName(view, role)}</span><span class="line">${rich("organization.invitation.expires", { date: time(view, expires_at) })}</span>`,
    mayCancel
      ? confirmation(labelFor(t("organization.invitation.cancel"), leftToRight(email)), t("organization.invitation.cancel.about"), cancel)
      : null,
  )
}

const leaveCard = (view: View, { id }: OrganizationPage["organization"], mayDelete: boolean) => {
  const { t } = view.texts
  const leave = form(view, { action: "leave", submit: t("organization.leave.submit"), look: "small danger" })
  return section(
    mayDelete ? t("organization.end") : t("organization.leave"),
    html`<div class="actions">${confirmation(t("organization.leave"), t("organization.leave.about"), leave)}${
      mayDelete ? linkButton(view.href("/account/organization/delete", { id }), t("organization.delete"), "danger") : null
    }</div>`,
  )
}
