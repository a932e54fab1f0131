import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { linesOf } from "../../../adapters/cli/secret-command.ts"
import { secretPurpose, type TwoFactor, TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { tables as outboxTables, PendingMessages } from "../../../domain/mail/outbox-tables.ts"
import { insert, Store, update } from "../../../domain/ports/store.ts"
import { sealedCounts } from "../../../domain/secrets/sealed-counts.ts"
import { demandSecrets, rotate, SecretMissing, unreadable } from "../../../domain/secrets/sealing.ts"
import * as Keys from "../../../domain/tokens/keys.ts"
import { parsed } from "../../../domain/tokens/sealed-text.ts"
import { rulesOf } from "../../rule.ts"
import { built, challengeIn, enrolled, shownBy } from "../../two-factor.ts"
import { browser, core, endpoints, password, rows, signedUp, times, secret as worlds } from "../../world.ts"

const modules = [...core, built]
const rule = rulesOf(modules)
const tables = [...AuthOf.make(modules).tables, ...outboxTables]
const [newer, newest] = ["a newer secret of thirty-two bytes or more", "the newest secret of thirty-two bytes or more"]

/** The keys of a service with these secrets, the newest first. */
const keysOf = (...secrets: ReadonlyArray<string>) => Keys.layer(secrets.map((text) => Redacted.make(text)))

/** Stores authenticator apps whose secrets are encrypted under this secret. `legacy` values have no key id, as in earlier versions. */
const apps = Effect.fnUntraced(function* (prefix: string, count: number, secret: string, { legacy = false } = {}) {
  const now = yield* DateTime.now
  const keys = yield* Effect.provide(Effect.service(Keys.Keys), keysOf(secret))
  const made = yield* Effect.forEach(times(count, String), (index) =>
    Effect.map(keys.seal(secretPurpose, `secret ${index}`), (sealed): TwoFactor => {
      const state = {
        backup_codes: [],
        used_steps: [],
        failures: 0,
        locked_until: null,
        confirmed_at: now,
        created_at: now,
        updated_at: now,
      }
      return { user_id: `${prefix}${index}`, secret: legacy ? parsed(sealed).value : sealed, ...state }
    }),
  )
  yield* (yield* Store).commit(made.map((row) => insert(TwoFactors, row)))
})

const opened = Effect.fnUntraced(function* (...secrets: ReadonlyArray<string>) {
  const keys = yield* Effect.provide(Effect.service(Keys.Keys), keysOf(...secrets))
  const texts = yield* Effect.forEach(yield* rows(TwoFactors), ({ secret }) => keys.open(secretPurpose, secret))
  return texts.filter(Option.isSome).length
})

const rotated = (secrets: ReadonlyArray<string>, removeUnreadable = false) =>
  Effect.map(Effect.provide(rotate(tables, { removeUnreadable }), [keysOf(...secrets), commandPolicies(modules)]), (columns) =>
    Object.fromEntries(columns.map(({ column, resealed, unreadable }) => [column, { resealed, unreadable }])),
  )

/** The counts for each of these secrets, and for values without a key id. */
const countsWith = (...secrets: ReadonlyArray<string>) =>
  Effect.map(Effect.provide(sealedCounts(tables), keysOf(...secrets)), (counts) => counts.map(({ count, more }) => [count, more]))

const unreadableWith = (...secrets: ReadonlyArray<string>) => Effect.provide(unreadable(tables), keysOf(...secrets))

/** Answers the second factor of a new sign-in, at a service with these secrets. */
const signedInWith = Effect.fnUntraced(function* (email: string, appSecret: string, ...secrets: ReadonlyArray<string>) {
  const reply = yield* browser().call(endpoints.signInEmail, { email, password })
  const { challenge_token } = challengeIn(reply)
  const answer = browser().body(built.endpoints.twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(appSecret) })
  return yield* Effect.provide(answer, keysOf(...secrets))
})

