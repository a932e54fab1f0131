import { Effect, Schema } from "effect"
import { reachedOrganization } from "../../../domain/administration/reach.ts"
import { Invitation, Organization } from "../../../domain/organizations/organization.ts"
import { Invitations } from "../../../domain/organizations/tables.ts"
import { orFail } from "../../../domain/ports/store.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { OrganizationNotFound } from "./errors.ts"
import { ListedMember, pageOfMembers } from "./lists.ts"

// Organizations, as administrators of the service read them, also those with a role for one organization only.

const One = { organization_id: Schema.String }

const reached = (id: string) =>
  Effect.map(
    orFail(reachedOrganization(id), () => new OrganizationNotFound()),
    ({ row }) => row,
  )

const show = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/show",
  summary: "One organization, for administrators.",
  access: { permission: "organizations:read", within: true },
  input: Schema.Struct(One),
  output: Schema.Struct({ organization: Organization }),
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminShowOrganization({ organization_id }) {
    return Endpoint.reply({ organization: yield* reached(organization_id) })
  }),
})

const members = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/members",
  summary: "The members of an organization with their roles in it, the earliest first, for administrators.",
  access: { permission: "members:read", within: true },
  input: Schema.Struct({ ...One, ...PageInput }),
  output: Schema.Struct({ members: Schema.Array(ListedMember), ...NextPage }),
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminListMembers({ organization_id, ...request }) {
    const { id } = yield* reached(organization_id)
    const { rows, rest } = yield* pageOfMembers(id, request)
    return Endpoint.reply({ members: rows, ...rest })
  }),
})

// Without the id, with which anybody could register the invited address and accept.
const { id: _, ...withoutId } = Invitation.fields
const ShownInvitation = Schema.Struct({ reference: Schema.String, ...withoutId }).annotate({ identifier: "AdministeredInvitation" })

const invitations = Endpoint.make({
  method: "GET",
  path: "/admin/organizations/invitations",
  summary: "The open invitations of an organization, the newest first, for administrators.",
  access: { permission: "invitations:read", within: true },
  input: Schema.Struct({ ...One, ...PageInput }),
  output: Schema.Struct({ invitations: Schema.Array(ShownInvitation), ...NextPage }),
  errors: [OrganizationNotFound],
  handler: Effect.fnUntraced(function* adminListInvitations({ organization_id, ...request }) {
    const { id } = yield* reached(organization_id)
    const { rows, rest } = yield* page(Invitations, { organization_id: id, status: "pending" }, request, true)
    return Endpoint.reply({ invitations: rows.map(({ id: _, ...shown }) => shown), ...rest })
  }),
})

export const administration = [show, members, invitations] as const
