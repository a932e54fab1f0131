import { Effect, Option } from "effect"
import { principalLater } from "../../../domain/administration/later.ts"
import { Forbidden } from "../../../domain/errors.ts"
import { type AccessControl, isDefined } from "../../../domain/organizations/access-control.ts"
import { actingWith } from "../../../domain/organizations/acting.ts"
import { earliestMember } from "../../../domain/organizations/joining.ts"
import { memberOf } from "../../../domain/organizations/membership.ts"
import type { Member } from "../../../domain/organizations/organization.ts"
import type { StoredInvitation } from "../../../domain/organizations/tables.ts"
import { Policies } from "../../../domain/policies.ts"
import { orFail, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { couldInvite } from "./lists.ts"

/** The member beside whom an invited user joins, and the writes that make the commit fail once a sender who is no member may not invite. */
interface Backing {
  readonly host: Option.Option<Versioned<Member>>
  readonly unchanged: ReadonlyArray<Write>
}

type Offer = Pick<StoredInvitation, "organization_id" | "inviter_id" | "initiator" | "role">
type Initiator = NonNullable<Offer["initiator"]>

/**
 * The rights behind an invitation, if they still permit it: otherwise a demoted administrator, of the organization or the service, could
 * return with an invitation of their own.
 */
export const stillInviting = Effect.fnUntraced(function* stillInviting(access: AccessControl, offer: Offer) {
  const { organization_id, inviter_id, initiator, role } = offer
  const isRole = isDefined(access, role)
  if (initiator !== null) {
    const unchanged = isRole ? yield* Effect.option(checksOf(access, offer, initiator)) : Option.none()
    if (Option.isNone(unchanged)) return Option.none<Backing>()
    return Option.some<Backing>({ host: yield* earliestMember(organization_id), unchanged: unchanged.value })
  }
  // Also for an unknown role: the time must not tell whether an address is invited (`decoy` of `registration.ts`).
  const inviter = Option.filter(yield* memberOf(organization_id, inviter_id), ({ row }) => isRole && couldInvite(access, row, role))
  return Option.map(inviter, (member): Backing => ({ host: Option.some(member), unchanged: [] }))
})

/** Fails unless the key of the organization, or the administrator, may still invite to this role. */
const checksOf = Effect.fnUntraced(function* checksOf(
  access: AccessControl,
  { organization_id, role }: Pick<Offer, "organization_id" | "role">,
  initiator: Initiator,
) {
  // Only keys of organizations invite without a permission of the administration.
  if (initiator.permissions.length > 0) return (yield* (yield* principalLater(initiator, ["invitations:create"])).reread).checks
  const { credential } = initiator
  if (credential === null) return yield* new Forbidden()
  const held = yield* orFail((yield* Policies).machineHeld(credential), () => new Forbidden())
  const acting = yield* actingWith(access, organization_id, { action: "create", of: ["invitation"] }, held)
  return acting.mayGrant(role) ? acting.checks : yield* new Forbidden()
})
