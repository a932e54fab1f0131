import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { JobFailures, Jobs, JobTargets } from "../../../../application/modules/admin/jobs/tables.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { atOnce, emails, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { call } from "../idp/provider.ts"
import {
  adminJobsCancel,
  adminJobsCreate,
  adminJobsList,
  adminJobsShow,
  adminSetRole,
  bearer,
  jobOf,
  many,
  root,
  rule,
  serviceWith,
  signedUp,
  worked,
  workedBy,
} from "./job-world.ts"

const banned = Effect.map(rows(AdminMetadatas), (all) => all.flatMap(({ banned, user_id }) => (banned ? [user_id] : [])))

describe("a job", () => {
  rule("does to each user what the endpoint for one user does, as its administrator", function* () {
    const [owner, ada] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
    const [one, other] = yield* many(2)
    const user_ids = [ada.user.id, one, "unknown", owner.user.id, other, one]
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids, input: { reason: "spam", expires_in: 60 } })
    assert.deepStrictEqual([job.state, job.total, job.position, job.created_by], ["queued", 5, 0, { kind: "user", id: owner.user.id }])
    yield* worked
    const shown = yield* owner.body(adminJobsShow, { job_id: job.id })
    assert.deepStrictEqual(
      [shown.job.state, shown.job.position, shown.job.succeeded, shown.job.failed, shown.job.code],
      ["succeeded", 5, 3, 2, null],
    )
    assert.deepStrictEqual(shown.failures, [
      { user_id: "unknown", code: "user_not_found" },
      { user_id: owner.user.id, code: "invalid_request" },
    ])
    const metadata = (yield* rows(AdminMetadatas)).filter(({ banned }) => banned)
    assert.sameMembers(
      metadata.map(({ user_id }) => user_id),
      [ada.user.id, one, other],
    )
    assert.deepStrictEqual([...new Set(metadata.map(({ ban_reason }) => ban_reason))], ["spam"])
    assert.deepStrictEqual(
      (yield* rows(Sessions)).map(({ user_id }) => user_id),
      [owner.user.id],
    )
    assert.deepStrictEqual(yield* rows(JobTargets), [])
    const records = yield* rows(Records)
    const about = (type: string) => records.filter((record) => record.type === type)
    assert.strictEqual(about("user.banned").length, 3)
    for (const record of [...about("user.banned"), ...about("job.created"), ...about("job.finished")])
      assert.deepInclude(record, { actor_kind: "admin", actor_id: owner.user.id }, record.type)
    assert.deepStrictEqual([about("job.created").length, about("job.finished").length], [1, 1])
  })

  rule("takes every operation", function* () {
    const owner = yield* signedUp(root)
    const ada = yield* signedUp("ada@example.com")
    const outcome = Effect.fnUntraced(function* (operation: string, input?: object) {
      const { job } = yield* owner.body(adminJobsCreate, { operation, user_ids: [ada.user.id], ...(input && { input }) })
      yield* worked
      const done = yield* owner.body(adminJobsShow, { job_id: job.id })
      return done.failures[0]?.code ?? done.job.state
    })
    assert.strictEqual(yield* outcome("revoke_sessions"), "succeeded")
    assert.strictEqual((yield* rows(Sessions)).length, 1)
    assert.strictEqual(yield* outcome("set_role", { role: "reader" }), "succeeded")
    assert.strictEqual(yield* outcome("set_role", { role: "unknown" }), "invalid_request")
    assert.strictEqual(yield* outcome("ban"), "succeeded")
    assert.deepStrictEqual(yield* banned, [ada.user.id])
    assert.strictEqual(yield* outcome("unban"), "succeeded")
    assert.deepStrictEqual(yield* banned, [])
    assert.strictEqual(yield* outcome("send_verification"), "succeeded")
    assert.strictEqual(yield* outcome("send_reset"), "succeeded")
    assert.strictEqual(yield* outcome("remove"), "succeeded")
    assert.strictEqual(yield* outcome("remove"), "user_not_found")
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ id }) => id),
      [owner.user.id],
    )
  })

  rule("suspends users as the endpoint for one user does", function* () {
    const suspending = serviceWith({ suspension: true })
    const { adminJobsCreate, adminUsersShow } = suspending.built.endpoints
    const owner = yield* signedUpTo(root, suspending.auth)
    const ids = yield* many(2)
    const created = (input: object, more: object = {}) => ({ operation: "suspend", user_ids: [...ids, owner.user.id], input, ...more })
    const reason = "many complaints"
    for (const input of [
      {},
      { reason: "\n" },
      { reason, until: "never" },
      { reason, until: "1970-01-01T00:00:00Z" },
      { reason, expires_in: 1 },
    ])
      for (const dry_run of [true, false])
        assert.strictEqual(yield* owner.code(adminJobsCreate, created(input, { dry_run })), "invalid_request", JSON.stringify(input))
    const before = (yield* emails).length
    const { job } = yield* owner.body(adminJobsCreate, created({ reason: " many\ncomplaints", until: "1970-01-01T00:01:00Z" }))
    yield* workedBy(suspending.auth)
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", succeeded: 2, failed: 1 })
    const { ban } = yield* owner.body(adminUsersShow, { user_id: ids[0]! })
    assert.deepStrictEqual(ban, { kind: "suspension", reason, expires_at: DateTime.makeUnsafe(60_000) })
    assert.lengthOf((yield* emails).slice(before), 2)
  })

  rule("selects users by the filters of the list, also if the operation makes them match no more", function* () {
    const owner = yield* signedUp(root)
    const ids = yield* many(230)
    const finished = Effect.fnUntraced(function* (input: object) {
      const { job } = yield* owner.body(adminJobsCreate, input)
      assert.strictEqual(job.total, null)
      yield* worked
      return yield* jobOf(job.id)
    })
    const first = yield* finished({ operation: "ban", filter: { email_prefix: "user1" } })
    const expected = ids.filter((_, at) => String(at).startsWith("1"))
    assert.deepInclude(first, { state: "succeeded", succeeded: expected.length, failed: 0, place: null })
    assert.sameMembers(yield* banned, expected)
    assert.deepInclude(yield* finished({ operation: "ban", filter: { banned: false } }), { succeeded: 230 - expected.length, failed: 1 })
    assert.deepInclude(yield* finished({ operation: "unban", filter: { banned: true } }), { succeeded: 230, failed: 0 })
    assert.deepStrictEqual(yield* banned, [])
    assert.deepInclude(yield* finished({ operation: "unban", filter: { email: "unknown@example.com" } }), {
      state: "succeeded",
      position: 0,
    })
    assert.deepInclude(yield* finished({ operation: "unban", filter: { created_before: "1970-01-01T00:00:00.002Z" } }), { succeeded: 3 })
  })

  rule("counts only, as a dry run, and names the first 20", function* () {
    const owner = yield* signedUp(root)
    const ids = yield* many(120)
    const user_ids = ["unknown", ...ids]
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids, dry_run: true })
    yield* worked
    const shown = yield* owner.body(adminJobsShow, { job_id: job.id })
    assert.deepInclude(shown.job, { state: "succeeded", dry_run: true, position: 121, succeeded: 120, failed: 1 })
    assert.deepStrictEqual(shown.job.sample, ids.slice(0, 20))
    assert.deepStrictEqual(shown.failures, [{ user_id: "unknown", code: "user_not_found" }])
    assert.deepStrictEqual(yield* banned, [])
  })

  rule("ends at the first failure with `on_error: stop`", function* () {
    const owner = yield* signedUp(root)
    const ids = yield* many(5)
    const user_ids = [ids[0], ids[1], "unknown", ids[2], "unknown as well"]
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids, on_error: "stop" })
    yield* worked
    const shown = yield* owner.body(adminJobsShow, { job_id: job.id })
    assert.deepInclude(shown.job, { state: "failed", code: "user_not_found", position: 3, succeeded: 2, failed: 1 })
    assert.sameMembers(yield* banned, ids.slice(0, 2))
    assert.strictEqual((yield* rows(Records)).find(({ type }) => type === "job.finished")?.reason, "user_not_found")
  })

  rule("keeps one of the last two owners, whom one job bans at once", function* () {
    const machines = serviceWith({ admin_emails: [], admin_user_ids: [] })
    const sync = yield* bearer(undefined, machines)
    const users = [yield* signedUp("ada@example.com"), yield* signedUp("grace@example.com")].map(({ user }) => user.id)
    for (const user_id of users) yield* call(machines.built.endpoints.adminSetRole, { user_id, role: "admin" }, sync, machines.auth)
    const { job } = yield* call(machines.built.endpoints.adminJobsCreate, { operation: "ban", user_ids: users }, sync, machines.auth)
    yield* workedBy(machines.auth)
    assert.deepInclude(yield* jobOf(job.id), { state: "succeeded", succeeded: 1, failed: 1 })
    assert.strictEqual((yield* banned).length, 1)
    assert.deepStrictEqual(
      (yield* rows(JobFailures)).map(({ code }) => code),
      ["last_administrator"],
    )
  })
})

