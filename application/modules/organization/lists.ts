import { Effect, Option, Schema } from "effect"
import { type WithAttributes, withMemberAttributes } from "../../../domain/attributes/members.ts"
import { type AccessControl, mayGrant, permits } from "../../../domain/organizations/access-control.ts"
import type { Acting } from "../../../domain/organizations/acting.ts"
import type { Member } from "../../../domain/organizations/organization.ts"
import { ActiveOrganizations, Invitations, Members, type StoredInvitation } from "../../../domain/organizations/tables.ts"
import { findEach, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { User } from "../../../domain/users/user.ts"
import { type PageRequest, page } from "../../service/paging.ts"

/** A user's active organization, if any. */
export const activeOrganization = Effect.fnUntraced(function* activeOrganization(user_id: string) {
  const rows = yield* (yield* Store).readWithReferenced(ActiveOrganizations, { user_id }, "organization_id")
  return Option.map(rows, ([, { row }]) => row)
})

const onRequest = { description: "Only in lists with `details`." }

/** The form of a member for other members. */
export const ListedMember = Schema.Struct({
  user_id: Schema.String,
  role: Schema.String,
  email: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)).pipe(Schema.annotateKey(onRequest)),
  joined_at: Schema.optionalKey(Schema.DateTimeUtc).pipe(Schema.annotateKey(onRequest)),
}).annotate({ identifier: "ListedMember" })

interface MembersRequest extends PageRequest {
  readonly details?: boolean
}

/** Members and their users, in one read for any number of members. */
export const withUsers = Effect.fnUntraced(function* withUsers<M extends Member>(members: ReadonlyArray<M>) {
  const users = yield* findEach(
    Users,
    members.map(({ user_id }) => user_id),
  )
  return members.flatMap((member) => {
    const user = users.get(member.user_id)
    return user === undefined ? [] : [{ member, user }]
  })
})

/** Members with their addresses, the earliest first, in two or three reads for any number of members. */
export const pageOfMembers = Effect.fnUntraced(function* pageOfMembers(
  organization_id: string,
  { details = false, ...request }: MembersRequest,
) {
  const { rows, rest } = yield* page(Members, { organization_id }, request)
  return { rows: yield* listed(rows, details), rest }
})

/** Members as other members see them, without those whose users are removed. */
export const listed = Effect.fnUntraced(function* listedMembers(members: ReadonlyArray<Member>, details = false) {
  const found = yield* withUsers(yield* withMemberAttributes(members, "user"))
  return found.map(({ member, user }) => ({
    ...listedMember(member, user),
    ...(details && { name: user.name, joined_at: member.created_at }),
  }))
})

export const listedMember = ({ user_id, role, attributes }: Member & WithAttributes, { email }: Pick<User, "email">) => ({
  user_id,
  role,
  email,
  ...(attributes && { attributes }),
})

/** Open invitations, the newest first. */
export const pageOfInvitations = Effect.fnUntraced(function* pageOfInvitations(
  access: AccessControl,
  { organization, member }: Pick<Acting, "organization" | "member">,
  request: PageRequest,
) {
  const where = { organization_id: organization.row.id, status: "pending" } as const
  const { rows, rest } = yield* page(Invitations, where, request, true)
  return { rows: rows.map(shownTo(access, member)), rest }
})

/** The form of an invitation for a member, with its reference in place of the id unless `couldInvite`. Null: for a key, which gets no secrets. */
export const shownTo =
  (access: AccessControl, caller: Member | null) =>
  (invitation: StoredInvitation): StoredInvitation => ({
    ...invitation,
    id: caller !== null && couldInvite(access, caller, invitation.role) ? invitation.id : invitation.reference,
  })

/**
 * Whether a member may get the id of an invitation. With the id, a member could register the invited address and accept the role, so only
 * members who may grant this role get the id.
 */
export const couldInvite = (access: AccessControl, { role: own }: Member, role: string) =>
  permits(access, own, { invitation: ["create"] }) && mayGrant(access, own, role)
