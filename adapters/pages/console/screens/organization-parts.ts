import { html } from "@remix-run/html-template"
import { linkButton, othersEmailField } from "../../account/parts.ts"
import { leftToRight } from "../../components/direction.ts"
import { option, selectField } from "../../components/fields.ts"
import { button, form } from "../../components/form.ts"
import { roleName } from "../../components/names.ts"
import type { Output } from "../../page.ts"
import { actions, inPlace } from "../parts/actions.ts"
import { plainField } from "../parts/field.ts"
import { paging, tableCard } from "../parts/table.ts"
import { roleOptions, time, userLink } from "../parts/values.ts"
import type { ConsoleView, Template } from "../screen.ts"

// The members and the open invitations on the page of an organization.

/** The roles that the configuration defines, and the one that is chosen at first. */
export interface Roles {
  readonly all: ReadonlyArray<string>
  readonly usual: string
  /** The role of owners. */
  readonly owner: string
}

interface Listed {
  readonly organization_id: string
  readonly roles: Roles
  /** The query of the page, with the places of both lists. */
  readonly query: Readonly<Record<string, string>>
  readonly next_cursor?: string | null
}

type Member = Output<"adminOrganizationsMembers">["members"][number]

interface Members extends Listed {
  /** Whether members have attributes, which a page of each member shows. */
  readonly hasAttributes: boolean
  readonly members: ReadonlyArray<Member>
}

export const membersCard: Template<Members> = (view, { organization_id, members, roles, hasAttributes, query, next_cursor = null }) => {
  const { t } = view.texts
  const isChangeable = view.may("members:update")
  return tableCard(
    t("organization.members"),
    {
      columns: [
        {
          label: t("console.users.user"),
          cell: ({ user_id, email }) => userLink(view, user_id, leftToRight(email)),
        },
        {
          label: t("organization.role"),
          cell: (member) => (isChangeable ? roleForm(view, member, roles) : roleName(view, member.role)),
        },
        {
          label: t("console.actions"),
          cell: (member) =>
            actions(
              isChangeable && member.role !== roles.owner ? promotion(view, member, roles) : null,
              hasAttributes
                ? linkButton(view.at("/organization/member", { ...query, user: member.user_id }), t("console.attributes"))
                : null,
              isChangeable && view.may("users:read")
                ? linkButton(
                    view.at("/organization/remove", { id: organization_id, user: member.user_id }),
                    t("organization.member.remove"),
                    "danger",
                  )
                : null,
            ),
        },
      ],
      rows: members,
      empty: t("console.members.none"),
    },
    paging(view, "/organization", query, next_cursor),
    isChangeable ? addition(view, roles) : null,
  )
}

/** A role of an earlier configuration stays in the list, so that the form does not change it unasked. To make an owner has a form of its own. */
const roleForm = (view: ConsoleView, { user_id, email, role, version }: Member, { all, owner }: Roles) => {
  const { t } = view.texts
  const offered = all.filter((each) => each !== owner || each === role)
  const options = roleOptions(view, offered.includes(role) ? offered : [role, ...offered])
  const select = html`<select name="new_role" aria-label="${t("console.member.role_of", { user: email })}">${options.map((each) => option(each, role))}</select>`
  return html`<form class="in-row" method="post" action="${view.here}" novalidate><input type="hidden" name="form_token" value="${view.token}"><input type="hidden" name="user_id" value="${user_id}"><input type="hidden" name="version" value="${version}">${select}${button(t("account.save"), "role", "small secondary")}</form>`
}

/** Makes a member an owner, after a question. */
const promotion = (view: ConsoleView, { user_id, version }: Member, { owner }: Roles) => {
  const { t } = view.texts
  const hidden = { user_id, version, new_role: owner }
  const content = form(view, { action: "role", submit: t("console.member.promote.submit"), look: "small", hidden })
  return inPlace(view, t("console.member.promote"), [], html`<p>${t("console.member.promote.about")}</p>`, content)
}

const addition = (view: ConsoleView, { all, usual }: Roles) => {
  const { t } = view.texts
  const user = plainField(view, { name: "user", label: t("console.users.user"), hint: t("console.member.add.hint") })
  const role = selectField(view, { name: "member_role", label: t("organization.role"), value: usual, options: roleOptions(view, all) })
  const content = form(view, { action: "add", submit: t("console.member.add"), look: "small", body: html`${user}${role}` })
  return inPlace(view, t("console.member.add"), ["user", "member_role"], content)
}

type Invitation = Output<"adminOrganizationsInvitations">["invitations"][number]

interface Invitations extends Omit<Listed, "organization_id"> {
  readonly invitations: ReadonlyArray<Invitation>
}

export const invitationsCard: Template<Invitations> = (view, { invitations, roles, query, next_cursor = null }) => {
  const { t } = view.texts
  return tableCard(
    t("console.invitations"),
    {
      columns: [
        { label: t("field.email"), cell: ({ email }) => leftToRight(email) },
        { label: t("organization.role"), cell: ({ role }) => roleName(view, role) },
        { label: t("console.api_key.expires"), cell: ({ expires_at }) => time(view, expires_at) },
        { label: t("console.actions"), cell: (invitation) => actionsOf(view, invitation) },
      ],
      rows: invitations,
      empty: t("console.invitations.none"),
    },
    paging(view, "/organization", query, next_cursor, "invitations"),
    view.may("invitations:create") ? inviting(view, roles) : null,
  )
}

const actionsOf = (view: ConsoleView, { reference }: Invitation) => {
  const { t } = view.texts
  const hidden = { reference }
  return actions(
    view.may("invitations:create")
      ? form(view, { action: "resend", submit: t("console.send_again"), look: "small secondary", hidden })
      : null,
    view.may("invitations:cancel")
      ? inPlace(
          view,
          t("organization.invitation.cancel"),
          [],
          html`<p>${t("organization.invitation.cancel.about")}</p>`,
          form(view, { action: "cancel", submit: t("organization.invitation.cancel.submit"), look: "small danger", hidden }),
        )
      : null,
  )
}

const inviting = (view: ConsoleView, { all, usual }: Roles) => {
  const { t } = view.texts
  const role = selectField(view, { name: "role", label: t("organization.role"), value: usual, options: roleOptions(view, all) })
  const content = form(view, {
    action: "invite",
    submit: t("organization.invite"),
    look: "small",
    body: html`${othersEmailField(view)}${role}`,
  })
  return inPlace(view, t("organization.invite"), ["email", "role"], content)
}