describe("removing an old secret does not break authenticator apps", () => {
  rule("a code that is accepted seals the app's secret under the newest one", function* () {
    const ada = yield* signedUp("ada@example.com")
    const app = yield* enrolled(ada)
    yield* signedInWith("ada@example.com", app.secret, newer, worlds)
    assert.deepStrictEqual([yield* opened(newer), yield* opened(worlds)], [1, 0])
    assert.deepStrictEqual(yield* unreadableWith(newer), [])
  })

  rule("backup codes outlive a rotation", function* () {
    const ada = yield* signedUp("ada@example.com")
    const app = yield* enrolled(ada)
    yield* rotated([newer, worlds])
    const { challenge_token } = challengeIn(yield* browser().call(endpoints.signInEmail, { email: "ada@example.com", password }))
    const backup_code = app.backup_codes[0] ?? ""
    const redeemed = browser().body(built.endpoints.twoFactorTotpChallenge, { challenge_token, backup_code })
    yield* Effect.provide(redeemed, keysOf(newer))
  })

  rule("backup codes of earlier versions, keyed by the service's secret, are accepted for as long as that is listed", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* enrolled(ada)
    const store = yield* Store
    const held = Option.getOrThrow(yield* store.read(TwoFactors, { user_id: ada.user.id }))
    const tag = yield* (yield* Keys.Keys).sign("two_factor/backup_code", `${ada.user.id}:0123456789`)
    yield* store.commit([update(TwoFactors, held, { backup_codes: [tag] })])
    const { challenge_token } = challengeIn(yield* browser().call(endpoints.signInEmail, { email: "ada@example.com", password }))
    const redeem = browser().call(built.endpoints.twoFactorTotpChallenge, { challenge_token, backup_code: "01234-56789" })
    assert.strictEqual((yield* Effect.flip(Effect.provide(redeem, keysOf(newer))))._tag, "invalid_otp")
    yield* Effect.provide(redeem, keysOf(newer, worlds))
  })

  rule("a rotation reports how many users have backup codes that end with an old secret", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* enrolled(ada)
    const keyedBy = Effect.provide(rotate([TwoFactors], { removeUnreadable: false }), [keysOf(newer, worlds), commandPolicies(modules)])
    assert.isUndefined((yield* keyedBy)[0]?.keyed)
    const store = yield* Store
    const held = Option.getOrThrow(yield* store.read(TwoFactors, { user_id: ada.user.id }))
    const tag = yield* (yield* Keys.Keys).sign("two_factor/backup_code", `${ada.user.id}:0123456789`)
    yield* store.commit([update(TwoFactors, held, { backup_codes: [tag, ...held.row.backup_codes] })])
    const rotated = yield* keyedBy
    assert.strictEqual(rotated[0]?.keyed?.count, 1)
    assert.match(linesOf(rotated, false)[0] ?? "", /^two_factor\.secret: 0 resealed; 1 row has backup codes of an earlier version, /)
  })

  rule("a rotation seals every value again, page by page, and changes nothing the second time", function* () {
    yield* apps("old", 120, worlds)
    yield* apps("legacy", 90, worlds, { legacy: true })
    yield* apps("current", 30, newer)
    assert.deepStrictEqual((yield* rotated([newer, worlds]))["two_factor.secret"], { resealed: 210, unreadable: 0 })
    assert.deepStrictEqual([yield* opened(newer), yield* opened(worlds)], [240, 0])
    assert.deepStrictEqual((yield* rotated([newer, worlds]))["two_factor.secret"], { resealed: 0, unreadable: 0 })
  })

  rule("two concurrent rotations, while users sign in, lose no value and no used code", function* () {
    const ada = yield* signedUp("ada@example.com")
    const app = yield* enrolled(ada)
    yield* apps("old", 40, worlds)
    const rotation = rotated([newer, worlds])
    const runs = [rotation, signedInWith("ada@example.com", app.secret, newer, worlds), rotation] as const
    const [first, , second] = yield* Effect.all(runs, { concurrency: "unbounded" })
    const [one, other] = [first["two_factor.secret"]?.resealed ?? 0, second["two_factor.secret"]?.resealed ?? 0]
    assert.include([40, 41], one + other)
    assert.strictEqual(yield* opened(newer), 41)
    const again = yield* Effect.flip(signedInWith("ada@example.com", app.secret, newer))
    assert.strictEqual(again._tag, "invalid_otp")
  })

  rule("a rotation seals waiting mails again, and the new secret alone opens them", function* () {
    yield* signedUp("ada@example.com")
    yield* browser().body(endpoints.requestPasswordReset, { email: "ada@example.com" })
    const [message] = yield* rows(PendingMessages)
    assert.isDefined(message)
    const waiting = (yield* rows(PendingMessages)).length
    assert.deepStrictEqual(
      (yield* countsWith(newer, worlds)).map(([count]) => count),
      [0, waiting, 0],
    )
    assert.isAbove((yield* rotated([newer, worlds]))["outbox.sealed"]?.resealed ?? 0, 0)
    assert.deepStrictEqual(
      (yield* countsWith(newer, worlds)).map(([count]) => count),
      [waiting, 0, 0],
    )
    const keys = yield* Effect.provide(Effect.service(Keys.Keys), keysOf(newer))
    for (const { sealed } of yield* rows(PendingMessages)) assert.isTrue(Option.isSome(yield* keys.open("outbox", sealed)))
  })
})

