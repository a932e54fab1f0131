import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { operationParts } from "../../../../application/modules/admin/operations/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { DeadLetters, PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { insert, removeVersioned, Store, update } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, emails, onWire, rows, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const settings = { admin_emails: [root], operations: true, roles: { mailer: ["outbox:retry"], reader: ["outbox:read"] } }
const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminOutboxDiscard, adminOutboxList, adminOutboxRetry, adminSetRole } = built.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)

/** A mail, an SMS and a message to a client, oldest first, each with words that no answer may contain. */
const stored = Effect.gen(function* () {
  const outbox = yield* Outbox
  const canary = { text: "canary text https://canary.example/?token=canary-token" }
  const writes = [
    yield* outbox.mail({ ...canary, to: "canary@example.com", subject: "canary subject", html: "<p>canary</p>" }),
    yield* outbox.sms({ ...canary, to: "+442079460018" }),
    yield* outbox.post("logout", canary.text),
  ]
  yield* Effect.orDie((yield* Store).commit(writes))
  return writes.map((write) => (write as unknown as { readonly row: { readonly id: string } }).row.id) as [string, string, string]
})

/** Gives up a message, with this reason. */
const givenUp = Effect.fnUntraced(function* (id: string, reason: string) {
  const { commit, read } = yield* Store
  const message = (yield* Effect.flatMap(read(PendingMessages, { id }), Effect.fromOption)) as { row: any; revision: any }
  const { due_at: _, give_up_at: __, ...row } = message.row
  const now = yield* DateTime.now
  const dead = { ...row, attempts: 9, reason, died_at: now, expires_at: DateTime.add(now, { days: 1 }) }
  yield* Effect.orDie(commit([removeVersioned(PendingMessages, message), insert(DeadLetters, dead)]))
})
/** The reason of the last failure of a message that waits. */
const failed = Effect.fnUntraced(function* (id: string, reason: string) {
  const { commit, read } = yield* Store
  const message = yield* Effect.flatMap(read(PendingMessages, { id }), Effect.fromOption)
  const due_at = DateTime.add(yield* DateTime.now, { hours: 1 })
  yield* Effect.orDie(commit([update(PendingMessages, message, { reason, attempts: 3, due_at })]))
})

describe("GET /admin/outbox/list", () => {
  rule("shows messages of both kinds by age, and neither recipient nor text", function* () {
    const owner = yield* signedUp(root)
    yield* (yield* Outbox).drain
    const [mail, sms, post] = yield* stored
    yield* givenUp(mail, "RCPT TO 550 5.1.1")
    yield* failed(sms, "the gateway answered 503, canary@example.com is 400 metres away")
    yield* failed(post, "ECONNECTION: connect to canary.example 192.0.2.1:443")
    const answer = yield* owner.body(adminOutboxList)
    const shown = answer.messages.map(({ id, kind, state, attempts, last_code }) => ({ id, kind, state, attempts, last_code }))
    assert.deepStrictEqual(
      shown.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      shown,
    )
    assert.sameDeepMembers(shown, [
      { id: mail, kind: "mail", state: "dead", attempts: 9, last_code: "550" },
      { id: sms, kind: "sms", state: "waiting", attempts: 3, last_code: "503" },
      { id: post, kind: "logout", state: "waiting", attempts: 3, last_code: "ECONNECTION" },
    ])
    assert.deepStrictEqual(
      answer.messages.map(({ state, due_at }) => [state, due_at === null]),
      answer.messages.map(({ state }) => [state, state === "dead"]),
    )
    const text = JSON.stringify(yield* onWire(adminOutboxList, answer))
    for (const secret of ["canary", "+44", "sealed", "metres"]) assert.notInclude(text, secret)
    assert.deepStrictEqual(
      (yield* owner.body(adminOutboxList, { state: "dead" })).messages.map(({ id }) => id),
      [mail],
    )
    assert.lengthOf((yield* owner.body(adminOutboxList, { state: "waiting" })).messages, 2)
  })

  rule("pages through both kinds without a gap, and leaves out those that have expired", function* () {
    const owner = yield* signedUp(root)
    yield* (yield* Outbox).drain
    const ids = [...(yield* stored), ...(yield* stored)].toSorted()
    for (const id of [ids[0]!, ids[2]!, ids[5]!]) yield* givenUp(id, "expired")
    const read = Effect.fnUntraced(function* () {
      const seen: Array<string> = []
      let page = yield* owner.body(adminOutboxList, { limit: 1 })
      while (typeof page.next_cursor === "string") {
        seen.push(...page.messages.map(({ id }) => id))
        page = yield* owner.body(adminOutboxList, { limit: 1, cursor: page.next_cursor })
      }
      return [...seen, ...page.messages.map(({ id }) => id)]
    })
    assert.deepStrictEqual(yield* read(), ids)
    const { commit, read: stores } = yield* Store
    const dead = yield* Effect.flatMap(stores(DeadLetters, { id: ids[2]! }), Effect.fromOption)
    yield* Effect.orDie(commit([update(DeadLetters, dead, { expires_at: yield* DateTime.now })]))
    assert.deepStrictEqual(yield* read(), ids.toSpliced(2, 1))
  })

  rule("shows no code in texts that only resemble one", function* () {
    const owner = yield* signedUp(root)
    yield* (yield* Outbox).drain
    const [, , id] = yield* stored
    for (const reason of ["ELISA@example.com", "500@example.com", "no answer within 30s", "host.500", "192.0.2.1:443", "TypeError"]) {
      yield* failed(id, reason)
      const { messages } = yield* owner.body(adminOutboxList)
      assert.isNull(messages.find((each) => each.id === id)?.last_code, reason)
    }
  })
})

