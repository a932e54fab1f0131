import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { rulesOf } from "../../rule.ts"
import { rows } from "../../world.ts"
import { addition, enabled, identities, identity, imported, passkey, user } from "./records.ts"

const rule = rulesOf(enabled)

type Batches = Parameters<typeof imported>[0]

/** The findings of a run. A dry run before it has the same, however the records are divided into batches. */
const reported = Effect.fnUntraced(function* (batches: Batches) {
  const dry = yield* imported(batches, true)
  assert.deepStrictEqual((yield* imported([batches.flat()], true)).findings, dry.findings)
  assert.lengthOf(yield* rows(Users), 0)
  const real = yield* imported(batches)
  assert.deepStrictEqual(real.findings, dry.findings)
  assert.deepStrictEqual(real.totals, dry.totals)
  return real
})

rule("an account that its user already has is reported as such, and that of another user is taken", function* () {
  const [one, two] = [identity("1"), identity("2")]
  const { findings, totals } = yield* reported([
    [
      user("a", "ada@example.com", { identities: [one], username: "ada" }),
      user("b", "bob@example.com"),
      addition("a", { identities: [one] }),
      addition("b", { identities: [one] }),
      addition("b", { identities: [two] }),
    ],
    [
      addition("a", { identities: [one] }),
      addition("b", { identities: [two] }),
      addition("a", { identities: [two] }),
      addition("b", { identities: [one, identity("3")] }),
      user("c", "carl@example.com", { identities: [two], username: "ADA" }),
      user("d", "ada@example.com"),
    ],
  ])
  assert.deepStrictEqual(findings, [
    "1 created",
    "2 created",
    "3 already_there",
    "4 refused, identities identity_taken 1",
    "5 added",
    "6 already_there",
    "7 already_there",
    "8 refused, identities identity_taken 5",
    "9 added, identities identity_taken 1",
    "10 created, identities identity_taken 5, username username_taken 1",
    "11 refused, email duplicate_email 1",
  ])
  assert.deepInclude(totals, { created: 3, added: 2, already_there: 3, refused: 3, identities: { carried: 3, dropped: 2 } })
})

rule("a password or an app that its user has is already there", function* () {
  const password = { hash: "hash$x", format: "test" }
  const totp = { secret: new Uint8Array(20) }
  const credentials = addition("a", { password, totp })
  const { findings } = yield* reported([[user("a", "ada@example.com"), credentials, credentials], [credentials]])
  const exists = "already_there, password password_exists, totp factor_exists"
  assert.deepStrictEqual(findings, ["1 created", "2 added", `3 ${exists}`, `4 ${exists}`])
})

rule("additions cannot exceed the limit on linked accounts, and leave room for a password", function* () {
  const password = { hash: "hash$x", format: "test" }
  const { findings, totals } = yield* reported([
    [
      user("a", "ada@example.com", { identities: identities(95), passkeys: [passkey("key")] }),
      addition("a", { identities: identities(2, 95) }),
    ],
    [addition("a", { identities: identities(3, 97) }), addition("a", { identities: [identity("x")] })],
    [addition("a", { password }), addition("a", { identities: [identity("y")] })],
  ])
  assert.deepStrictEqual(findings, [
    "1 created",
    "2 added",
    "3 added, identities too_many_identities",
    "4 refused, identities too_many_identities",
    "5 added",
    "6 refused, identities too_many_identities",
  ])
  assert.deepStrictEqual(totals.identities, { carried: 98, dropped: 2 })
  assert.lengthOf(yield* rows(Accounts), 100)
})

rule("a user without an address needs an account that no other user has", function* () {
  const [one, two] = [identity("1"), identity("2")]
  const { findings } = yield* reported([
    [user("a", "ada@example.com", { identities: [one] }), user("b", null, { identities: [one] })],
    [user("c", null, { identities: [one] }), user("d", null, { identities: [one, two] }), user("e", null, { identities: [two] })],
  ])
  const taken = "identities identity_taken"
  assert.deepStrictEqual(findings, [
    "1 created",
    `2 refused, ${taken} 1, email missing_email`,
    `3 refused, ${taken} 1, email missing_email`,
    `4 created, ${taken} 1`,
    `5 refused, ${taken} 4, email missing_email`,
  ])
  assert.sameMembers(
    (yield* rows(Users)).map(({ email }) => email),
    ["ada@example.com", "idp_one:2"],
  )
  const again = yield* imported([[user("a", null, { identities: [one] }), user("d", null, { identities: [one, two] })]])
  assert.deepStrictEqual(again.findings, ["1 already_there", "2 already_there"])
})
