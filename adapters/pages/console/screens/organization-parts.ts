import { html } from "@remix-run/html-template"
import { othersEmailField } from "../../account/parts.ts"
import { leftToRight } from "../../components/direction.ts"
import { inputField, selectField } from "../../components/fields.ts"
import { button, form } from "../../components/form.ts"
import { roleName } from "../../components/names.ts"
import type { Output } from "../../page.ts"
import { card } from "../parts/body.ts"
import { disclosure } from "../parts/disclosure.ts"
import { paging, table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import type { ConsoleView, Template } from "../screen.ts"

// The members and the open invitations on the page of an organization.

/** The roles that the configuration defines, and the one that is chosen at first. */
export interface Roles {
  readonly all: ReadonlyArray<string>
  readonly usual: string
}

interface Listed {
  readonly organization_id: string
  readonly roles: Roles
  /** The query of the page, with the places of both lists. */
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

type Member = Output<"adminOrganizationsMembers">["members"][number]

interface Members extends Listed {
  readonly members: ReadonlyArray<Member>
}

export const membersCard: Template<Members> = (view, { organization_id, members, roles, query, next }) => {
  const { t } = view.texts
  const isChangeable = view.may("members:update")
  return card(
    t("console.members"),
    {},
    table({
      caption: t("console.members"),
      columns: [
        {
          label: t("console.users.user"),
          cell: ({ user_id, email }) => html`<a href="${view.at("/user", { id: user_id })}">${leftToRight(email)}</a>`,
        },
        {
          label: t("console.users.role"),
          cell: (member) => (isChangeable ? roleForm(view, member, roles) : roleName(view, member.role)),
        },
        {
          label: t("console.actions"),
          cell: ({ user_id }) =>
            isChangeable && view.may("users:read")
              ? html`<a class="button small danger" href="${view.at("/organization/remove", { id: organization_id, user: user_id })}">${t("console.member.remove")}</a>`
              : null,
        },
      ],
      rows: members,
      empty: t("console.members.none"),
    }),
    paging(view, "/organization", query, next),
    isChangeable ? addition(view, roles) : null,
  )
}

const optionsOf = (view: ConsoleView, roles: ReadonlyArray<string>) =>
  roles.map((role) => [role, view.texts.find(`role.${role}`) ?? role] as const)

/** A role of an earlier configuration stays in the list, so that the form does not change it unasked. */
const roleForm = (view: ConsoleView, { user_id, email, role, version }: Member, { all }: Roles) => {
  const { t } = view.texts
  const options = optionsOf(view, all.includes(role) ? all : [role, ...all])
  const select = html`<select name="new_role" aria-label="${t("console.member.role_of", { user: email })}">${options.map(([each, text]) => html`<option value="${each}"${each === role ? html.raw` selected` : null}>${text}</option>`)}</select>`
  return html`<form class="in-row" method="post" action="${view.here}" novalidate><input type="hidden" name="form_token" value="${view.token}"><input type="hidden" name="user_id" value="${user_id}"><input type="hidden" name="version" value="${version}">${select}${button(t("console.save"), "role", "small secondary")}</form>`
}

const addition = (view: ConsoleView, { all, usual }: Roles) => {
  const { t } = view.texts
  const user = inputField(view, {
    name: "user",
    label: t("console.users.user"),
    hint: t("console.member.add.hint"),
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "254", dir: "ltr" },
  })
  const role = selectField(view, { name: "member_role", label: t("console.users.role"), value: usual, options: optionsOf(view, all) })
  const content = form(view, { action: "add", submit: t("console.member.add"), look: "small", body: html`${user}${role}` })
  return disclosure(t("console.member.add"), { isOpen: view.entered("member_role") !== "" }, content)
}

type Invitation = Output<"adminOrganizationsInvitations">["invitations"][number]

interface Invitations extends Omit<Listed, "organization_id"> {
  readonly invitations: ReadonlyArray<Invitation>
}

export const invitationsCard: Template<Invitations> = (view, { invitations, roles, query, next }) => {
  const { t } = view.texts
  return card(
    t("console.invitations"),
    {},
    table({
      caption: t("console.invitations"),
      columns: [
        { label: t("console.user.address"), cell: ({ email }) => leftToRight(email) },
        { label: t("console.users.role"), cell: ({ role }) => roleName(view, role) },
        { label: t("console.api_key.expires"), cell: ({ expires_at }) => time(view, expires_at) },
        { label: t("console.actions"), cell: (invitation) => actions(view, invitation) },
      ],
      rows: invitations,
      empty: t("console.invitations.none"),
    }),
    paging(view, "/organization", query, next, "invitations"),
    view.may("invitations:create") ? inviting(view, roles) : null,
  )
}

const actions = (view: ConsoleView, { reference }: Invitation) => {
  const { t } = view.texts
  const hidden = { reference }
  const resend = form(view, { action: "resend", submit: t("console.invitation.resend"), look: "small secondary", hidden })
  const cancel = form(view, { action: "cancel", submit: t("console.invitation.cancel"), look: "small danger", hidden })
  return html`<div class="actions">${view.may("invitations:create") ? resend : null}${view.may("invitations:cancel") ? cancel : null}</div>`
}

const inviting = (view: ConsoleView, { all, usual }: Roles) => {
  const { t } = view.texts
  const role = selectField(view, { name: "role", label: t("console.users.role"), value: usual, options: optionsOf(view, all) })
  const content = form(view, {
    action: "invite",
    submit: t("console.invitation.send"),
    look: "small",
    body: html`${othersEmailField(view)}${role}`,
  })
  return disclosure(t("console.invitation.send"), { isOpen: view.entered("role") !== "" }, content)
}