describe("POST /admin/outbox/retry", () => {
  rule("sends a message that waits or was given up, and records who asked for it", function* () {
    const owner = yield* signedUp(root)
    const before = (yield* emails).length
    const [mail, sms] = yield* stored
    yield* givenUp(mail, "RCPT TO 550 5.1.1")
    yield* failed(sms, "the gateway answered 503")
    assert.deepStrictEqual(yield* owner.body(adminOutboxRetry, { message_id: mail }), { success: true })
    assert.deepStrictEqual(yield* owner.body(adminOutboxRetry, { message_id: sms }), { success: true })
    assert.deepStrictEqual(yield* rows(DeadLetters), [])
    yield* (yield* Outbox).drain
    assert.lengthOf(yield* emails, before + 1)
    assert.strictEqual(yield* owner.code(adminOutboxRetry, { message_id: mail }), "message_not_found")
    const found = (yield* rows(Records)).filter(({ type }) => type.startsWith("outbox."))
    assert.sameDeepMembers(
      found.map(({ type, actor_kind, actor_id, data }) => [type, actor_kind, actor_id, data["message"]]),
      [mail, sms].map((id) => ["outbox.retried", "admin", owner.user.id, id]),
    )
    assert.notInclude(JSON.stringify(found.map(({ data }) => data)), "canary")
  })

  rule("of several at once sends one message", function* () {
    const owner = yield* signedUp(root)
    const before = (yield* emails).length
    const [mail] = yield* stored
    yield* givenUp(mail, "RCPT TO 550 5.1.1")
    assert.deepStrictEqual(yield* atOnce(times(5, () => owner.body(adminOutboxRetry, { message_id: mail }))), { ok: 5 })
    yield* TestClock.adjust("1 second")
    yield* (yield* Outbox).drain
    assert.lengthOf(yield* emails, before + 1)
  })
})

describe("POST /admin/outbox/discard", () => {
  rule("removes a message that waits or was given up, and needs more than the right to read", function* () {
    const owner = yield* signedUp(root)
    const [mailer, reader] = [yield* signedUp("mailer@example.com"), yield* signedUp("reader@example.com")]
    yield* owner.body(adminSetRole, { user_id: mailer.user.id, role: "mailer" })
    yield* owner.body(adminSetRole, { user_id: reader.user.id, role: "reader" })
    yield* (yield* Outbox).drain
    const [mail, sms] = yield* stored
    yield* givenUp(mail, "RCPT TO 550 5.1.1")
    assert.strictEqual(yield* reader.code(adminOutboxDiscard, { message_id: mail }), "forbidden")
    assert.strictEqual(yield* reader.code(adminOutboxRetry, { message_id: mail }), "forbidden")
    for (const message_id of [mail, sms]) {
      assert.deepStrictEqual(yield* mailer.body(adminOutboxDiscard, { message_id }), { success: true })
      assert.strictEqual(yield* mailer.code(adminOutboxDiscard, { message_id }), "message_not_found")
    }
    assert.strictEqual(yield* mailer.code(adminOutboxDiscard, { message_id: yield* newId }), "message_not_found")
    assert.deepStrictEqual(
      (yield* reader.body(adminOutboxList)).messages.map(({ kind }) => kind),
      ["logout"],
    )
    const found = (yield* rows(Records)).filter(({ type }) => type === "outbox.discarded")
    assert.sameMembers(
      found.map(({ data }) => data["message"]),
      [mail, sms],
    )
  })
})

it("without the switch there are no such endpoints", () => {
  const off = operationParts(Schema.decodeUnknownSync(admin.settings)({}))
  assert.deepStrictEqual(Object.values(off).flat(), [])
})
