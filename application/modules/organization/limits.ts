import { Effect } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"
import { Invitations, Members, Teams } from "../../../domain/organizations/tables.ts"
import { Store } from "../../../domain/ports/store.ts"
import { between, orElse } from "../../../domain/settings.ts"

/** How much one user, and one organization, can have. Each is counted by reading that many rows. */
export const LimitSettings = {
  /** Organizations that one user is a member of. */
  max_per_user: between(1, 10_000).pipe(orElse(100)),
  /** Teams of one organization. */
  max_teams: between(1, 10_000).pipe(orElse(500)),
  /** Pending invitations of one organization. */
  max_invitations: between(1, 10_000).pipe(orElse(500)),
}

// Two requests that count at once would both find room. The commit that follows has to write the row named below, and the caller
// has to have read that row before it counts.

/** Fails with `invalid_request` where a user can join no further organization. Write the user. */
export const requireRoomOfUser = Effect.fnUntraced(function* requireRoomOfUser(user_id: string, most: number) {
  const found = yield* (yield* Store).list(Members, { user_id }, { limit: most })
  if (found.length >= most) return yield* new InvalidRequest({ message: `A user is a member of at most ${most} organizations.` })
})

/** Fails with `invalid_request` where an organization can have no further team. Write the organization. */
export const requireRoomForTeam = Effect.fnUntraced(function* requireRoomForTeam(organization_id: string, most: number) {
  const found = yield* (yield* Store).list(Teams, { organization_id }, { limit: most })
  if (found.length >= most) return yield* new InvalidRequest({ message: `An organization has at most ${most} teams.` })
})

/** Fails with `invalid_request` where an organization can invite no further address. Write the organization. */
export const requireRoomForInvitation = Effect.fnUntraced(function* requireRoomForInvitation(
  organization_id: string,
  email: string,
  most: number,
) {
  const found = yield* (yield* Store).list(Invitations, { organization_id, status: "pending" }, { limit: most + 1 })
  const others = found.filter((invitation) => invitation.email !== email)
  if (others.length >= most) return yield* new InvalidRequest({ message: `An organization has at most ${most} pending invitations.` })
})
