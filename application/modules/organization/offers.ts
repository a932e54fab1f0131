import { Effect, Option } from "effect"
import { principalLater } from "../../../domain/administration/later.ts"
import { type AccessControl, isDefined } from "../../../domain/organizations/access-control.ts"
import { earliestMember } from "../../../domain/organizations/joining.ts"
import { memberOf } from "../../../domain/organizations/membership.ts"
import type { Member } from "../../../domain/organizations/organization.ts"
import type { StoredInvitation } from "../../../domain/organizations/tables.ts"
import type { Versioned, Write } from "../../../domain/ports/store.ts"
import { couldInvite } from "./lists.ts"

/** The member beside whom an invited user joins, and the writes that make the commit fail once the administrator may not invite. */
interface Backing {
  readonly host: Option.Option<Versioned<Member>>
  readonly unchanged: ReadonlyArray<Write>
}

type Offer = Pick<StoredInvitation, "organization_id" | "inviter_id" | "initiator" | "role">

/**
 * The rights behind an invitation, if they still permit it: otherwise a demoted administrator, of the organization or the service, could
 * return with an invitation of their own.
 */
export const stillInviting = Effect.fnUntraced(function* stillInviting(access: AccessControl, offer: Offer) {
  const { organization_id, inviter_id, role } = offer
  const isRole = isDefined(access, role)
  if (offer.initiator !== null) return isRole ? yield* byAdministrator(organization_id, offer.initiator) : Option.none<Backing>()
  // Also for an unknown role: the time must not tell whether an address is invited (`decoy` of `registration.ts`).
  const inviter = Option.filter(yield* memberOf(organization_id, inviter_id), ({ row }) => isRole && couldInvite(access, row, role))
  return Option.map(inviter, (member): Backing => ({ host: Option.some(member), unchanged: [] }))
})

const byAdministrator = Effect.fnUntraced(function* byAdministrator(
  organization_id: string,
  initiator: NonNullable<StoredInvitation["initiator"]>,
) {
  const held = Effect.flatMap(principalLater(initiator, ["invitations:create"]), ({ reread }) => reread)
  const rights = yield* Effect.option(held)
  if (Option.isNone(rights)) return Option.none<Backing>()
  return Option.some<Backing>({ host: yield* earliestMember(organization_id), unchanged: rights.value.checks })
})
