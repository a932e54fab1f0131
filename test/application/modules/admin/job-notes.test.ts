import { assert, describe } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { Jobs } from "../../../../application/modules/admin/jobs/tables.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { erase } from "../../../../application/modules/audit/erase.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { verify } from "../../../../application/modules/audit/verify.ts"
import { Conflict, Store, type Write } from "../../../../domain/ports/store.ts"
import { rows } from "../../../world.ts"
import {
  adminJobsCancel,
  adminJobsCreate,
  adminJobsList,
  adminJobsShow,
  adminSetRole,
  jobOf,
  many,
  root,
  rule,
  service,
  signedUp,
  worked,
} from "./job-world.ts"

const marker = "MARKER-5c1e"
const reason = `A wave of spam, ${marker}`

const recordsOf = (type: string) => Effect.map(rows(Records), (all) => all.filter((record) => record.type === type))
const banning = (user_ids: ReadonlyArray<string>, more: object = {}) => ({ operation: "ban", user_ids, reason, ...more })

/** The background work with a store that refuses to commit the changes of two users at once. */
const workedOneByOne = Effect.gen(function* () {
  const store = yield* Store
  const isOfGroup = (writes: ReadonlyArray<Write>) => writes.filter(({ table }) => table.name === AdminMetadatas.name).length > 1
  const commit = (writes: ReadonlyArray<Write>) =>
    isOfGroup(writes) ? Effect.fail(new Conflict({ table: AdminMetadatas.name })) : store.commit(writes)
  yield* Effect.provideService(worked, Store, Store.of({ ...store, commit }))
})

describe("the reason of a job", () => {
  for (const [how, work] of [
    ["in one commit", worked],
    ["one after another", workedOneByOne],
  ] as const)
    rule(`is the note of what is done to each user ${how}, with a salt of its own`, function* () {
      const owner = yield* signedUp(root)
      yield* owner.body(adminJobsCreate, banning(yield* many(3)))
      yield* work
      const banned = yield* recordsOf("user.banned")
      assert.deepStrictEqual(
        banned.map(({ note }) => note),
        [reason, reason, reason],
      )
      assert.strictEqual(new Set(banned.map(({ note_salt }) => note_salt)).size, 3)
      assert.deepStrictEqual(
        (yield* recordsOf("job.created")).map(({ note }) => note),
        [reason],
      )
    })

  rule("is in no record of a job without one", function* () {
    const owner = yield* signedUp(root)
    yield* owner.body(adminJobsCreate, { operation: "ban", user_ids: yield* many(2) })
    yield* worked
    assert.lengthOf(yield* recordsOf("user.banned"), 2)
    assert.isTrue((yield* rows(Records)).every(({ note }) => note === null))
  })

  rule("is kept until the job has ended or was cancelled, and by no dry run", function* () {
    const owner = yield* signedUp(root)
    const ids = yield* many(2)
    const created = (more: object = {}) => Effect.map(owner.body(adminJobsCreate, banning(ids, more)), ({ job }) => job.id)
    const noteOf = (id: string) => Effect.map(jobOf(id), ({ note }) => note)
    const [dry, cancelled, done] = [yield* created({ dry_run: true }), yield* created(), yield* created()]
    assert.deepStrictEqual([yield* noteOf(dry), yield* noteOf(cancelled), yield* noteOf(done)], [null, reason, reason])
    yield* owner.body(adminJobsCancel, { job_id: cancelled })
    yield* worked
    assert.deepStrictEqual([yield* noteOf(cancelled), yield* noteOf(done)], [null, null])
    assert.strictEqual((yield* jobOf(done)).state, "succeeded")
    assert.notInclude(JSON.stringify(yield* rows(Jobs)), marker)
  })

  rule("is neither in the lists of jobs nor in a line of the log", function* () {
    const [owner, reader] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
    yield* owner.body(adminSetRole, { user_id: reader.user.id, role: "reader" })
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const shown: Array<unknown> = []
    yield* Effect.gen(function* () {
      const { job } = yield* owner.body(adminJobsCreate, banning(["unknown", ...(yield* many(1))]))
      const read = Effect.gen(function* () {
        shown.push(yield* reader.body(adminJobsList), yield* reader.body(adminJobsShow, { job_id: job.id }))
      })
      yield* read
      yield* worked
      yield* read
      shown.push(job)
    }).pipe(Effect.provide(Logger.layer([logger])))
    assert.lengthOf(yield* recordsOf("user.banned"), 1)
    assert.notInclude(JSON.stringify([shown, lines]), marker)
  })

  rule("is erased from the records of a user who is removed, and stays in those of others", function* () {
    const owner = yield* signedUp(root)
    const [gone = "", stays = ""] = yield* many(2)
    yield* owner.body(adminJobsCreate, banning([gone, stays]))
    yield* worked
    yield* Effect.provide(sealing, commandPolicies(service.modules))
    yield* owner.body(adminJobsCreate, { operation: "remove", user_ids: [gone], reason })
    yield* worked
    assert.deepStrictEqual(
      (yield* recordsOf("user.deleted")).map(({ note }) => note),
      [reason],
    )
    yield* erase
    const notes = (yield* rows(Records)).filter(({ type }) => type.startsWith("user.")).map(({ subject_id, note }) => [subject_id, note])
    assert.includeDeepMembers(notes, [
      [gone, null],
      [stays, reason],
    ])
    assert.isFalse(notes.some(([id, note]) => id === gone && note !== null))
    yield* Effect.provide(sealing, commandPolicies(service.modules))
    yield* TestClock.adjust("2 minutes")
    assert.deepStrictEqual((yield* verify).faults, [])
  })
})
