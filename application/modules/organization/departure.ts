import { Effect, Option } from "effect"
import type { AccessControl } from "../../../domain/AccessControl.ts"
import { SoleOwner } from "../../../domain/Errors.ts"
import type { Member } from "../../../domain/Organization.ts"
import type { User } from "../../../domain/User.ts"
import { removeHeld, Store } from "../../ports/Store.ts"
import { steppingDown } from "./membership.ts"
import { Members, Organizations } from "./tables.ts"

/** What becomes of the organizations that a user owns when the user is removed. */
export const departure = (access: AccessControl) =>
  Effect.fnUntraced(function* (user: User) {
    const owned = yield* membershipsOf(user.id, access.creator_role)
    return (yield* Effect.forEach(owned, (member) => farewell(access, member))).flat()
  })

/** Another owner stays; an organization without anybody else goes too; with others, the last owner has to hand it over first. */
const farewell = Effect.fnUntraced(function* (access: AccessControl, member: Member) {
  const { list, read } = yield* Store
  const organization = yield* read(Organizations, { id: member.organization_id })
  if (Option.isNone(organization)) return []
  const along = yield* steppingDown(access, member, organization.value)
  if (Option.isSome(along)) return along.value
  const members = yield* list(Members, { organization_id: member.organization_id }, { limit: 2 })
  return members.length > 1 ? yield* new SoleOwner() : [removeHeld(Organizations, organization.value)]
})

const batch = 500

const membershipsOf = Effect.fnUntraced(function* (user_id: string, role: string) {
  const { list } = yield* Store
  const found: Array<Member> = []
  for (;;) {
    const last = found.at(-1)
    const rows = yield* list(Members, { user_id, role }, { limit: batch, ...(last === undefined ? {} : { after: last }) })
    found.push(...rows)
    if (rows.length < batch) return found
  }
})