describe("jobs", () => {
  rule("need `jobs:run` and the permission of the operation", function* () {
    const owner = yield* signedUp(root)
    const roles = Object.fromEntries(
      yield* Effect.forEach(["runner", "banner", "reader", "user"], (role) =>
        Effect.gen(function* () {
          const their = yield* signedUp(`${role}@example.com`)
          if (role !== "user") yield* owner.body(adminSetRole, { user_id: their.user.id, role })
          return [role, their] as const
        }),
      ),
    )
    const { runner, banner, reader, user } = roles as Record<string, typeof owner>
    const [id] = yield* many(1)
    const ban = { operation: "ban", user_ids: [id] }
    for (const their of [user, reader, runner]) assert.strictEqual(yield* their!.code(adminJobsCreate, ban), "forbidden")
    assert.strictEqual(yield* user!.code(adminJobsList), "forbidden")
    // Nothing is learned about the input either.
    assert.strictEqual(yield* user!.code(adminJobsCreate, { operation: 7 }), "forbidden")
    const { job } = yield* banner!.body(adminJobsCreate, ban)
    // The action of a resource includes its `read`.
    assert.deepStrictEqual((yield* reader!.body(adminJobsList)).jobs, [job])
    assert.deepStrictEqual((yield* runner!.body(adminJobsShow, { job_id: job.id })).job, job)
    assert.strictEqual(yield* reader!.code(adminJobsCancel, { job_id: job.id }), "forbidden")
    assert.strictEqual(yield* runner!.code(adminJobsCancel, { job_id: job.id }), "forbidden")
    for (const endpoint of [adminJobsShow, adminJobsCancel])
      assert.strictEqual(yield* owner.code(endpoint, { job_id: "unknown" }), "job_not_found")
    const upward = yield* banner!.body(adminJobsCreate, { operation: "ban", user_ids: [owner.user.id, runner!.user.id] })
    yield* worked
    assert.deepStrictEqual((yield* owner.body(adminJobsShow, { job_id: upward.job.id })).failures, [
      { user_id: owner.user.id, code: "forbidden" },
      { user_id: runner!.user.id, code: "forbidden" },
    ])
  })

  rule("are refused with invalid input", function* () {
    const owner = yield* signedUp(root)
    for (const input of [
      { operation: "ban" },
      { operation: "ban", user_ids: [] },
      { operation: "ban", user_ids: ["1"], filter: {} },
      { operation: "unknown", user_ids: ["1"] },
      { operation: "ban", user_ids: times(10_001, String) },
      { operation: "ban", user_ids: ["x".repeat(65)] },
      { operation: "ban", user_ids: ["1"], input: { role: "admin" } },
      { operation: "ban", user_ids: ["1"], input: { expires_in: 0 } },
      { operation: "suspend", user_ids: ["1"], input: { reason: "the service suspends no users" } },
      { operation: "set_role", user_ids: ["1"] },
      { operation: "unban", user_ids: ["1"], input: { reason: "none" } },
      { operation: "ban", filter: { provider_id: "phone" } },
      { operation: "ban", user_ids: ["1"], on_error: "retry" },
    ])
      assert.strictEqual(yield* owner.code(adminJobsCreate, input), "invalid_request", JSON.stringify(input).slice(0, 80))
    assert.deepStrictEqual(yield* rows(Jobs), [])
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids: times(10_000, (at) => `id of user ${at}`) })
    assert.strictEqual(job.total, 10_000)
    assert.strictEqual((yield* rows(JobTargets)).length, 100)
    yield* owner.body(adminJobsCancel, { job_id: job.id })
    assert.strictEqual((yield* rows(JobTargets)).length, 0)
  })

  rule("wait in a queue of 100, also if many come at once", function* () {
    const owner = yield* signedUp(root)
    const create = owner.body(adminJobsCreate, { operation: "unban", user_ids: ["1"] })
    for (let left = 97; left > 0; left--) yield* create
    assert.deepStrictEqual(yield* atOnce(times(6, () => create)), { ok: 3, too_many: 3 })
    const [newest, ...rest] = (yield* owner.body(adminJobsList, { state: "queued", limit: 100 })).jobs
    assert.strictEqual(rest.length, 99)
    yield* owner.body(adminJobsCancel, { job_id: newest!.id })
    yield* create
    assert.strictEqual(yield* owner.code(adminJobsCreate, { operation: "unban", user_ids: ["1"] }), "too_many")
    yield* worked
    yield* create
  })

  rule("are created once with an idempotency key", function* () {
    const owner = yield* signedUp(root)
    const input = { operation: "unban", user_ids: ["1"], idempotency_key: "the first" }
    const answers = yield* Effect.all(
      times(5, () => owner.body(adminJobsCreate, input)),
      { concurrency: "unbounded" },
    )
    assert.strictEqual((yield* rows(Jobs)).length, 1)
    for (const one of answers) assert.deepStrictEqual(one, answers[0])
    assert.strictEqual(yield* owner.code(adminJobsCreate, { ...input, user_ids: ["2"] }), "idempotency_key_reused")
  })

  rule("are listed the newest first, by state, page by page", function* () {
    const owner = yield* signedUp(root)
    const created: Array<string> = []
    for (let left = 3; left > 0; left--) {
      created.unshift((yield* owner.body(adminJobsCreate, { operation: "unban", user_ids: ["1"] })).job.id)
      yield* TestClock.adjust("1 second")
    }
    const page = yield* owner.body(adminJobsList, { limit: 2 })
    const last = yield* owner.body(adminJobsList, { limit: 2, cursor: page.next_cursor })
    assert.deepStrictEqual(
      [...page.jobs, ...last.jobs].map(({ id }) => id),
      created,
    )
    assert.strictEqual(last.next_cursor, null)
    yield* owner.body(adminJobsCancel, { job_id: created[1] })
    assert.deepStrictEqual(
      (yield* owner.body(adminJobsList, { state: "cancelled" })).jobs.map(({ id }) => id),
      [created[1]],
    )
  })

  rule("keep their first 1,000 failures, and everything for 90 days", function* () {
    const owner = yield* signedUp(root)
    const user_ids = times(1005, (at) => `unknown ${at}`)
    const { job } = yield* owner.body(adminJobsCreate, { operation: "unban", user_ids })
    yield* worked
    const { failures, job: done } = yield* owner.body(adminJobsShow, { job_id: job.id })
    assert.deepInclude(done, { state: "succeeded", failed: 1005, position: 1005 })
    assert.deepStrictEqual(
      failures.map(({ user_id }) => user_id),
      user_ids.slice(0, 1000),
    )
    const sweep = Effect.flatMap(DateTime.now, (now) => Effect.flatMap(Store, (store) => store.sweep(DateTime.toDateUtc(now), 5000)))
    yield* TestClock.setTime(DateTime.toEpochMillis(job.created_at) + 90 * 86_400_000 - 1)
    yield* sweep
    assert.deepStrictEqual([(yield* rows(Jobs)).length, (yield* rows(JobFailures)).length], [1, 1000])
    yield* TestClock.adjust("1 millis")
    yield* sweep
    assert.deepStrictEqual([(yield* rows(Jobs)).length, (yield* rows(JobFailures)).length], [0, 0])
  })

  rule("are off by default", function* () {
    const plain = admin.build(Schema.decodeUnknownSync(admin.settings)({}))
    assert.deepStrictEqual(
      Object.keys(plain.endpoints).filter((name) => name.startsWith("adminJobs")),
      [],
    )
    assert.notIncludeMembers(
      plain.tables.map(({ name }) => name),
      [Jobs.name, JobTargets.name],
    )
    assert.lengthOf(plain.background, 2, "the count of users, and their search texts")
    yield* Effect.void
  })
})
