import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { InvalidInvitation } from "../errors.ts"
import type { Versioned } from "../ports/store.ts"
import { Conflict, check, insert, Store, Taken, update } from "../ports/store.ts"
import { Users } from "../storage/tables.ts"
import type { StoredUser } from "../users/user.ts"
import type { Member, Organization } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/** Who joins what, and on whose word. */
interface Joining {
  readonly organization_id: string
  readonly user: Versioned<StoredUser>
  readonly role: string
  readonly inviter: Versioned<Member>
}

/**
 * A new member of an organization that still exists, and the writes that make them one: `Taken` when they are a member already,
 * `Conflict` when the inviter's membership has changed.
 */
export const joining = Effect.fnUntraced(function* joining({ organization_id, user, role, inviter }: Joining) {
  const organization = yield* (yield* Store).read(Organizations, { id: organization_id })
  if (Option.isNone(organization)) return yield* new InvalidInvitation()
  if (inviter.row.user_id === user.row.id) return yield* new Taken({ table: Members.name, field: "organization_id" })
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const member: Member = { id, organization_id, user_id: user.row.id, role, created_at: yield* DateTime.now }
  // The user is written, not only checked: a user's memberships are counted before they join.
  const writes = [...(yield* welcome(organization.value, inviter)), update(Users, user, {}), insert(Members, member)]
  return { member, writes }
})

/**
 * Keeps an organization from being removed with its lone owner while a user joins it. The first to join writes the organization and
 * the owner's user, which the owner's removal is conditional on. Later ones only check the organization, the inviter and one more
 * member: they do not wait for one another, and while both are members, neither is alone.
 */
const welcome = Effect.fnUntraced(function* welcome(organization: Versioned<Organization>, inviter: Versioned<Member>) {
  const { list, read } = yield* Store
  const members = yield* list(Members, { organization_id: organization.row.id }, { limit: 2 })
  const another = members.find(({ id }) => id !== inviter.row.id)
  if (another === undefined) {
    const owner = yield* read(Users, { id: inviter.row.user_id })
    if (Option.isNone(owner)) return yield* new Conflict({ table: Users.name })
    return [update(Organizations, organization, {}), update(Users, owner.value, {}), check(Members, inviter)]
  }
  const held = yield* read(Members, { id: another.id })
  if (Option.isNone(held)) return yield* new Conflict({ table: Members.name })
  return [check(Organizations, organization), check(Members, inviter), check(Members, held.value)]
})
