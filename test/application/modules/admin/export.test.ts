import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { it } from "vitest"
import * as ImportTables from "../../../../application/import/tables.ts"
import { exportParts } from "../../../../application/modules/admin/export/index.ts"
import { ExportChunks } from "../../../../application/modules/admin/export/tables.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { MemberAttributes } from "../../../../domain/attributes/members.ts"
import { AttributeValues, UserAttributes } from "../../../../domain/attributes/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { columns } from "../../../../domain/ports/table.ts"
import { ownedTables } from "../../../../domain/users/owned-rows.ts"
import { Births } from "../../../../examples/age.ts"
import { Subscribers } from "../../../../examples/newsletter.ts"
import { Notes } from "../../../../examples/notes.ts"
import { SignIns } from "../../../../examples/sign-in-log.ts"
import { modules as everything } from "../../../everything.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, emails, onWire, rows, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const settings = { admin_emails: [root], roles: { exporter: ["users:export"] }, exports: true }
const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { accountExport, accountExportDownload, adminRolesAssign, adminUsersExport } = built.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)
const both = Effect.gen(function* () {
  const [owner, ada, bob] = [yield* signedUp(root), yield* signedUp("ada@example.com"), yield* signedUp("bob@example.com")]
  return { owner, ada, bob, user_id: ada.user.id }
})
const tokenOf = ({ url }: { readonly url: string }) => new URL(url).searchParams.get("token") ?? ""
const part = (token: string, number?: number) =>
  browser(auth).body(accountExportDownload, number === undefined ? { token } : { token, part: String(number) })

const examples = [Births, Notes, SignIns, Subscribers]

describe("the columns of tables of users", () => {
  const tables = [...AuthOf.make(everything).tables, ...ImportTables.tables, UserAttributes, AttributeValues, MemberAttributes, ...examples]
  const all = ownedTables(tables).map(({ table }) => table)

  it.each(all.map((table) => [table.name, table] as const))("%s declares each column once (`data` of Table.make)", (_, table) => {
    const { personal = [], secret = [], other = [] } = table.data
    const declared = [...personal, ...secret, ...other]
    assert.deepStrictEqual(
      declared.toSorted(),
      columns(table)
        .map(({ name }) => name)
        .toSorted(),
    )
    for (const sealed of Object.keys(table.sealed)) assert.include(secret, sealed)
    assert.isFalse(columns(table).some(({ name }) => /hash|secret|sealed|token/.test(name) && personal.includes(name)))
  })

  it("belong to the tables of the service", () => {
    for (const name of ["session", "passkey", "provider_token", "team_member", "export_chunk"])
      assert.include(
        all.map((table) => table.name),
        name,
      )
  })
})

