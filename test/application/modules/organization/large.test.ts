import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Invitations, Members, Teams } from "../../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { counted } from "../../../round-trips.ts"
import { storedUser } from "../../../stored-user.ts"
import { storeName } from "../../../stores.ts"
import { times } from "../../../world.ts"
import { endpoints, founded, joined, person, rule } from "./organizations.ts"

const { organizationListMembers, organizationGetFull, organizationHasPermission, organizationUpdateRole, organizationLeave } = endpoints

/** Embedded PostgreSQL is slow with this many rows. */
const size = storeName === "embedded" ? 2000 : 10_000
const batch = 500

const padded = (index: number) => String(index).padStart(6, "0")

/** An organization with this many members, the first of them the owner. */
const crowded = Effect.gen(function* () {
  const owner = yield* person("owner")
  const { id: organization_id } = yield* founded(owner)
  const now = yield* DateTime.now
  const { commit } = yield* Store
  const crowd = times(size - 1, (index) => {
    const id = `z${padded(index)}`
    return { user: storedUser({ id, created_at: now }), member: { id, organization_id, user_id: id, role: "member", created_at: now } }
  })
  for (let start = 0; start < crowd.length; start += batch) {
    const part = crowd.slice(start, start + batch)
    yield* commit(part.map(({ user }) => insert(Users, user)))
    yield* commit(part.map(({ member }) => insert(Members, member)))
  }
  return { owner, organization_id }
})

describe("ten thousand members", () => {
  rule("need no more round trips than ten", function* () {
    const { owner, organization_id } = yield* crowded
    const [listed, listing] = yield* counted(owner.body(organizationListMembers, { organization_id }))
    assert.lengthOf(listed.members, 500)
    assert.deepStrictEqual(listed.members[0], { user_id: owner.user.id, role: "owner", email: "owner@example.com" })
    assert.deepStrictEqual(listing, ["readWithReferenced", "readWithReferenced", "list", "listForEach"])

    const [full, showing] = yield* counted(owner.body(organizationGetFull, { organization_id }))
    assert.deepStrictEqual(full.members, listed.members)
    assert.deepStrictEqual(full.next_cursors, { members: listed.next_cursor ?? "missing", invitations: null, teams: null })
    assert.deepStrictEqual(showing.toSorted(), ["list", "list", "list", "listForEach", "readWithReferenced", "readWithReferenced"])

    const asked = { organization_id, permissions: { member: ["delete"], team: ["create", "update"] } }
    const [answer, asking] = yield* counted(owner.body(organizationHasPermission, asked))
    assert.deepStrictEqual([answer, asking], [{ allowed: true }, ["readWithReferenced", "readWithReferenced"]])

    const [, changing] = yield* counted(owner.body(organizationUpdateRole, { organization_id, user_id: "z000007", role: "admin" }))
    assert.isAtMost(changing.length, 6)
    const [, leaving] = yield* counted(Effect.flip(owner.call(organizationLeave, { organization_id })))
    assert.isAtMost(leaving.length, 4)
    const [, joining] = yield* counted(joined(owner, yield* person("new"), organization_id))
    assert.isAtMost(joining.length, 18)
  })

  rule("are listed page by page, each once", function* () {
    const { owner, organization_id } = yield* crowded
    const seen = new Set<string>()
    let cursor: string | null | undefined
    let pages = 0
    do {
      const page = yield* owner.body(organizationListMembers, { organization_id, limit: "1000", ...(cursor ? { cursor } : {}) })
      for (const { user_id } of page.members) seen.add(user_id)
      cursor = page.next_cursor
      pages += 1
    } while (typeof cursor === "string")
    assert.deepStrictEqual([seen.size, pages], [size, size / 1000])
  })
})

describe("long lists of get-full", () => {
  rule("continue at their cursor in the list endpoints", function* () {
    const owner = yield* person("owner")
    const { id: organization_id } = yield* founded(owner)
    const now = yield* DateTime.now
    const invitation = {
      organization_id,
      role: "member",
      status: "pending" as const,
      token_hash: null,
      admitted_at: null,
      initiator: null,
      inviter_id: owner.user.id,
      created_at: now,
    }
    const expires_at = DateTime.add(now, { days: 7 })
    const { commit } = yield* Store
    for (const part of [0, 300]) {
      const ids = times(300, (index) => padded(part + index))
      yield* commit(ids.map((id) => insert(Teams, { id, organization_id, name: "Team", created_at: now })))
      yield* commit(
        ids.map((id) => insert(Invitations, { ...invitation, id: `secret${id}`, reference: id, email: `${id}@example.com`, expires_at })),
      )
    }
    const full = yield* owner.body(organizationGetFull, { organization_id })
    assert.deepStrictEqual([full.teams.length, full.invitations.length, full.next_cursors?.members], [500, 500, null])
    const { teams, invitations } = full.next_cursors!
    const restOfTeams = yield* owner.body(endpoints.organizationListTeams, { organization_id, cursor: teams })
    const rest = yield* owner.body(endpoints.organizationListInvitations, { organization_id, cursor: invitations })
    assert.deepStrictEqual([restOfTeams.teams.length, rest.invitations.length], [100, 100])
    const ids = [...full.teams, ...restOfTeams.teams].map(({ id }) => id)
    assert.deepStrictEqual(
      ids,
      times(600, (index) => padded(index)),
    )
    assert.strictEqual(new Set([...full.invitations, ...rest.invitations].map(({ id }) => id)).size, 600)
  })
})
