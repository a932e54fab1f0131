import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Jobs } from "../../../../application/modules/admin/jobs/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { perUser } from "../../../../application/service/streams/streaming.ts"
import { modify } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { emptyJar, signedUp, times } from "../../../world.ts"
import { arrived, opened, refusal } from "../../service/open-stream.ts"
import { builtWith, call, issuer } from "../idp/provider.ts"
import { accountKey, administrators, keys, modulesWith, root } from "./keys.ts"

// Programs that follow streams of events with an API key, or a token of the identity provider.

const client = { client_id: "watcher", client_secret: "the secret of the watcher", scopes: ["jobs:read", "audit:read"] }
const idp = builtWith({ clients: [{ ...client, grant_types: ["client_credentials"], resources: [`${issuer}/admin`] }] })
const modules = [...modulesWith(keys), idp]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminJobsCreate, adminServiceAccountsUpdate } = administrators.endpoints
const { adminApiKeysRevoke } = keys.endpoints

const program = { jar: emptyJar() }
const jobBy = Effect.fnUntraced(function* () {
  const owner = yield* signedUp(root, auth)
  const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", user_ids: [owner.user.id] })
  return { owner, input: { job_id: job.id }, advanced: modify(Jobs, job.id, (row) => [null, Option.map(row, advance)]) }
})
const advance = (job: typeof Jobs.schema.Type) => ({ ...job, position: job.position + 1 })
const state = ({ value }: { readonly value: unknown }) => (value as { readonly state: string }).state

const tokenFor = (scope: string) => {
  const { client_id, client_secret } = client
  const input = { grant_type: "client_credentials", resource: `${issuer}/admin`, client_id, client_secret, scope }
  return Effect.map(call(idp.endpoints.oauth2Token, input, null, auth), ({ access_token }) => access_token)
}

describe("a program with an API key", () => {
  rule("follows a job until the key is revoked, and the audit log with its permission", function* () {
    const { owner, input, advanced } = yield* jobBy()
    const { key, api_key } = yield* accountKey(owner, ["jobs:read"])
    const stream = yield* opened("jobProgress", program, input, { api_key: key })
    assert.deepStrictEqual(yield* arrived(stream, state), ["queued"])
    yield* advanced
    assert.deepStrictEqual(yield* arrived(stream, state), ["queued"])
    assert.strictEqual(yield* refusal(opened("adminAuditEvents", program, {}, { api_key: key })), "forbidden")
    const log = yield* opened("adminAuditEvents", program, {}, { api_key: (yield* accountKey(owner, ["audit:read"])).key })
    yield* owner.body(adminApiKeysRevoke, { key_id: api_key.id })
    yield* advanced
    assert.deepStrictEqual(yield* arrived(stream, state), ["unauthorized"])
    assert.include(yield* arrived(log), "api_key.revoked")
  })

  rule("loses the stream with the permission of its service account", function* () {
    const { owner, input, advanced } = yield* jobBy()
    const { key, service_account_id } = yield* accountKey(owner, ["jobs:read", "users:read"])
    const stream = yield* opened("jobProgress", program, input, { authorization: `Bearer ${key}` })
    assert.deepStrictEqual(yield* arrived(stream, state), ["queued"])
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id, changes: { permissions: ["users:read"] } })
    yield* advanced
    assert.deepStrictEqual(yield* arrived(stream, state), ["forbidden"])
  })

  rule("follows no streams of users, sends no session beside the key, and no unknown key", function* () {
    const { owner, input } = yield* jobBy()
    const { key } = yield* accountKey(owner, ["jobs:read"])
    assert.strictEqual(yield* refusal(opened("sessionEvents", program, {}, { api_key: key })), "unauthorized")
    assert.strictEqual(yield* refusal(opened("jobProgress", owner, input, { api_key: key })), "unauthorized")
    assert.strictEqual(yield* refusal(opened("jobProgress", program, input, { api_key: `${key}x` })), "unauthorized")
    assert.strictEqual(yield* refusal(opened("jobProgress", program, { job_id: "unknown" }, { api_key: key })), "job_not_found")
  })

  rule("has a number of streams of its own", function* () {
    const { owner, input } = yield* jobBy()
    const [one, other] = [yield* accountKey(owner, ["jobs:read"]), yield* accountKey(owner, ["jobs:read"])]
    const open = ({ key }: { readonly key: string }) => opened("jobProgress", program, input, { api_key: key })
    yield* Effect.all(times(perUser, () => open(one)))
    assert.strictEqual(yield* refusal(open(one)), "rate_limited")
    yield* open(other)
    yield* opened("jobProgress", owner, input)
  })
})

describe("a program with a token", () => {
  rule("follows what the scopes of the token permit, until it is revoked", function* () {
    const { input, advanced } = yield* jobBy()
    const token = yield* tokenFor("jobs:read")
    const authorization = `Bearer ${token}`
    const stream = yield* opened("jobProgress", program, input, { authorization })
    assert.deepStrictEqual(yield* arrived(stream, state), ["queued"])
    assert.strictEqual(yield* refusal(opened("adminAuditEvents", program, {}, { authorization })), "forbidden")
    const other = yield* opened("jobProgress", program, input, { authorization: `Bearer ${yield* tokenFor("jobs:read audit:read")}` })
    yield* call(idp.endpoints.oauth2Revoke, { client_id: client.client_id, client_secret: client.client_secret, token }, null, auth)
    yield* advanced
    assert.deepStrictEqual(yield* arrived(stream, state), ["unauthorized"])
    assert.deepStrictEqual(yield* arrived(other, state), ["queued"])
  })

  rule("ends when the token expires", function* () {
    const { input } = yield* jobBy()
    const stream = yield* opened("jobProgress", program, input, { authorization: `Bearer ${yield* tokenFor("jobs:read")}` })
    assert.deepStrictEqual(yield* arrived(stream, state), ["queued"])
    yield* TestClock.adjust("1 day")
    assert.deepStrictEqual(yield* arrived(stream, state), ["unauthorized"])
  })
})
