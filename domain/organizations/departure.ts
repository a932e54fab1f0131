import { Effect, Option, Stream } from "effect"
import { SoleOwner } from "../errors.ts"
import { Policies } from "../policies.ts"
import { removeAll, rowsOf, Store } from "../ports/store.ts"
import { removalWrites, removeLater } from "../storage/removals.ts"
import type { User } from "../users/user.ts"
import type { AccessControl } from "./access-control.ts"
import { roleLossWrites } from "./membership.ts"
import type { Member } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/**
 * The writes for a user's organizations when the user is removed. An organization without other members is removed too. If the user is the
 * only owner of an organization with other members, the removal is refused. Memberships are removed in the same commit: a remaining one
 * would still grant permissions, count as an owner and keep invitations valid.
 */
export const membershipRemovalWrites = (access: AccessControl) =>
  Effect.fnUntraced(function* membershipRemovalWrites(user: User) {
    const where = { user_id: user.id, role: access.creator_role }
    const parts = yield* Stream.runCollect(Stream.mapEffect(Stream.chunks(rowsOf(Members, where, { limit: 500 })), split))
    const lone = parts.flatMap(({ lone }) => lone)
    const shared = parts.flatMap(({ shared }) => shared)
    const handedOver = yield* Effect.forEach(shared, (member) => handOver(access, member))
    const removed = yield* Effect.forEach(
      lone,
      lone.length <= few ? removeLone : (id) => Effect.map(removeLater(Organizations, id), (write) => [write]),
    )
    return [...handedOver.flat(), ...removed.flat(), removeAll(Members, { user_id: user.id })]
  })

/** Limit on organizations that are removed in the same commit as their owner. */
const few = 20

/** Separates organizations with one member from those with more, in two reads for any number of memberships. */
const split = Effect.fnUntraced(function* split(owned: ReadonlyArray<Member>) {
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

/**
 * The writes when one owner is removed. They include the organization if it has another owner: when two owners leave concurrently, the
 * second removal is retried and refused.
 */
const handOver = Effect.fnUntraced(function* handOver(access: AccessControl, member: Member) {
  const { list, read } = yield* Store
  const { organization_id } = member
  const organization = yield* read(Organizations, { id: organization_id })
  if (Option.isNone(organization)) return []
  const ownerWrites = yield* roleLossWrites(access, member, organization.value)
  if (Option.isSome(ownerWrites)) return ownerWrites.value
  // The other members can have left since `split` read them.
  const members = yield* list(Members, { organization_id }, { limit: 2 })
  return members.length > 1 ? yield* new SoleOwner() : yield* removeLone(organization_id)
})

/**
 * The writes that remove the organization of a lone owner. They are safe against users who join concurrently: the first user who joins
 * writes the owner's user row, and the removal of the owner is conditional on that row.
 */
const removeLone = Effect.fnUntraced(function* removeLone(id: string) {
  const organization = yield* (yield* Store).read(Organizations, { id })
  if (Option.isNone(organization)) return []
  return yield* removalWrites((yield* Policies).tables, Organizations, organization.value)
})
