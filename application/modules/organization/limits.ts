import { Effect } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"
import { Invitations, Members, Teams } from "../../../domain/organizations/tables.ts"
import { Store } from "../../../domain/ports/store.ts"

// Two concurrent requests could both count below the limit. The commit must therefore write the row named below, and the caller must read
// that row before it counts.

const refused = (message: string) => new InvalidRequest({ message })

/** Fails with `invalid_request` if a user cannot join another organization. The commit must write the user. */
export const requireRoomOfUser = Effect.fnUntraced(function* requireRoomOfUser(user_id: string, limit: number) {
  const memberships = yield* (yield* Store).list(Members, { user_id }, { limit })
  if (memberships.length >= limit) return yield* refused(`A user can be a member of at most ${limit} organizations.`)
})

/** Fails with `invalid_request` if an organization cannot have another team. The commit must write the organization. */
export const requireRoomForTeam = Effect.fnUntraced(function* requireRoomForTeam(organization_id: string, limit: number) {
  const teams = yield* (yield* Store).list(Teams, { organization_id }, { limit })
  if (teams.length >= limit) return yield* refused(`An organization can have at most ${limit} teams.`)
})

/** Fails with `invalid_request` if an organization cannot invite another address. The commit must write the organization. */
export const requireRoomForInvitation = Effect.fnUntraced(function* requireRoomForInvitation(
  organization_id: string,
  email: string,
  limit: number,
) {
  const pending = yield* (yield* Store).list(Invitations, { organization_id, status: "pending" }, { limit: limit + 1 })
  const others = pending.filter((invitation) => invitation.email !== email)
  if (others.length >= limit) return yield* refused(`An organization can have at most ${limit} pending invitations.`)
})
