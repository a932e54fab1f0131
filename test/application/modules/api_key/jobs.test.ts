import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rows } from "../../../world.ts"
import { many, workedBy } from "../admin/job-world.ts"
import { accountKey, administrators, auth, bodyFor, keys, root, rule, signedUp } from "./keys.ts"

const { adminJobsCreate, adminJobsShow } = administrators.endpoints
const permissions = ["jobs:run", "users:suspend", "users:delete"]

describe("a job that a key started", () => {
  rule("goes on as the service account of the key, also after a rotation", function* () {
    const owner = yield* signedUp(root)
    const { key, api_key, service_account_id } = yield* accountKey(owner, permissions)
    const user_ids = yield* many(3)
    const { job } = yield* bodyFor(key, adminJobsCreate, { operation: "ban", user_ids })
    yield* owner.body(keys.endpoints.adminApiKeysRotate, { key_id: api_key.id, overlap: 0 })
    yield* workedBy(auth)
    assert.deepInclude((yield* owner.body(adminJobsShow, { job_id: job.id })).job, { state: "succeeded", succeeded: 3 })
    const actors = (yield* rows(Records)).filter(({ type }) => type === "user.banned").map((each) => [each.actor_kind, each.actor_id])
    assert.deepStrictEqual(actors, Array(3).fill(["service", service_account_id]))
  })

  rule("ends with the key", function* () {
    const owner = yield* signedUp(root)
    const personal = yield* owner.body(keys.endpoints.apiKeyCreate, { name: "x", permissions })
    const { key, api_key } = yield* accountKey(owner, permissions)
    const user_ids = yield* many(2)
    const started = yield* Effect.forEach([key, personal.key], (own) => bodyFor(own, adminJobsCreate, { operation: "remove", user_ids }))
    assert.deepStrictEqual(
      started.map(({ job }) => job.created_by.kind),
      ["service_account", "api_key"],
    )
    for (const { id } of [api_key, personal.api_key]) yield* owner.body(keys.endpoints.adminApiKeysRevoke, { key_id: id })
    yield* workedBy(auth)
    for (const { job } of started)
      assert.deepInclude((yield* owner.body(adminJobsShow, { job_id: job.id })).job, { state: "failed", code: "forbidden" })
    assert.lengthOf(yield* rows(Users), 3)
  })
})
