import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Exit, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Jobs } from "../../../../application/modules/admin/jobs/tables.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { remove, Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { emails, rows, times, whileTimePasses } from "../../../world.ts"
import { call } from "../idp/provider.ts"
import {
  adminBanUser,
  adminJobsCancel,
  adminJobsCreate,
  adminJobsShow,
  adminServiceAccountsCreate,
  adminServiceAccountsUpdate,
  adminSetRole,
  auth,
  bearer,
  boss,
  idpWith,
  jobOf,
  many,
  moment,
  pausedAfter,
  root,
  rule,
  service,
  serviceWith,
  signedUp,
  until,
  worked,
  workedBy,
} from "./job-world.ts"

/** The addresses that got a mail to verify them, each as often as it got one. */
const mailed = Effect.map(emails, (all) => all.map(({ to }) => to).filter((to) => to.startsWith("user")))
const bans = Effect.map(rows(AdminMetadatas), (all) => all.filter(({ banned }) => banned).length)
const address = (at: number) => `user${at}@example.com`
const inState = (id: string, state: string) => Effect.map(jobOf(id), (job) => job.state === state)

const mailing = Effect.fnUntraced(function* (count: number) {
  const owner = yield* signedUp(root)
  const user_ids = yield* many(count)
  const { job } = yield* owner.body(adminJobsCreate, { operation: "send_verification", user_ids })
  return { owner, job, expected: [...times(count, address)] }
})

describe("each user of a job is done once", () => {
  rule("by several processes at once", function* () {
    const { job, expected } = yield* mailing(250)
    yield* Effect.all(
      times(3, () => worked),
      { concurrency: "unbounded" },
    )
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", succeeded: 250, failed: 0 })
    assert.sameMembers(yield* mailed, expected)
  })

  rule("although the process ends between two batches, whose job another one gets after 30 seconds", function* () {
    const { job, expected } = yield* mailing(250)
    const { process, reached } = yield* pausedAfter(1)
    const scope = yield* Scope.make()
    yield* Scope.provide(process, scope)
    yield* reached
    yield* Scope.close(scope, Exit.void)
    assert.deepInclude(yield* jobOf(job.id), { state: "running", position: 100 })
    const other = yield* Scope.make()
    yield* Scope.provide(auth.background, other)
    for (let left = 29; left > 0; left--) {
      yield* TestClock.adjust("1 second")
      yield* moment
    }
    assert.deepInclude(yield* jobOf(job.id), { state: "running", position: 100 })
    yield* TestClock.adjust("1 second")
    // The other process may still wait for the answer of its store to the round before.
    yield* whileTimePasses(until(inState(job.id, "succeeded")))
    yield* Scope.close(other, Exit.void)
    assert.deepInclude(yield* jobOf(job.id), { position: 250, succeeded: 250 })
    assert.sameMembers(yield* mailed, expected)
  })

  rule("also if a process that has lost its job goes on", function* () {
    const { job, expected } = yield* mailing(150)
    const { process, reached, release } = yield* pausedAfter(1)
    yield* process
    yield* reached
    yield* TestClock.adjust("30 seconds")
    yield* worked
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", succeeded: 150 })
    yield* release
    yield* moment
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", succeeded: 150, position: 150 })
    assert.sameMembers(yield* mailed, expected)
  })

  rule("also if users of a batch change meanwhile", function* () {
    const { job, expected } = yield* mailing(60)
    const { process, reached, release } = yield* pausedAfter(0)
    yield* process
    yield* reached
    const store = yield* Store
    const [changed, removed] = [yield* store.read(Users, { id: "id-00007" }), "id-00009"]
    yield* store.commit([update(Users, Option.getOrThrow(changed), { name: "Ada" }), remove(Users, removed)])
    yield* release
    yield* until(inState(job.id, "succeeded"))
    assert.deepInclude(yield* jobOf(job.id), { succeeded: 59, failed: 1, position: 60 })
    assert.sameMembers(
      yield* mailed,
      expected.filter((to) => to !== address(9)),
    )
  })
})