describe("POST /admin/users/export", () => {
  rule("has the rows of the user, without secrets and other users, for one download", function* () {
    const { owner, ada, user_id } = yield* both
    const { url } = yield* onWire(adminUsersExport, yield* owner.body(adminUsersExport, { user_id }))
    assert.include(url, "/account/export/download?token=")
    const { tables, next_part } = yield* part(tokenOf({ url }))
    assert.isNull(next_part)
    assert.deepInclude(tables["user"]?.[0], { id: user_id, email: "ada@example.com" })
    assert.deepStrictEqual(
      tables["account"]?.map(({ provider_id, account_id }) => [provider_id, account_id]),
      [["credential", user_id]],
    )
    assert.strictEqual(tables["session"]?.length, 1)
    assert.isTrue(
      tables["audit_record"]?.some(({ type }) => type === "session.opened" || type === "sign_in.succeeded" || type === "user.created"),
    )
    const text = JSON.stringify(tables)
    assert.strictEqual(text.split('"ada@example.com"').length, 2)
    for (const absent of ["hash$", "password_hash", "token_hash", "bob@", root, owner.user.id]) assert.notInclude(text, absent)
    assert.isTrue(ada.user.id === user_id)
    assert.strictEqual(yield* browser(auth).code(accountExportDownload, { token: tokenOf({ url }) }), "invalid_token")
  })

  rule("stores no text that can be read without the token, for 7 days", function* () {
    const { owner, user_id } = yield* both
    const token = tokenOf(yield* owner.body(adminUsersExport, { user_id }))
    const stored = JSON.stringify(yield* rows(ExportChunks))
    for (const absent of ["ada@example.com", token]) assert.notInclude(stored, absent)
    const code = browser(auth).code
    for (const wrong of ["", "x", token.slice(1)]) assert.strictEqual(yield* code(accountExportDownload, { token: wrong }), "invalid_token")
    yield* TestClock.adjust("7 days")
    assert.strictEqual(yield* code(accountExportDownload, { token }), "invalid_token")
  })

  rule("is downloaded in parts of at most 256 KiB, each once", function* () {
    const { owner, user_id } = yield* both
    const now = yield* DateTime.now
    const record = (yield* rows(Records)).find(({ actor_id }) => actor_id === user_id)!
    const more = times(1500, (at) =>
      insert(Records, { ...record, id: `${record.id.slice(0, -6)}${String(at).padStart(6, "0")}`, user_agent: "m".repeat(256), at: now }),
    )
    for (let at = 0; at < more.length; at += 500) yield* Effect.orDie((yield* Store).commit(more.slice(at, at + 500)))
    const token = tokenOf(yield* owner.body(adminUsersExport, { user_id }))
    let [found, next]: [number, number | null] = [0, 1]
    while (next !== null) {
      const { tables, next_part }: typeof accountExportDownload.output.Type = yield* part(token, next)
      assert.isAtMost(JSON.stringify(tables).length, 300 * 1024)
      found += (tables["audit_record"] ?? []).filter(({ user_agent }) => String(user_agent).startsWith("mmm")).length
      next = next_part
    }
    assert.strictEqual(found, 1500)
    assert.deepStrictEqual(yield* rows(ExportChunks), [])
  })

  rule("gives a part to one of many callers", function* () {
    const { owner, user_id } = yield* both
    const token = tokenOf(yield* owner.body(adminUsersExport, { user_id }))
    assert.deepStrictEqual(yield* atOnce(times(20, () => browser(auth).call(accountExportDownload, { token }))), {
      ok: 1,
      invalid_token: 19,
    })
  })

  rule("tells the user, is recorded, and needs the permission and the rights of the user", function* () {
    const { owner, ada, bob, user_id } = yield* both
    assert.strictEqual(yield* bob.code(adminUsersExport, { user_id }), "forbidden")
    assert.strictEqual(yield* owner.code(adminUsersExport, { user_id: "unknown" }), "user_not_found")
    yield* owner.body(adminRolesAssign, { user_id: bob.user.id, role: "exporter" })
    assert.strictEqual(yield* bob.code(adminUsersExport, { user_id: owner.user.id }), "forbidden")
    yield* bob.body(adminUsersExport, { user_id })
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      ["ada@example.com"],
    )
    const [event] = (yield* rows(Records)).filter(({ type }) => type === "user.exported")
    assert.deepInclude(event, { subject_id: ada.user.id, actor_id: bob.user.id })
  })
})

describe("POST /account/export", () => {
  rule("is for the user, once a day", function* () {
    const { ada, bob } = yield* both
    const { tables } = yield* part(tokenOf(yield* ada.body(accountExport, {})))
    assert.deepInclude(tables["user"]?.[0], { id: ada.user.id })
    assert.strictEqual(yield* ada.code(accountExport, {}), "rate_limited")
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(yield* bob.code(accountExport, {}), "session_not_fresh")
    assert.strictEqual(yield* browser(auth).code(accountExport, {}), "unauthorized")
  })

  rule("is prepared once, of many at once", function* () {
    const { owner, ada, user_id } = yield* both
    yield* owner.body(adminUsersExport, { user_id })
    assert.deepStrictEqual(yield* atOnce(times(10, () => ada.call(accountExport, {}))), { ok: 1, rate_limited: 9 })
  })
})

it("nothing is there while the setting is off", () => {
  assert.deepStrictEqual(exportParts(Schema.decodeUnknownSync(admin.settings)({})), { tables: [], endpoints: [], rowEvents: [] } as object)
})
