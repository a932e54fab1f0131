import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { ActiveOrganizations, Members, Organizations, TeamMembers, Teams } from "../../../domain/organizations/tables.ts"
import type { Write } from "../../../domain/ports/store.ts"
import { insert, Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { finishRemovals, Removals } from "../../../domain/storage/removals.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { auth, endpoints, founded, person, rule } from "../../application/modules/organization/organizations.ts"
import { endpoints as core, isSignedIn, password, rows, signedUp, times } from "../../world.ts"

const size = 2000
const batch = 500

const padded = (index: number) => `z${String(index).padStart(6, "0")}`

const fill = Effect.fnUntraced(function* (count: number, make: (index: number) => Write) {
  const { commit } = yield* Store
  for (let start = 0; start < count; start += batch) yield* Effect.orDie(commit(times(batch, (index) => make(start + index))))
})

const count = Effect.fnUntraced(function* (table: AnyTable) {
  return (yield* (yield* Store).list(table, {}, { limit: 2 * size })).length
})

const manySessions = Effect.fnUntraced(function* (user_id: string) {
  const now = yield* DateTime.now
  const times = { authenticated_at: now, created_at: now, updated_at: now, expires_at: DateTime.add(now, { days: 7 }) }
  const proof = { proved_at: now, multi_factor: false, methods: null }
  yield* fill(size, (index) =>
    insert(Sessions, { id: padded(index), user_id, token_hash: padded(index), ip_address: null, user_agent: null, ...proof, ...times }),
  )
})

const crowded = Effect.fnUntraced(function* (size: number) {
  const owner = yield* person("owner")
  const { id: organization_id } = yield* founded(owner)
  const { team } = yield* owner.body(endpoints.organizationCreateTeam, { organization_id, name: "Team" })
  const created_at = yield* DateTime.now
  const part = (index: number) => ({ user_id: padded(index), organization_id })
  yield* fill(size, (index) => insert(Members, { id: padded(index), ...part(index), role: "member", created_at }))
  yield* fill(size, (index) => insert(ActiveOrganizations, { member_id: padded(index), ...part(index) }))
  yield* fill(size, (index) =>
    insert(TeamMembers, { id: padded(index), team_id: team.id, member_id: padded(index), user_id: padded(index) }),
  )
  return { owner, organization_id }
})

const organizationTables = [Organizations, Members, Teams, TeamMembers, ActiveOrganizations, Removals]

/** A Store that becomes unavailable after this many commits. */
const failingAfter = Effect.fnUntraced(function* (commits: number) {
  const store = yield* Store
  let left = commits
  const commit = (writes: ReadonlyArray<Write>) =>
    Effect.suspend(() => (left-- > 0 ? store.commit(writes) : Effect.die(new StoreUnavailable({ cause: "gone" }))))
  return Store.of({ ...store, commit })
})

describe("a removal with more rows than one commit should take", () => {
  rule("ends a user's sessions and frees the address before it is answered", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* manySessions(ada.user.id)
    yield* ada.body(core.deleteUser, { password })
    assert.isFalse(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Users), 0)
    assert.lengthOf(yield* rows(Accounts), 0)
    const again = yield* signedUp("ada@example.com")
    assert.isAbove(yield* count(Sessions), size)

    yield* finishRemovals(auth.tables)
    assert.deepStrictEqual(
      (yield* rows(Sessions)).map(({ user_id }) => user_id),
      [again.user.id],
    )
    assert.isTrue(yield* isSignedIn(again))
  })

  rule("takes every session of a user who ends them all", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* manySessions(ada.user.id)
    yield* ada.body(core.revokeSessions)
    assert.strictEqual(yield* count(Sessions), 0)
  })

  rule("ends the memberships of an organization and frees its slug before it is answered", function* () {
    const { owner, organization_id } = yield* crowded(size)
    yield* owner.body(endpoints.organizationDelete, { organization_id })
    assert.strictEqual(yield* owner.code(endpoints.organizationGetFull, { organization_id }), "forbidden")
    assert.deepStrictEqual((yield* owner.body(endpoints.organizationList)).organizations, [])
    const foundedAgain = yield* founded(owner)

    yield* finishRemovals(auth.tables)
    const left = yield* Effect.forEach(organizationTables, count)
    assert.deepStrictEqual(left, [1, 1, 0, 0, 0, 0])
    assert.strictEqual((yield* rows(Organizations))[0]?.id, foundedAgain.id)
  })

  rule("resumes after a crash, also in two processes at once", function* () {
    const { owner, organization_id } = yield* crowded(batch)
    yield* owner.body(endpoints.organizationDelete, { organization_id })
    for (const commits of [0, 1, 3]) {
      yield* Effect.provideServiceEffect(finishRemovals(auth.tables), Store, failingAfter(commits))
      assert.lengthOf(yield* rows(Removals), 1)
    }
    yield* Effect.all([finishRemovals(auth.tables), finishRemovals(auth.tables)], { concurrency: 2 })
    assert.deepStrictEqual(yield* Effect.forEach(organizationTables, count), [0, 0, 0, 0, 0, 0])
  })

  rule("is kept while the module of its table is off", function* () {
    const { owner, organization_id } = yield* crowded(batch)
    yield* owner.body(endpoints.organizationDelete, { organization_id })
    yield* finishRemovals([Users, Sessions])
    assert.lengthOf(yield* rows(Removals), 1)
  })

  rule("does not stop other removals while it cannot be committed, and ends in smaller batches", function* () {
    const { owner, organization_id } = yield* crowded(batch)
    yield* owner.body(endpoints.organizationDelete, { organization_id })
    const ada = yield* signedUp("ada@example.com")
    yield* manySessions(ada.user.id)
    yield* ada.body(core.deleteUser, { password })
    const store = yield* Store
    const largest = 130
    /** A store that commits only a few sessions at once. */
    const commit = (writes: ReadonlyArray<Write>) => {
      const isTooLarge = writes.some((write) => write._tag === "removeEach" && write.table === Sessions && write.keys.length > largest)
      return isTooLarge ? Effect.die(new StoreUnavailable({ cause: "too large" })) : store.commit(writes)
    }
    const round = Effect.provideService(finishRemovals(auth.tables), Store, Store.of({ ...store, commit }))
    yield* round
    assert.deepStrictEqual(yield* Effect.forEach(organizationTables, count), [0, 0, 0, 0, 0, 1])
    for (const _ of times(6, String)) yield* round
    assert.deepStrictEqual([yield* count(Sessions), yield* count(Removals)], [1, 0])
  })

  rule("has commits of limited size where many rows reference each removed row", function* () {
    const owner = yield* person("owner")
    const { id: organization_id } = yield* founded(owner)
    const { team } = yield* owner.body(endpoints.organizationCreateTeam, { organization_id, name: "Team" })
    yield* fill(batch, (index) =>
      insert(TeamMembers, { id: padded(index), team_id: team.id, member_id: padded(index), user_id: padded(index) }),
    )
    yield* owner.body(endpoints.organizationDelete, { organization_id })
    assert.isAtLeast(yield* count(TeamMembers), batch)
    const removedTogether: Array<number> = []
    const store = yield* Store
    const commit = (writes: ReadonlyArray<Write>) =>
      Effect.gen(function* () {
        const before = yield* count(TeamMembers)
        yield* store.commit(writes)
        const isTeam = writes.some((write) => write._tag === "removeEach" && write.table === Teams)
        if (isTeam) removedTogether.push(before - (yield* count(TeamMembers)))
      })
    yield* Effect.provideService(finishRemovals(auth.tables), Store, Store.of({ ...store, commit } as typeof store))
    assert.deepStrictEqual(removedTogether, [0])
    assert.strictEqual(yield* count(TeamMembers), 0)
  })
})