describe("a job ends", () => {
  rule("when it is cancelled, before the next users", function* () {
    const owner = yield* signedUp(root)
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids: yield* many(250) })
    const { process, reached, release } = yield* pausedAfter(1)
    yield* process
    yield* reached
    const cancelled = yield* owner.body(adminJobsCancel, { job_id: job.id })
    assert.deepInclude(cancelled.job, { state: "cancelled", position: 100 })
    assert.isNotNull(cancelled.job.finished_at)
    yield* release
    yield* moment
    assert.strictEqual(yield* bans, 100)
    assert.deepStrictEqual((yield* owner.body(adminJobsCancel, { job_id: job.id })).job, cancelled.job)
    assert.deepStrictEqual(
      (yield* rows(Records)).filter(({ type }) => type === "job.finished").map(({ data }) => data["state"]),
      ["cancelled"],
    )
  })

  for (const [how, withdraw] of [
    ["loses the role", (owner: Owner, user_id: string) => owner.body(adminSetRole, { user_id, role: "user" })],
    ["is banned", (owner: Owner, user_id: string) => owner.body(adminBanUser, { user_id })],
    ["is removed", (_: Owner, user_id: string) => Effect.flatMap(Store, ({ commit }) => Effect.orDie(commit([remove(Users, user_id)])))],
  ] as const)
    rule(`when its administrator ${how}, also in the middle of a batch`, function* () {
      const [owner, banner] = [yield* signedUp(root), yield* signedUp("banner@example.com")]
      yield* owner.body(adminSetRole, { user_id: banner.user.id, role: "banner" })
      const { job } = yield* banner.body(adminJobsCreate, { operation: "ban", user_ids: yield* many(250) })
      const waiting = yield* banner.body(adminJobsCreate, { operation: "ban", user_ids: ["id-00249"] })
      const { process, reached, release } = yield* pausedAfter(1)
      yield* process
      yield* reached
      const before = yield* bans
      yield* withdraw(owner, banner.user.id)
      yield* release
      yield* until(inState(job.id, "failed"))
      yield* until(Effect.map(jobOf(waiting.job.id), ({ finished_at }) => finished_at !== null))
      const done = yield* jobOf(job.id)
      assert.deepInclude(done, { code: "forbidden", failed: 0 })
      assert.isBelow(done.position, 200)
      assert.isAtMost(yield* bans, before + 2)
    })

  rule("when its client loses the scope, or its service account the permission", function* () {
    const one = serviceWith({}, idpWith(["jobs:run", "users:suspend"]))
    const user_ids = yield* many(3)
    const create = Effect.fnUntraced(function* (own: typeof one) {
      const input = { operation: "ban", user_ids }
      return (yield* call(own.built.endpoints.adminJobsCreate, input, yield* bearer(undefined, own), own.auth)).job
    })
    const first = yield* create(one)
    assert.deepStrictEqual(first.created_by, { kind: "client", id: "sync" })
    yield* workedBy(serviceWith({}, idpWith(["jobs:run", "users:read"])).auth)
    assert.deepInclude(yield* jobOf(first.id), { state: "failed", code: "forbidden", position: 0 })

    const owner = yield* signedUp(root)
    const account = { name: "nightly", permissions: ["jobs:run", "users:suspend"] }
    const { service_account } = yield* owner.body(adminServiceAccountsCreate, account)
    const acting = serviceWith({}, idpWith(permissions, { service_account: service_account.id }))
    const [second, third] = [yield* create(acting), yield* create(acting)]
    assert.deepStrictEqual(second.created_by, { kind: "service_account", id: service_account.id })
    yield* owner.body(adminJobsCancel, { job_id: third.id })
    yield* workedBy(acting.auth)
    assert.deepInclude(yield* jobOf(second.id), { state: "succeeded", succeeded: 3 })
    const banned = (yield* rows(Records)).find(({ type }) => type === "user.banned")
    assert.deepInclude(banned, { actor_kind: "service", actor_id: service_account.id })
    const fourth = yield* create(acting)
    const changes = { permissions: ["jobs:run"] }
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id: service_account.id, changes })
    yield* workedBy(acting.auth)
    assert.deepInclude(yield* jobOf(fourth.id), { state: "failed", code: "forbidden", position: 0 })
    // Nor does it go on as the client alone.
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id: service_account.id, changes: account })
    const fifth = yield* create(acting)
    yield* workedBy(service.auth)
    assert.deepInclude(yield* jobOf(fifth.id), { state: "failed", code: "forbidden" })
  })

  rule("with the permissions of the token that created it, although its client has more", function* () {
    const granted = yield* signedUp("ada@example.com")
    const owner = yield* signedUp(root)
    yield* owner.body(adminSetRole, { user_id: granted.user.id, role: "reader" })
    const narrow = yield* bearer("jobs:run users:suspend")
    const { job } = yield* call(adminJobsCreate, { operation: "ban", user_ids: [granted.user.id] }, narrow, auth)
    yield* worked
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", failed: 0, succeeded: 1 })
    yield* owner.body(adminSetRole, { user_id: (yield* signedUp(boss)).user.id, role: "admin" })
    const upward = yield* call(adminJobsCreate, { operation: "ban", user_ids: [owner.user.id] }, narrow, auth)
    yield* worked
    assert.deepStrictEqual((yield* owner.body(adminJobsShow, { job_id: upward.job.id })).failures, [
      { user_id: owner.user.id, code: "forbidden" },
    ])
  })
})