describe("a start without a secret that stored values still need", () => {
  rule("is refused with the count and the remedy, whatever other values there are", function* () {
    yield* apps("old", 130, worlds)
    yield* apps("legacy", 7, worlds, { legacy: true })
    yield* apps("newer", 20, newer)
    yield* apps("newest", 20, newest)
    assert.deepStrictEqual(yield* unreadableWith(newest, newer, worlds), [])
    const column = "two_factor.secret"
    assert.deepStrictEqual(yield* unreadableWith(newest, newer), [{ column, count: 137, more: false }])
    assert.deepStrictEqual(yield* unreadableWith(newest), [{ column, count: 157, more: false }])
    assert.deepStrictEqual(yield* unreadableWith(worlds), [{ column, count: 40, more: false }])
    const refusal = yield* Effect.flip(Effect.provide(demandSecrets(tables), keysOf(newest, newer)))
    assert.match(
      refusal.message,
      /^secret: none of the listed secrets can decrypt 137 values of two_factor\.secret; .*`npm start -- secret rotate`/,
    )
    yield* rotated([newest, newer, worlds])
    yield* Effect.provide(demandSecrets(tables), keysOf(newest))
  })

  rule("is detected without reading every row: one page for each listed secret", function* () {
    yield* apps("old", 300, worlds)
    yield* apps("newer", 300, newer)
    const store = yield* Store
    let pages = 0
    const list: typeof store.list = (...question) =>
      Effect.suspend(() => store.list(...question)).pipe(Effect.tap(() => Effect.sync(() => pages++)))
    const counted = Effect.provideService(unreadableWith(newer, worlds), Store, Store.of({ ...store, list }))
    assert.deepStrictEqual(yield* counted, [])
    assert.isAtMost(pages, 3)
  })

  rule("is possible once the values are removed, which keeps the others", function* () {
    yield* apps("lost", 3, worlds)
    yield* apps("kept", 5, newer)
    assert.deepStrictEqual((yield* rotated([newest, newer]))["two_factor.secret"], { resealed: 5, unreadable: 3 })
    assert.strictEqual((yield* rows(TwoFactors)).length, 8)
    assert.deepStrictEqual((yield* rotated([newest, newer], true))["two_factor.secret"], { resealed: 0, unreadable: 3 })
    assert.deepStrictEqual([(yield* rows(TwoFactors)).length, yield* opened(newest)], [5, 5])
    yield* Effect.provide(demandSecrets(tables), keysOf(newest))
  })

  rule("is not refused for mails, which expire within a day", function* () {
    yield* signedUp("ada@example.com")
    yield* browser().body(endpoints.requestPasswordReset, { email: "ada@example.com" })
    yield* Effect.provide(demandSecrets(tables), keysOf(newest))
  })

  it("has a readable message", () => {
    const one = { column: "two_factor.secret", count: 1, more: false }
    assert.include(new SecretMissing({ unreadable: [one] }).message, "can decrypt 1 value of two_factor.secret; ")
    const many = { column: "notes.text", count: 10_000, more: true }
    assert.include(
      new SecretMissing({ unreadable: [one, many] }).message,
      "1 value of two_factor.secret, 10000 or more values of notes.text; ",
    )
  })
})

describe("values are counted for each secret", () => {
  rule("page by page, and separately from values without a key id", function* () {
    yield* apps("old", 210, worlds)
    yield* apps("legacy", 7, worlds, { legacy: true })
    yield* apps("current", 100, newer)
    const none = [0, false]
    assert.deepStrictEqual(yield* countsWith(newest, newer, worlds), [none, [100, false], [210, false], [7, false]])
    yield* rotated([newest, newer, worlds])
    assert.deepStrictEqual(yield* countsWith(newest, newer, worlds), [[317, false], none, none, none])
  })

  rule("the count has a limit", function* () {
    yield* Effect.forEach(times(101, String), (part) => apps(`app${part}-`, 100, newer))
    assert.deepStrictEqual(yield* countsWith(newer), [
      [10_000, true],
      [0, false],
    ])
  })
})
