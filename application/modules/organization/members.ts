import { Effect, Option, Schema } from "effect"
import type { Changes } from "../../../domain/attributes/attributes.ts"
import { memberAttributeWrites } from "../../../domain/attributes/members.ts"
import { attributesIn } from "../../../domain/attributes/writing.ts"
import { Forbidden, SoleOwner } from "../../../domain/errors.ts"
import { type AccessControl, isDefined, mayChange, mayRemove, Permissions, permits } from "../../../domain/organizations/access-control.ts"
import { type Acting, actingIn, commitAs } from "../../../domain/organizations/acting.ts"
import { memberOf, ownMembership, roleGainWrites, roleLossWrites } from "../../../domain/organizations/membership.ts"
import type { Member } from "../../../domain/organizations/organization.ts"
import { Members } from "../../../domain/organizations/tables.ts"
import { orFail, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { forMembers } from "../../service/guards.ts"
import { NextPage, PageInput } from "../../service/paging.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import { InvalidRole, NotAMember } from "./errors.ts"
import { ListedMember, listed, pageOfMembers } from "./lists.ts"

const listMembers = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("read", "member"),
    method: "GET",
    path: "/organization/list-members",
    summary: "The members of an organization, the earliest first.",
    input: Schema.Struct({
      organization_id: Schema.String,
      details: Schema.optionalKey(QueryBoolean).pipe(
        Schema.annotateKey({ description: "Whether members have their names, and when they joined." }),
      ),
      ...PageInput,
    }),
    output: Schema.Struct({ members: Schema.Array(ListedMember), ...NextPage }),
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationListMembers({ organization_id, ...request }) {
      yield* actingIn(access, organization_id)
      const { rows, rest } = yield* pageOfMembers(organization_id, request)
      return Endpoint.reply({ members: rows, ...rest })
    }),
  })

const keepsOwner = (role: string) => new Forbidden({ message: `The last member with the role ${role} keeps it.` })

const removeMember = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("delete", "member"),
    method: "POST",
    path: "/organization/remove-member",
    summary: "Removes a member who ranks below the caller.",
    input: Schema.Struct({ organization_id: Schema.String, user_id: Schema.String }),
    output: Endpoint.Success,
    errors: [Forbidden, NotAMember],
    handler: Effect.fnUntraced(function* organizationRemoveMember({ organization_id, user_id }) {
      const acting = yield* actingIn(access, organization_id)
      const target = yield* orFail(memberOf(organization_id, user_id), () => new NotAMember())
      if (!mayRemove(access, acting.role, target.row.role)) return yield* new Forbidden()
      const ownerWrites = yield* roleLossWrites(access, target.row, acting.organization)
      if (Option.isNone(ownerWrites)) return yield* keepsOwner(access.creator_role)
      yield* commitAs(acting, [...ownerWrites.value, removeVersioned(Members, target)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

/** A change of a member's role, attributes, or both, by another member. */
interface MemberChange {
  readonly organization_id: string
  readonly user_id: string
  readonly role?: string
  readonly attributes: Changes
}

const changedMember = (access: AccessControl) =>
  Effect.fnUntraced(function* changedMember({ organization_id, user_id, role, attributes }: MemberChange) {
    const acting = yield* actingIn(access, organization_id)
    if (role !== undefined && !isDefined(access, role)) return yield* new InvalidRole()
    if (role !== undefined && !acting.mayGrant(role)) return yield* new Forbidden()
    const target = yield* orFail(memberOf(organization_id, user_id), () => new NotAMember())
    if (!mayChange(access, acting.role, target.row.role)) return yield* new Forbidden()
    const member = { ...target.row, role: role ?? target.row.role }
    const attributeWrites = yield* memberAttributeWrites(member, attributes)
    if (member.role === target.row.role && attributeWrites.length === 0) return member
    const roleWrites = member.role === target.row.role ? [] : yield* changedRole(access, acting, target.row, member.role)
    yield* commitAs(acting, [...roleWrites, update(Members, target, member), ...attributeWrites])
    return member
  })

const changedRole = Effect.fnUntraced(function* changedRole(access: AccessControl, acting: Acting, member: Member, role: string) {
  const ownerWrites = yield* roleLossWrites(access, member, acting.organization)
  if (Option.isNone(ownerWrites)) return yield* keepsOwner(access.creator_role)
  const user = yield* orFail((yield* Store).read(Users, { id: member.user_id }), () => new NotAMember())
  return [...ownerWrites.value, roleGainWrites(access, role, user)]
})

const updateRole = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "member"),
    method: "POST",
    path: "/organization/update-role",
    summary: "Changes a member's role. Neither the old nor the new role may rank above the caller's.",
    input: Schema.Struct({ organization_id: Schema.String, user_id: Schema.String, role: Schema.String }),
    output: Endpoint.Success,
    errors: [InvalidRole, Forbidden, NotAMember],
    handler: Effect.fnUntraced(function* organizationUpdateRole(input) {
      yield* changedMember(access)({ ...input, attributes: {} })
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const updateMember = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "member"),
    method: "POST",
    path: "/organization/update-member",
    summary: "Changes a member. Neither the old nor the new role may rank above the caller's.",
    attributes: { of: "member", from: "user" },
    input: Schema.Struct({ organization_id: Schema.String, user_id: Schema.String, role: Schema.optionalKey(Schema.String) }),
    output: Schema.Struct({ member: ListedMember }),
    errors: [InvalidRole, Forbidden, NotAMember],
    handler: Effect.fnUntraced(function* organizationUpdateMember(input) {
      const changed = yield* changedMember(access)({ ...input, attributes: attributesIn(input) })
      const [member] = yield* listed([changed])
      return member === undefined ? yield* new NotAMember() : Endpoint.reply({ member })
    }, retryOnConflict),
  })

const leave = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/leave",
    summary: "Ends the caller's membership, unless they are the last owner.",
    access: "session",
    input: Schema.Struct({ organization_id: Schema.String }),
    output: Endpoint.Success,
    errors: [SoleOwner, NotAMember],
    handler: Effect.fnUntraced(function* organizationLeave({ organization_id }) {
      const { member, organization } = yield* orFail(ownMembership(organization_id), () => new NotAMember())
      const ownerWrites = yield* orFail(roleLossWrites(access, member.row, organization), () => new SoleOwner())
      yield* (yield* Store).commit([...ownerWrites, removeVersioned(Members, member)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const hasPermission = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/has-permission",
    summary: "Whether the caller's role grants all of these permissions. False for callers who are not members.",
    access: "session",
    impersonation: "read",
    input: Schema.Struct({ organization_id: Schema.String, permissions: Permissions }),
    output: Schema.Struct({ allowed: Schema.Boolean }),
    handler: Effect.fnUntraced(function* organizationHasPermission({ organization_id, permissions }) {
      const own = yield* ownMembership(organization_id)
      return Endpoint.reply({ allowed: Option.isSome(own) && permits(access, own.value.member.row.role, permissions) })
    }),
  })

export const memberEndpoints = (access: AccessControl) => [
  listMembers(access),
  removeMember(access),
  updateRole(access),
  updateMember(access),
  leave(access),
  hasPermission(access),
]
