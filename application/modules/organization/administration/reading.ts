import { Effect, Schema } from "effect"
import { withMemberAttributes } from "../../../../domain/attributes/members.ts"
import { Invitations, Members } from "../../../../domain/organizations/tables.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../../service/paging.ts"
import { OrganizationNotFound } from "../errors.ts"
import { withUsers } from "../lists.ts"
import { AdministeredInvitation, AdministeredMember, reached, Shown, shown, shownMember, withoutId } from "./shown.ts"

// Organizations, as administrators of the service read them, also those with a role for one organization only: `domain/administration/reach.ts`.

const One = { organization_id: Schema.String }

const show = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/show",
  summary: "One organization, for administrators.",
  access: { permission: "organizations:read", within: true },
  input: Schema.Struct(One),
  output: Shown,
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminShowOrganization({ organization_id }) {
    return Endpoint.reply(yield* shown(yield* reached(organization_id)))
  }),
})

const members = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/members",
  summary: "The members of an organization with their roles in it, the earliest first, for administrators.",
  access: { permission: "members:read", within: true },
  input: Schema.Struct({ ...One, ...PageInput }),
  output: Schema.Struct({ members: Schema.Array(AdministeredMember), ...NextPage }),
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminListMembers({ organization_id, ...request }) {
    const { row } = yield* reached(organization_id)
    const { rows, rest } = yield* page(Members, { organization_id: row.id }, request)
    const listed = yield* withUsers(yield* withMemberAttributes(rows, "admin"))
    const members = yield* Effect.forEach(listed, ({ member, user }) => shownMember(member, user))
    return Endpoint.reply({ members, ...rest })
  }),
})

const invitations = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/invitations",
  summary: "The open invitations of an organization, the newest first, for administrators.",
  access: { permission: "invitations:read", within: true },
  input: Schema.Struct({ ...One, ...PageInput }),
  output: Schema.Struct({ invitations: Schema.Array(AdministeredInvitation), ...NextPage }),
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminListInvitations({ organization_id, ...request }) {
    const { row } = yield* reached(organization_id)
    const { rows, rest } = yield* page(Invitations, { organization_id: row.id, status: "pending" }, request, true)
    return Endpoint.reply({ invitations: rows.map(withoutId), ...rest })
  }),
})

export const reading = [show, members, invitations] as const
