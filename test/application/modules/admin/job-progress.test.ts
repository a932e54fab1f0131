import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Jobs } from "../../../../application/modules/admin/jobs/tables.ts"
import type { StreamEvent } from "../../../../application/service/streams/reader.ts"
import { modify, remove, Store } from "../../../../domain/ports/store.ts"
import { emptyJar, endpoints, times } from "../../../world.ts"
import { arrived, opened, poll, refusal } from "../../service/open-stream.ts"
import { adminJobsCancel, adminJobsCreate, adminSetRole, jobOf, many, pausedAfter, root, rule, signedUp, until } from "./job-world.ts"

interface State {
  readonly state: string
  readonly position: number
}
const stateOf = ({ value }: StreamEvent) => {
  const { state, position } = value as State
  return `${state} ${position}`
}

/** A job that bans this many users, and its owner. */
const waiting = Effect.fnUntraced(function* (count: number) {
  const owner = yield* signedUp(root)
  const user_ids = yield* many(count)
  const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids })
  return { owner, job, input: { job_id: job.id } }
})
/** A user with a role that can read jobs, and no more. */
const reader = Effect.fnUntraced(function* (owner: Effect.Success<ReturnType<typeof signedUp>>) {
  const ada = yield* signedUp("ada@example.com")
  yield* owner.body(adminSetRole, { user_id: ada.user.id, role: "reader" })
  return ada
})
const changed = (id: string, changes: object) => modify(Jobs, id, (row) => [null, Option.map(row, (job) => ({ ...job, ...changes }))])

describe("the progress of a job", () => {
  rule("is streamed until the job has ended, whichever process works on it", function* () {
    const { owner, job, input } = yield* waiting(150)
    const ada = yield* reader(owner)
    const streams = [yield* opened("jobProgress", owner, input), yield* opened("jobProgress", ada, input)]
    const shown = Effect.fnUntraced(function* (expected: ReadonlyArray<string>) {
      for (const stream of streams) assert.deepStrictEqual(yield* arrived(stream, stateOf), [...expected])
    })
    yield* shown(["queued 0"])
    const { process, reached, release } = yield* pausedAfter(1)
    yield* process
    yield* reached
    yield* shown(["running 100"])
    yield* shown([])
    yield* release
    yield* until(Effect.map(jobOf(job.id), ({ finished_at }) => finished_at !== null))
    yield* shown(["succeeded 150", "stopped"])
    const [event] = yield* arrived(yield* opened("jobProgress", ada, input), (each) => each)
    assert.deepInclude(event, { isLast: true })
    assert.notProperty(event, "id")
    assert.deepInclude((event as StreamEvent).value, { operation: "ban", total: 150, succeeded: 150, failed: 0, code: null })
    assert.notProperty((event as StreamEvent).value, "input")
  })

  rule("ends when the job is cancelled", function* () {
    const { owner, input } = yield* waiting(1)
    const stream = yield* opened("jobProgress", owner, input)
    yield* owner.body(adminJobsCancel, input)
    yield* poll
    assert.deepStrictEqual(yield* arrived(stream, stateOf), ["cancelled 0", "stopped"])
  })

  rule("leaves out earlier states for a slow reader, and changes of what is not shown", function* () {
    const { owner, job, input } = yield* waiting(9)
    const stream = yield* opened("jobProgress", owner, input)
    for (const position of [1, 2, 3]) {
      yield* changed(job.id, { position })
      yield* poll
    }
    assert.deepStrictEqual(yield* arrived(stream, stateOf), ["queued 3"])
    yield* changed(job.id, { lease_until: yield* DateTime.now })
    assert.deepStrictEqual(yield* arrived(stream, stateOf), [])
  })

  rule("is refused without the permission and for unknown jobs", function* () {
    const { owner, input } = yield* waiting(1)
    const ada = yield* reader(owner)
    const eve = yield* signedUp("eve@example.com")
    assert.strictEqual(yield* refusal(opened("jobProgress", { jar: emptyJar() }, input)), "unauthorized")
    assert.strictEqual(yield* refusal(opened("jobProgress", eve, input)), "forbidden")
    assert.strictEqual(yield* refusal(opened("jobProgress", eve, { job_id: "unknown" })), "forbidden")
    assert.strictEqual(yield* refusal(opened("jobProgress", ada, { job_id: "unknown" })), "job_not_found")
    assert.strictEqual(yield* refusal(opened("jobProgress", ada, {})), "invalid_request")
  })

  rule("ends without a further state when the caller loses the permission, or the session", function* () {
    const { owner, job, input } = yield* waiting(9)
    const ada = yield* reader(owner)
    const [of, own] = [yield* opened("jobProgress", ada, input), yield* opened("jobProgress", owner, input)]
    assert.deepStrictEqual(yield* arrived(of, stateOf), ["queued 0"])
    assert.deepStrictEqual(yield* arrived(own, stateOf), ["queued 0"])
    yield* owner.body(adminSetRole, { user_id: ada.user.id, role: "user" })
    yield* owner.body(endpoints.signOut)
    yield* changed(job.id, { position: 5 })
    assert.deepStrictEqual(yield* arrived(of, stateOf), ["forbidden"])
    assert.deepStrictEqual(yield* arrived(own, stateOf), ["unauthorized"])
  })

  rule("ends when the job is removed", function* () {
    const { owner, job, input } = yield* waiting(1)
    const stream = yield* opened("jobProgress", owner, input)
    const { commit } = yield* Store
    yield* commit([remove(Jobs, job.id)])
    assert.deepStrictEqual(yield* arrived(stream, stateOf), ["queued 0", "job_not_found"])
    assert.deepStrictEqual(yield* arrived(stream, stateOf), ["job_not_found"])
  })

  rule("is read once for all streams", function* () {
    const { owner, input } = yield* waiting(1)
    const other = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids: ["1"] })
    for (const job_id of times(2, () => input.job_id).concat(other.job.id)) yield* opened("jobProgress", owner, { job_id })
    const store = yield* Store
    const reads: Array<string> = []
    const counted = Store.of({
      ...store,
      listForEach: (table, ...rest) => {
        reads.push(table.name)
        return store.listForEach(table, ...rest)
      },
    })
    yield* Effect.provideService(poll, Store, counted)
    assert.deepStrictEqual(
      reads.filter((table) => table === Jobs.name),
      [Jobs.name],
    )
  })
})
