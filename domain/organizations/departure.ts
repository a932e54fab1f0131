import { Effect, Option } from "effect"
import { SoleOwner } from "../errors.ts"
import { Policies } from "../policies.ts"
import { removeAll, Store } from "../ports/store.ts"
import { removeLater, removing } from "../storage/removals.ts"
import type { User } from "../users/user.ts"
import type { AccessControl } from "./access-control.ts"
import { steppingDown } from "./membership.ts"
import type { Member } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/**
 * What becomes of a user's organizations when the user is removed. An organization without other members goes too; where the user
 * is the only owner among others, the removal is refused. Memberships go in the same commit: they permit, count as owners and
 * stand behind invitations.
 */
export const departure = (access: AccessControl) =>
  Effect.fnUntraced(function* (user: User) {
    const where = { user_id: user.id, role: access.creator_role }
    const { list } = yield* Store
    const lone: Array<string> = []
    const shared: Array<Member> = []
    let after = {}
    while (true) {
      const owned = yield* list(Members, where, { limit: batch, ...after })
      const found = yield* split(owned)
      lone.push(...found.lone)
      shared.push(...found.shared)
      if (owned.length < batch) break
      after = { after: owned.at(-1) }
    }
    const handedOver = yield* Effect.forEach(shared, (member) => handOver(access, member))
    const removed = yield* Effect.forEach(
      lone,
      lone.length <= few ? removeLone : (id) => Effect.map(removeLater(Organizations, id), (write) => [write]),
    )
    return [...handedOver.flat(), ...removed.flat(), removeAll(Members, { user_id: user.id })]
  })

const batch = 500

/** The most organizations that go in the same commit as their owner. */
const few = 20

/** Which of these memberships are the only one of their organization, in two reads however many there are. */
const split = Effect.fnUntraced(function* (owned: ReadonlyArray<Member>) {
  const { listForEach } = yield* Store
  const ids = owned.map(({ organization_id }) => organization_id)
  const [organizations, members] = [
    yield* listForEach(Organizations, "id", ids, { limit: 1 }),
    yield* listForEach(Members, "organization_id", ids, { limit: 2 }),
  ]
  const existing = owned.filter((_, index) => organizations[index]!.length > 0)
  const lone = new Set(ids.filter((_, index) => members[index]!.length < 2))
  return {
    lone: existing.map(({ organization_id }) => organization_id).filter((id) => lone.has(id)),
    shared: existing.filter(({ organization_id }) => !lone.has(organization_id)),
  }
})

/** With another owner the organization is written, so that of two owners who leave at once the second decides again. */
const handOver = Effect.fnUntraced(function* (access: AccessControl, member: Member) {
  const { list, read } = yield* Store
  const { organization_id } = member
  const organization = yield* read(Organizations, { id: organization_id })
  if (Option.isNone(organization)) return []
  const along = yield* steppingDown(access, member, organization.value)
  if (Option.isSome(along)) return along.value
  // The others may have left since the memberships were split.
  const members = yield* list(Members, { organization_id }, { limit: 2 })
  return members.length > 1 ? yield* new SoleOwner() : yield* removeLone(organization_id)
})

/** No user can join meanwhile: the first to join a lone owner writes the owner's user, on which the owner's removal is conditional. */
const removeLone = Effect.fnUntraced(function* (id: string) {
  const organization = yield* (yield* Store).read(Organizations, { id })
  if (Option.isNone(organization)) return []
  return yield* removing((yield* Policies).tables, Organizations, organization.value)
})
