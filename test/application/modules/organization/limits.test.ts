import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Invitations, Members, Organizations, Teams } from "../../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { atOnce, rows, times } from "../../../world.ts"
import { endpoints, founded, joined, limits, type Person, person, rule } from "./organizations.ts"

const { organizationCreate, organizationCreateTeam, organizationInvite, organizationAcceptInvitation } = endpoints

/** Stores organizations of a user directly. */
const foundedBefore = Effect.fnUntraced(function* (owner: Person, count: number) {
  const created_at = yield* DateTime.now
  const founding = times(count, (index) => {
    const id = `organization ${index}`
    return [
      insert(Organizations, { id, name: id, slug: id, created_at }),
      insert(Members, { id: `member ${index}`, organization_id: id, user_id: owner.user.id, role: "owner", created_at }),
    ]
  })
  yield* Effect.orDie((yield* Store).commit(founding.flat()))
})

const creation = (owner: Person, index: number) => owner.call(organizationCreate, { name: "Org", slug: `new${index}` })

describe("organizations of one user", () => {
  rule("are at most 100, also when 20 are created concurrently", function* () {
    const ada = yield* person("ada")
    yield* foundedBefore(ada, limits.max_per_user - 2)
    assert.deepStrictEqual(yield* atOnce(times(20, (index) => creation(ada, index))), { ok: 2, invalid_request: 18 })
    assert.lengthOf(yield* rows(Organizations), limits.max_per_user)
    const refusal = yield* Effect.flip(creation(ada, 99))
    assert.deepStrictEqual([refusal._tag, refusal.status], ["invalid_request", 400])
    const [{ id } = { id: "" }] = yield* rows(Organizations)
    yield* ada.body(endpoints.organizationDelete, { organization_id: id })
    yield* ada.body(organizationCreate, { name: "Org", slug: "another" })
  })

  rule("include those that the user joins, also 20 concurrently", function* () {
    const ada = yield* person("ada")
    yield* foundedBefore(ada, limits.max_per_user - 1)
    const hosts = yield* Effect.forEach(times(2, String), (index) => person(`host${index}`))
    const invitations = yield* Effect.forEach(times(20, Number), (index) =>
      Effect.gen(function* () {
        const host = hosts[index % 2]!
        const { id: organization_id } = yield* founded(host, `host${index}`)
        yield* TestClock.adjust("10 minutes")
        return (yield* host.body(organizationInvite, { organization_id, email: ada.user.email })).invitation.id
      }),
    )
    const accepting = invitations.map((invitation_id) => ada.call(organizationAcceptInvitation, { invitation_id }))
    assert.deepStrictEqual(yield* atOnce(accepting), { ok: 1, invalid_request: 19 })
    const own = (yield* rows(Members)).filter(({ user_id }) => user_id === ada.user.id)
    assert.lengthOf(own, limits.max_per_user)
  })
})

describe("teams of one organization", () => {
  rule("are at most 500, also when two administrators create 20 concurrently", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id, "admin")
    const created_at = yield* DateTime.now
    const before = times(limits.max_teams - 1, (index) => insert(Teams, { id: `team ${index}`, organization_id, name: "Team", created_at }))
    yield* Effect.orDie((yield* Store).commit(before))
    const creating = times(20, (index) => [ada, bob][index % 2]!.call(organizationCreateTeam, { organization_id, name: "Team" }))
    assert.deepStrictEqual(yield* atOnce(creating), { ok: 1, invalid_request: 19 })
    assert.lengthOf(yield* rows(Teams), limits.max_teams)
  })
})

describe("pending invitations of one organization", () => {
  rule("are at most 500, also when 20 are sent concurrently; a replaced one counts once", function* () {
    const ada = yield* person("ada")
    const { id: organization_id } = yield* founded(ada)
    const now = yield* DateTime.now
    const offer = {
      organization_id,
      role: "member",
      status: "pending" as const,
      token_hash: null,
      admitted_at: null,
      initiator: null,
      inviter_id: ada.user.id,
      created_at: now,
    }
    const before = times(limits.max_invitations - 1, (index) => {
      const id = `invitation ${index}`
      return insert(Invitations, {
        ...offer,
        id,
        reference: id,
        email: `b${index}@example.com`,
        expires_at: DateTime.add(now, { days: 7 }),
      })
    })
    yield* Effect.orDie((yield* Store).commit(before))
    const inviting = (name: string) => ada.call(organizationInvite, { organization_id, email: `${name}@example.com` })
    assert.deepStrictEqual(yield* atOnce(times(20, (index) => inviting(`a${index}`))), { ok: 1, invalid_request: 19 })
    yield* inviting("b7")
    const pending = (yield* rows(Invitations)).filter(({ status }) => status === "pending")
    assert.lengthOf(pending, limits.max_invitations)
  })
})
