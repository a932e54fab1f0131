import { Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import type { Changes } from "../../../../domain/attributes/attributes.ts"
import { memberAttributeWrites, memberWithAttributes } from "../../../../domain/attributes/members.ts"
import { attributesIn } from "../../../../domain/attributes/writing.ts"
import { invalidMember, SoleOwner, UserNotFound } from "../../../../domain/errors.ts"
import { type AccessControl, isDefined } from "../../../../domain/organizations/access-control.ts"
import { earliestMember, joinWrites } from "../../../../domain/organizations/joining.ts"
import { memberOf, roleGainWrites, roleLossWrites } from "../../../../domain/organizations/membership.ts"
import type { Member } from "../../../../domain/organizations/organization.ts"
import { Members } from "../../../../domain/organizations/tables.ts"
import { check, commitOrConflict, orFail, removeVersioned, retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { ExpectedVersion } from "../../../service/versions.ts"
import { InvalidRole, NotAMember, OrganizationNotFound } from "../errors.ts"
import { requireRoomOfUser } from "../limits.ts"
import type { OrganizationSettings } from "../settings.ts"
import { AdministeredMember, keptMember, reached, shownMember, versionErrors } from "./shown.ts"

export const OneMember = { organization_id: Schema.String, user_id: Schema.String }
const Body = Schema.Struct({ member: AdministeredMember })

export const refuseGuestAsMember = Effect.fnUntraced(function* refuseGuestAsMember({ is_guest }: StoredUser) {
  if (is_guest) return yield* invalidMember("user_id", "Guests belong to no organization")
})

/** The user and the organization, and the writes that make a commit fail once the caller may not change the user's memberships. */
const target = Effect.fnUntraced(function* targetMember({ organization_id, user_id }: Schema.Struct.Type<typeof OneMember>) {
  const user = yield* administeredUser(user_id)
  const unchanged = yield* ofPrincipal(user.row)
  return { user, unchanged, organization: yield* reached(organization_id) }
})

const requireMember = (organization_id: string, user_id: string) => orFail(memberOf(organization_id, user_id), () => new NotAMember())

const filled = (member: Member) => memberWithAttributes(member, "admin")

const addMember = ({ access_control: access, max_per_user }: OrganizationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/add-member",
    summary: "Makes a user a member of an organization, without an invitation, for administrators.",
    access: { permission: "members:update" },
    attributes: { of: "member", from: "admin" },
    input: Schema.Struct({ ...OneMember, role: Schema.optionalKey(Schema.String) }),
    output: Body,
    errors: [OrganizationNotFound, UserNotFound, InvalidRole],
    handler: Effect.fnUntraced(function* adminAddMember({ role = access.invite_default, ...one }) {
      const { user, unchanged, organization } = yield* target(one)
      if (!isDefined(access, role)) return yield* new InvalidRole()
      yield* refuseGuestAsMember(user.row)
      const present = yield* memberOf(one.organization_id, one.user_id)
      if (Option.isSome(present)) {
        if (present.value.row.role !== role) return yield* invalidMember("role", "The user is a member with another role")
        const changes = yield* memberAttributeWrites(present.value.row, attributesIn(one))
        if (changes.length > 0) return yield* invalidMember("attributes", "The user is a member with other attributes")
        return Endpoint.reply({ member: yield* shownMember(yield* filled(present.value.row), user.row) })
      }
      yield* requireRoomOfUser(one.user_id, max_per_user)
      const { member, writes } = yield* joinWrites(organization, { user: user.row, role }, yield* earliestMember(one.organization_id))
      const attributes = yield* memberAttributeWrites(member, attributesIn(one))
      yield* commitOrConflict([...unchanged, update(Users, user, {}), ...writes, ...attributes])
      return Endpoint.reply({ member: yield* shownMember(yield* filled(member), user.row) })
    }, retryOnConflict),
  })

interface MemberChange extends Schema.Struct.Type<typeof OneMember> {
  readonly role?: string
  readonly attributes: Changes
  readonly expected_version?: string
}

const changedMember = (access: AccessControl) =>
  Effect.fnUntraced(function* adminChangedMember({ role, attributes, expected_version, ...one }: MemberChange) {
    const { user, unchanged, organization } = yield* target(one)
    if (role !== undefined && !isDefined(access, role)) return yield* new InvalidRole()
    const before = yield* requireMember(one.organization_id, one.user_id)
    yield* keptMember(yield* filled(before.row), expected_version)
    const member = { ...before.row, role: role ?? before.row.role }
    const getsRole = member.role !== before.row.role
    const attributeWrites = yield* memberAttributeWrites(member, attributes)
    if (getsRole || attributeWrites.length > 0) {
      const lost = getsRole ? yield* orFail(roleLossWrites(access, before.row, organization), () => new SoleOwner()) : []
      const gained = getsRole ? [roleGainWrites(access, member.role, user)] : []
      const writes = [...unchanged, ...lost, ...gained, update(Members, before, member), ...attributeWrites]
      yield* (yield* Store).commit(writes)
    }
    return Endpoint.reply({ member: yield* shownMember(yield* filled(member), user.row) })
  })

const changeErrors = [...versionErrors, UserNotFound, NotAMember, InvalidRole, SoleOwner] as const

const setRole = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/set-member-role",
    summary: "Changes a member's role, on request only if the member has the version that the caller knows.",
    access: { permission: "members:update" },
    input: Schema.Struct({ ...OneMember, role: Schema.String, ...ExpectedVersion }),
    output: Body,
    errors: changeErrors,
    handler: Effect.fnUntraced(function* adminSetMemberRole(input) {
      return yield* changedMember(access)({ ...input, attributes: {} })
    }, retryOnConflict),
  })

const updateMember = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/update-member",
    summary: "Changes a member, on request only if the member has the version that the caller knows.",
    access: { permission: "members:update" },
    attributes: { of: "member", from: "admin", in: "changes" },
    input: Schema.Struct({ ...OneMember, changes: Schema.Struct({ role: Schema.optionalKey(Schema.String) }), ...ExpectedVersion }),
    output: Body,
    errors: changeErrors,
    handler: Effect.fnUntraced(function* adminUpdateMember({ changes, ...input }) {
      return yield* changedMember(access)({ ...input, ...changes, attributes: attributesIn(changes) })
    }, retryOnConflict),
  })

const removeMember = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/remove-member",
    summary: "Ends a membership, unless it is that of the last owner, for administrators.",
    access: { permission: "members:update" },
    input: Schema.Struct(OneMember),
    output: Endpoint.Success,
    errors: [OrganizationNotFound, UserNotFound, NotAMember, SoleOwner],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminRemoveMember(one) {
      const { user, unchanged, organization } = yield* target(one)
      const member = yield* requireMember(one.organization_id, one.user_id)
      const ownerWrites = yield* orFail(roleLossWrites(access, member.row, organization), () => new SoleOwner())
      yield* (yield* Store).commit([...unchanged, check(Users, user), ...ownerWrites, removeVersioned(Members, member)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

export const memberChanges = (settings: OrganizationSettings) =>
  [
    addMember(settings),
    setRole(settings.access_control),
    updateMember(settings.access_control),
    removeMember(settings.access_control),
  ] as const