rule("a job that no worker can go on with fails, and delays no other", function* () {
  const owner = yield* signedUp(root)
  const user_ids = yield* many(1)
  const create = Effect.map(owner.body(adminJobsCreate, { operation: "ban", user_ids }), ({ job }) => job.id)
  const store = yield* Store
  const damaged = Effect.fnUntraced(function* (changes: Partial<typeof Jobs.schema.Type>) {
    const id = yield* create
    const job = Option.getOrThrow(yield* store.read(Jobs, { id }))
    yield* store.commit([update(Jobs, job, changes)])
    return id
  })
  const [unknown, broken, sound] = [yield* damaged({ operation: "gone" }), yield* damaged({ input: "{" }), yield* create]
  yield* worked
  assert.deepInclude(yield* jobOf(unknown), { state: "failed", code: "invalid_request", position: 0 })
  assert.deepInclude(yield* jobOf(broken), { state: "failed", code: "internal_error", position: 0 })
  assert.deepInclude(yield* jobOf(sound), { state: "succeeded", succeeded: 1 })
})
type Owner = Effect.Success<ReturnType<typeof signedUp>>

rule("five jobs run at once, in all processes together, and a long one delays no other", function* () {
  const owner = yield* signedUp(root)
  const user_ids = yield* many(1)
  const created = yield* Effect.forEach(times(7, String), () => owner.body(adminJobsCreate, { operation: "unban", user_ids }))
  const one = yield* pausedAfter(0)
  const other = yield* pausedAfter(0)
  yield* Effect.all([one.process, other.process], { concurrency: "unbounded" })
  const states = Effect.map(rows(Jobs), (all) => all.map(({ state }) => state).toSorted())
  yield* until(Effect.map(states, (all) => all.filter((state) => state === "running").length === 5))
  yield* moment
  assert.deepStrictEqual(yield* states, [...times(2, () => "queued"), ...times(5, () => "running")])
  yield* Effect.all([one.release, other.release])
  for (const { job } of created) yield* until(inState(job.id, "succeeded"))
})

rule("a job has its lease for exactly 30 seconds after each commit", function* () {
  const { job } = yield* mailing(1)
  const { process, reached } = yield* pausedAfter(0)
  yield* process
  yield* reached
  const { lease_until } = yield* jobOf(job.id)
  assert.strictEqual(DateTime.toEpochMillis(lease_until!) - DateTime.toEpochMillis(job.created_at), 30_000)
})
