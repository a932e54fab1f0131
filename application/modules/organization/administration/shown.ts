import { Effect, Schema } from "effect"
import { reachedOrganization } from "../../../../domain/administration/reach.ts"
import type { WithAttributes } from "../../../../domain/attributes/members.ts"
import { VersionMismatch, VersionRequired } from "../../../../domain/errors.ts"
import { Invitation, type Member, Organization } from "../../../../domain/organizations/organization.ts"
import type { StoredInvitation } from "../../../../domain/organizations/tables.ts"
import { Policies } from "../../../../domain/policies.ts"
import { orFail, type Versioned } from "../../../../domain/ports/store.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import type { User } from "../../../../domain/users/user.ts"
import { requireVersion, Version } from "../../../service/versions.ts"
import { OrganizationNotFound } from "../errors.ts"
import { ListedMember, listedMember } from "../lists.ts"

// Organizations and their members, as administrators of the service see them.

/** One organization, and the version that a change can be conditional on. */
export const Shown = Schema.Struct({ organization: Organization, version: Version })

/** A member, and the version that a change of it can be conditional on. */
export const AdministeredMember = Schema.Struct({ ...ListedMember.fields, version: Version }).annotate({ identifier: "AdministeredMember" })

const { id: _, ...fieldsWithoutId } = Invitation.fields

/** An invitation without its id, with which anybody could register the invited address and accept. */
export const AdministeredInvitation = Schema.Struct({ reference: Schema.String, ...fieldsWithoutId }).annotate({
  identifier: "AdministeredInvitation",
})

export const withoutId = ({ id: _, ...invitation }: StoredInvitation) => invitation

/** The errors of endpoints with `ExpectedVersion`. */
export const versionErrors = [OrganizationNotFound, VersionMismatch, VersionRequired] as const

/** The organization that an administrator names, if in reach of the caller. */
export const reached = (id: string) => orFail(reachedOrganization(id), () => new OrganizationNotFound())

const versionOf = ({ row, revision }: Versioned<Organization>) => tokenHash("version", JSON.stringify([row.id, revision]))

/** Lists have no revisions, so this is the version of what is shown: the same role and attributes of the same membership have the same one. */
const memberVersionOf = ({ id, role, attributes = {} }: Member & WithAttributes) =>
  tokenHash("version", JSON.stringify(Object.keys(attributes).length === 0 ? [id, role] : [id, role, attributes]))

export const shown = (organization: Versioned<Organization>) =>
  Effect.map(versionOf(organization), (version) => ({ organization: organization.row, version }))

/** `member`: with the attributes that administrators see. */
export const shownMember = (member: Member & WithAttributes, user: Pick<User, "email">) =>
  Effect.map(memberVersionOf(member), (version) => ({ ...listedMember(member, user), version }))

const requireRead = Effect.fnUntraced(function* requireRead<E, R>(expected: string | undefined, present: Effect.Effect<string, E, R>) {
  yield* requireVersion((yield* Policies).versionsRequired, expected, present)
})

/** Fails unless the organization has the version that the caller expects. */
export const keptVersion = (organization: Versioned<Organization>, expected: string | undefined) =>
  requireRead(expected, versionOf(organization))

/** Fails unless the member has the version that the caller expects. */
export const keptMember = (member: Member & WithAttributes, expected: string | undefined) => requireRead(expected, memberVersionOf(member))
