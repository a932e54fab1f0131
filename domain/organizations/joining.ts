import { DateTime, Effect, Option } from "effect"
import { InvalidInvitation } from "../errors.ts"
import { Conflict, check, insert, orFail, Store, Taken, update, type Versioned } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { Users } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import type { Member, Organization } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/** A user who joins an organization. */
interface Joining {
  readonly user: StoredUser
  readonly role: string
}

/** A user who was invited, and the member beside whom they join: the one who invited them, unless an administrator did. */
interface Invited extends Joining {
  readonly organization_id: string
  readonly host: Option.Option<Versioned<Member>>
}

/**
 * A new member, and the writes that add them. Fails with `InvalidInvitation` for a guest, and if the organization no longer exists. The
 * commit must also write the user, not only check them: the limit counts their memberships before they join, so concurrent joins of one user
 * must conflict. It fails with `Taken` if the user is a member already, and with `Conflict` if the host's membership has changed.
 */
export const memberJoinWrites = Effect.fnUntraced(function* memberJoinWrites({ organization_id, user, role, host }: Invited) {
  if (user.is_guest) return yield* new InvalidInvitation()
  const organization = yield* orFail((yield* Store).read(Organizations, { id: organization_id }), () => new InvalidInvitation())
  return yield* joinWrites(organization, { user, role }, host)
})

/** A new member of an organization, beside a host, who is one already. The commit fails as that of `memberJoinWrites`. */
export const joinWrites = Effect.fnUntraced(function* joinWrites(
  organization: Versioned<Organization>,
  { user, role }: Joining,
  host: Option.Option<Versioned<Member>>,
) {
  if (Option.isSome(host) && host.value.row.user_id === user.id) return yield* new Taken({ table: Members.name, field: "organization_id" })
  const id = yield* newId
  const member: Member = { id, organization_id: organization.row.id, user_id: user.id, role, created_at: yield* DateTime.now }
  const welcomed = Option.isNone(host) ? [update(Organizations, organization, {})] : yield* welcome(organization, host.value)
  return { member, writes: [...welcomed, insert(Members, member)] }
})

/** The earliest member, beside whom a user joins whom no member invited. */
export const earliestMember = Effect.fnUntraced(function* earliestMember(organization_id: string) {
  const { list, read } = yield* Store
  const [member] = yield* list(Members, { organization_id }, { limit: 1 })
  return member === undefined ? Option.none() : yield* read(Members, { id: member.id })
})

/**
 * Prevents the removal of an organization with its lone owner while a user joins it. The first user to join writes the organization and
 * the owner's user, and the owner's removal is conditional on both. Later users only check the organization, the host and one more
 * member, so they do not conflict with one another.
 */
const welcome = Effect.fnUntraced(function* welcome(organization: Versioned<Organization>, host: Versioned<Member>) {
  const { list, read } = yield* Store
  const members = yield* list(Members, { organization_id: organization.row.id }, { limit: 2 })
  const another = members.find(({ id }) => id !== host.row.id)
  if (another === undefined) {
    const owner = yield* orFail(read(Users, { id: host.row.user_id }), () => new Conflict({ table: Users.name }))
    return [update(Organizations, organization, {}), update(Users, owner, {}), check(Members, host)]
  }
  const second = yield* orFail(read(Members, { id: another.id }), () => new Conflict({ table: Members.name }))
  return [check(Organizations, organization), check(Members, host), check(Members, second)]
})
