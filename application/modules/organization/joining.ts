import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { AccessControl } from "../../../domain/AccessControl.ts"
import { InvalidInvitation } from "../../../domain/Errors.ts"
import type { Member, Organization } from "../../../domain/Organization.ts"
import type { StoredUser } from "../../../domain/User.ts"
import type { Held } from "../../ports/Store.ts"
import { Conflict, check, insert, Store, update } from "../../ports/Store.ts"
import { gaining } from "./membership.ts"
import { Members, Organizations } from "./tables.ts"

/** Who joins what, and on whose word. */
interface Joining {
  readonly organization_id: string
  readonly user: Held<StoredUser>
  readonly role: string
  readonly inviter: Held<Member>
}

/**
 * A new member of an organization that is still there, and the writes that make them one: `Taken` when they are one already,
 * `Conflict` when whoever invited them is no longer what they were.
 */
export const joining = Effect.fnUntraced(function* (access: AccessControl, { organization_id, user, role, inviter }: Joining) {
  const organization = yield* (yield* Store).read(Organizations, { id: organization_id })
  if (Option.isNone(organization)) return yield* new InvalidInvitation()
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const member: Member = { id, organization_id, user_id: user.row.id, role, created_at: yield* DateTime.now }
  const writes = [...(yield* welcome(organization.value, inviter)), gaining(access, role, user), insert(Members, member)]
  return { member, writes }
})

/**
 * Keeps the organization from going with a lone owner while somebody joins. Whoever joins them first writes it, which their
 * departure is conditional on. Later ones only hold it, so that they need not wait for one another, and along with it whoever
 * invited them and one more member: as long as both are there, nobody is alone.
 */
const welcome = Effect.fnUntraced(function* (organization: Held<Organization>, inviter: Held<Member>) {
  const { list, read } = yield* Store
  const members = yield* list(Members, { organization_id: organization.row.id }, { limit: 2 })
  const another = members.find(({ id }) => id !== inviter.row.id)
  if (another === undefined) return [update(Organizations, organization, {}), check(Members, inviter)]
  const held = yield* read(Members, { id: another.id })
  if (Option.isNone(held)) return yield* new Conflict({ table: Members.name })
  return [check(Organizations, organization), check(Members, inviter), check(Members, held.value)]
})
