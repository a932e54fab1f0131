import { DateTime, Effect, Option } from "effect"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { Invitations, Members } from "../../../domain/organizations/tables.ts"
import { check, Store, update } from "../../../domain/ports/store.ts"
import { isOpen } from "./invitations.ts"
import { stillInviting } from "./offers.ts"

/** The newest invitations of an address that are considered. */
const considered = 20

/** Replaces the invitation of an address without one, so that the lookup takes as long. */
const decoy = { reference: "unknown", organization_id: "unknown", inviter_id: "unknown", initiator: null, role: "unknown" }

/**
 * The writes that use an open invitation of this address to sign up, which it permits once; empty without one. The invitation stays open,
 * so that the new user can accept it.
 */
export const spending = (access: AccessControl) =>
  Effect.fnUntraced(function* spentInvitation(email: string) {
    const { list, read } = yield* Store
    const pending = yield* list(Invitations, { email, status: "pending" }, { limit: considered, order: "reference", descending: true })
    const unspent = pending.filter(({ admitted_at }) => admitted_at === null)
    for (const offer of unspent.length === 0 ? [decoy] : unspent) {
      const invitation = yield* read(Invitations, { reference: offer.reference })
      const backing = yield* stillInviting(access, offer)
      if (Option.isNone(invitation) || Option.isNone(backing)) continue
      const { row } = invitation.value
      if (row.admitted_at !== null || !(yield* isOpen(row))) continue
      const { host, unchanged } = backing.value
      const inviter = Option.toArray(host).map((member) => check(Members, member))
      return [...unchanged, update(Invitations, invitation.value, { admitted_at: yield* DateTime.now }), ...inviter]
    }
    return []
  })
