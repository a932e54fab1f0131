import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { distribute } from "../../../../application/modules/events/distribute.ts"
import { events } from "../../../../application/modules/events/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { core, onWire, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const settings = { admin_emails: [root], operations: true, roles: { reader: ["health:read"] } }
const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
const secrets = [`whsec_${"A".repeat(32)}`]
const webhooks = [{ id: "siem", url: "https://siem.example.com/events", types: ["user.created"], secrets }]
const delivering = Schema.decodeUnknownSync(events.settings)({ webhooks })
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const modules = [...core, built, log, events.build(delivering, owned)]
const seal = Effect.provide(sealing, commandPolicies(modules))
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminHealth, adminSetRole, adminSettings } = built.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)

rule("GET /admin/health counts what waits by receiver, with its age, and shows nothing of it", function* () {
  const owner = yield* signedUp(root)
  const outbox = yield* Outbox
  yield* outbox.drain
  yield* seal
  const before = yield* owner.body(adminHealth)
  assert.deepStrictEqual(before.queues, [{ receiver: "webhook", waiting: 0, capped: false, oldest_s: 0 }])
  assert.strictEqual(before.seal_age_s, 0)
  assert.deepStrictEqual([before.processes, before.findings], [[], []])
  const mail = yield* outbox.mail({ to: "canary@example.com", subject: "canary", text: "canary", html: "canary" })
  const post = yield* outbox.post("logout", "canary")
  yield* Effect.orDie((yield* Store).commit([mail, post]))
  yield* signedUp("ada@example.com")
  yield* distribute(delivering)
  yield* TestClock.adjust("61 seconds")
  const after = yield* owner.body(adminHealth)
  assert.sameDeepMembers(
    after.queues.filter(({ receiver }) => receiver !== "mail"),
    [
      { receiver: "logout", waiting: 1, capped: false, oldest_s: 61 },
      { receiver: "webhook", waiting: 2, capped: false, oldest_s: 61 },
    ],
  )
  assert.isAtLeast(after.queues.find(({ receiver }) => receiver === "mail")?.waiting ?? 0, 1)
  assert.strictEqual(after.seal_age_s, 61)
  assert.notMatch(JSON.stringify(yield* onWire(adminHealth, after)), /canary|example\.com|whsec/)
})

rule("GET /admin/health counts at most 1,000 of a queue", function* () {
  const owner = yield* signedUp(root)
  const outbox = yield* Outbox
  yield* outbox.drain
  const writes = yield* Effect.forEach(times(1001, String), (text) => outbox.post("logout", text))
  yield* Effect.orDie((yield* Store).commit(writes))
  const { queues } = yield* owner.body(adminHealth)
  assert.deepInclude(
    queues.find(({ receiver }) => receiver === "logout"),
    { waiting: 1000, capped: true },
  )
})

rule("GET /admin/health and /admin/settings need a permission each", function* () {
  const owner = yield* signedUp(root)
  const reader = yield* signedUp("reader@example.com")
  assert.strictEqual(yield* reader.code(adminHealth), "forbidden")
  yield* owner.body(adminSetRole, { user_id: reader.user.id, role: "reader" })
  yield* reader.body(adminHealth)
  assert.strictEqual(yield* reader.code(adminSettings), "forbidden")
  assert.deepStrictEqual(yield* owner.body(adminSettings), { entries: [] })
})
