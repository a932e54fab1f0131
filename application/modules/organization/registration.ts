import { DateTime, Effect, Option } from "effect"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { Invitations, Members } from "../../../domain/organizations/tables.ts"
import { check, Store, update } from "../../../domain/ports/store.ts"
import { isOpen, stillInviting } from "./invitations.ts"

/** The newest invitations of an address that are considered. */
const considered = 20

/**
 * The writes that use an open invitation of this address to sign up, which it permits once; empty without one. The invitation stays open,
 * so that the new user can accept it.
 */
export const spending = (access: AccessControl) =>
  Effect.fnUntraced(function* spentInvitation(email: string) {
    const { list, read } = yield* Store
    const pending = yield* list(Invitations, { email, status: "pending" }, { limit: considered, order: "reference", descending: true })
    for (const { reference } of pending.filter(({ admitted_at }) => admitted_at === null)) {
      const invitation = yield* read(Invitations, { reference })
      if (Option.isNone(invitation) || invitation.value.row.admitted_at !== null || !(yield* isOpen(invitation.value.row))) continue
      const inviter = yield* Effect.option(stillInviting(access, invitation.value.row))
      if (Option.isSome(inviter))
        return [update(Invitations, invitation.value, { admitted_at: yield* DateTime.now }), check(Members, inviter.value)]
    }
    return []
  })
