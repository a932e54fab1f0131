import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { NotAMember } from "../../../../application/modules/organization/errors.ts"
import type { Team } from "../../../../client/operations.ts"
import { addressTyped } from "../../../../domain/values/text.ts"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { labelFor, named } from "../../components/names.ts"
import { field, Visit } from "../../page.ts"
import type { Template, View } from "../../view.ts"
import { accountPage, framed, goTo, inSection, section } from "../frame.ts"
import { confirmation, list, othersEmailField, pageSize, paging, row } from "../parts.ts"
import { findMember, isPermitted, type Membership, membership, organizationId, teamIn, toOrganization } from "./membership.ts"
import { nameField } from "./organizations.ts"

interface Props {
  readonly organization: Pick<Membership, "id" | "name">
  readonly team: Pick<Team, "name">
  /** `email` is null for a member who is not in the first pages of the organization's list. */
  readonly members: ReadonlyArray<{ readonly user_id: string; readonly email: string | null }>
  readonly first: string | null
  readonly next: string | null
  readonly mayUpdate: boolean
  readonly mayDelete: boolean
}

/** One team: its members, its name, and its removal. */
export const template: Template<Props> = (view, { organization, team, members, mayUpdate, mayDelete, ...links }) => {
  const { t } = view.texts
  const rows = members.map((member) => teamMemberRow(view, member, mayUpdate))
  return framed(
    view,
    { title: team.name, parent: toOrganization(view, organization) },
    section(t("organization.members"), list(rows, t("organization.team.empty")), paging(view, links)),
    mayUpdate ? section(t("organization.team.add"), addForm(view)) : null,
    mayUpdate ? section(t("organization.team.rename"), renameForm(view, team)) : null,
    mayDelete ? section(t("organization.team.delete"), deletion(view, team)) : null,
  )
}

const teamMemberRow = (view: View, { user_id, email }: Props["members"][number], mayUpdate: boolean) => {
  const { t } = view.texts
  const removal = form(view, {
    action: "remove",
    submit: t("organization.team.remove.submit"),
    look: "small danger",
    hidden: { user_id },
  })
  const name = leftToRight(email ?? user_id)
  return row(
    name,
    null,
    mayUpdate ? confirmation(labelFor(t("organization.team.remove"), name), t("organization.team.remove.about"), removal) : null,
  )
}

const addForm = (view: View) => {
  const { t } = view.texts
  const body = othersEmailField(view, t("organization.team.add.hint"))
  return form(view, { action: "add", submit: t("organization.team.add"), look: "small", body })
}

const renameForm = (view: View, { name }: Props["team"]) =>
  form(view, {
    action: "rename",
    submit: view.texts.t("account.save"),
    look: "small",
    body: nameField(view, view.texts.t("organization.team.name"), name),
  })

const deletion = (view: View, { name }: Props["team"]) => {
  const { t } = view.texts
  const removal = form(view, { action: "delete", submit: t("organization.team.delete.submit"), look: "small danger" })
  return html`<p>${named(name)}</p>${confirmation(t("organization.team.delete"), t("organization.team.delete.about"), removal)}`
}

const teamId = Effect.map(Visit, ({ query }) => query.get("team") ?? "")

const toTeam = Effect.fnUntraced(function* goToTeam(notice: Parameters<typeof goTo>[1]) {
  return yield* goTo("/account/organization/team", notice, { id: yield* organizationId, team: yield* teamId })
})

const add = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const email = addressTyped(field(form, "email"))
  const found = yield* findMember(yield* organizationId, (member) => member.email === email)
  if (found === undefined) return yield* new NotAMember()
  yield* call("organizationAddTeamMember", { team_id: yield* teamId, user_id: found.user_id })
  return yield* toTeam("organization.team.added")
})

const remove = Effect.gen(function* () {
  const { call, form } = yield* Visit
  yield* call("organizationRemoveTeamMember", { team_id: yield* teamId, user_id: field(form, "user_id") })
  return yield* toTeam("organization.team.removed")
})

const rename = Effect.gen(function* () {
  const { call, form } = yield* Visit
  yield* call("organizationUpdateTeam", { team_id: yield* teamId, name: field(form, "name").trim() })
  return yield* toTeam("account.saved")
})

const deleteTeam = Effect.gen(function* () {
  const { call } = yield* Visit
  const id = yield* organizationId
  yield* call("organizationRemoveTeam", { team_id: yield* teamId })
  return yield* goTo("/account/organization", "organization.team.deleted", { id })
})

/** A page of the team's members with their addresses. */
const teamMembers = Effect.fnUntraced(function* readTeamMembers(organization_id: string, team_id: string) {
  const { call, query } = yield* Visit
  const cursor = query.get("cursor")
  const { members, next_cursor = null } = yield* call("organizationListTeamMembers", {
    team_id,
    limit: pageSize,
    ...(cursor === null ? {} : { cursor }),
  })
  const missing = new Set(members.map(({ user_id }) => user_id))
  const emails = new Map<string, string>()
  if (missing.size > 0)
    yield* findMember(organization_id, ({ user_id, email }) => {
      if (missing.delete(user_id)) emails.set(user_id, email)
      return missing.size === 0
    })
  return { cursor, next_cursor, members: members.map(({ user_id }) => ({ user_id, email: emails.get(user_id) ?? null })) }
})

export const team = accountPage({
  path: "/account/organization/team",
  needs: [
    "organizationList",
    "organizationListMembers",
    "organizationListTeams",
    "organizationListTeamMembers",
    "organizationAddTeamMember",
    "organizationRemoveTeamMember",
    "organizationUpdateTeam",
    "organizationRemoveTeam",
  ],
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const own = yield* membership
    const shown = yield* teamIn(own.id, yield* teamId)
    const { members, cursor, next_cursor } = yield* teamMembers(own.id, shown.id)
    const hrefOf = (query: Readonly<Record<string, string>>) =>
      view.href("/account/organization/team", { id: own.id, team: shown.id, ...query })
    const main = template(view, {
      organization: own,
      team: shown,
      members,
      first: cursor === null ? null : hrefOf({}),
      next: next_cursor === null ? null : hrefOf({ cursor: next_cursor }),
      mayUpdate: yield* isPermitted(own, "team", "update"),
      mayDelete: yield* isPermitted(own, "team", "delete"),
    })
    return yield* inSection("organizations", shown.name, main)
  }),
  actions: { add, remove, rename, delete: deleteTeam },
})
