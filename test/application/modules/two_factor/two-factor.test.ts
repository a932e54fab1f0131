import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { TwoFactorChallenge } from "../../../../application/modules/two_factor/challenge.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { storeName } from "../../../stores.ts"
import { built, challengeIn, enrolled, shownBy, step, verified } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  credential,
  emails,
  endpoints,
  HashCount,
  isSignedIn,
  mailedToken,
  onWire,
  password,
  rows,
  signedUp,
  times,
  type WorldServices,
  withoutPassword,
  withVerified,
  world,
  secret as worldsSecret,
} from "../../../world.ts"

const { twoFactorTotpEnable, twoFactorTotpConfirm, twoFactorTotpChallenge } = built.endpoints
const { twoFactorTotpDisable, twoFactorTotpBackupCodes, twoFactorTotpStatus } = built.endpoints
const { signInEmail, verifyEmail, changePassword, updateUser, deleteUser, requestPasswordReset, resetPassword, revokeSessions } = endpoints
const modules = [...core, built]
const auth = AuthOf.make(modules)

/** The beginning of a time step, long after the first one. */
const start = 1_700_000_010_000

const rule = (...[name, shown, settings]: Parameters<ReturnType<typeof rulesOf>>) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(start)
      yield* Effect.gen(shown)
    },
    settings,
  )
const visitor = () => browser()
const email = "ada@example.com"
const day = 86_400

type Browser = ReturnType<typeof browser>

const seconds = (count: number) => TestClock.adjust(count * 1000)

/** The keys of a service with these secrets. */
const keysOf = (...secrets: ReadonlyArray<string>) => Keys.layer(secrets.map((text) => Redacted.make(text)))

/** A user with a password and a verified address, which a second factor needs. */
const user = (address = email) => Effect.tap(signedUp(address), verified)

/** A user with a confirmed app. */
const owner = Effect.fnUntraced(function* (address = email) {
  const ada = yield* user(address)
  return { ...ada, ...(yield* enrolled(ada)) }
})

/** A sign-in by the first factor. */
const challenged = Effect.fnUntraced(function* (address = email) {
  const reply = yield* visitor().call(signInEmail, { email: address, password })
  return challengeIn(reply).challenge_token
})

const answer = (challenge_token: string, given: object, their: Browser = visitor()) =>
  their.call(twoFactorTotpChallenge, { challenge_token, ...given })
const refusal = (challenge_token: string, given: object) => visitor().code(twoFactorTotpChallenge, { challenge_token, ...given })

/** A wrong code, different from the other wrong ones. */
const wrong = Effect.fnUntraced(function* (secret: string, index = 0) {
  const right = yield* Effect.forEach([-2, -1, 0, 1, 2], (steps) => shownBy(secret, steps))
  return times(9, (offset) => String(index * 10 + offset).padStart(6, "0")).find((code) => !right.includes(code)) ?? ""
})

const remaining = (their: Browser) => Effect.map(their.body(twoFactorTotpStatus), ({ backup_codes_remaining }) => backup_codes_remaining)

describe("the settings of two_factor", () => {
  it.effect("have defaults; a name that apps would truncate is refused", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(twoFactor.settings)
      assert.deepStrictEqual(yield* decode({}), { methods: ["totp"], backup_code_count: 10, required: "none" })
      for (const issuer of ["", "a:b", 7]) yield* Effect.flip(decode({ issuer }))
      for (const backup_code_count of [0, 101, 1.5, "10"]) yield* Effect.flip(decode({ backup_code_count }))
      yield* decode({ issuer: "Ärzte & Co", backup_code_count: 100 })
    }),
  )
})

describe("2fa/totp/enable", () => {
  rule("creates a secret of 160 bits, its URI, and ten distinct backup codes", function* () {
    const ada = yield* user("ada+x@example.com")
    const { secret, totp_uri, backup_codes } = yield* ada.body(twoFactorTotpEnable, { password })
    assert.match(secret, /^[A-Z2-7]{32}$/)
    const label = "service:ada%2Bx%40example.com"
    assert.strictEqual(totp_uri, `otpauth://totp/${label}?secret=${secret}&issuer=service&algorithm=SHA1&digits=6&period=30`)
    assert.lengthOf(new Set(backup_codes), 10)
    for (const code of backup_codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
    assert.deepStrictEqual(yield* onWire(twoFactorTotpEnable, { secret, totp_uri, backup_codes }), { secret, totp_uri, backup_codes })
  })

  it.effect("escapes the issuer, and creates the configured number of backup codes", () =>
    Effect.gen(function* () {
      const other = twoFactor.build({ methods: ["totp"], issuer: "Ärzte & Co", backup_code_count: 3, required: "none" })
      const ada = yield* signedUp(email, AuthOf.make([...core, other]))
      const { totp_uri, backup_codes } = yield* ada.body(other.endpoints.twoFactorTotpEnable, { password })
      assert.match(totp_uri, /^otpauth:\/\/totp\/%C3%84rzte%20%26%20Co:ada%40example\.com\?secret=\w+&issuer=%C3%84rzte%20%26%20Co&/)
      assert.strictEqual(new URL(totp_uri).searchParams.get("issuer"), "Ärzte & Co")
      assert.lengthOf(backup_codes, 3)
    }).pipe(Effect.provide(world([...core, twoFactor.build({ methods: ["totp"], issuer: "x", backup_code_count: 1, required: "none" })]))),
  )

  rule("hashes backup codes slowly, each under a name of its own, so that a guess needs one check", function* () {
    const ada = yield* owner()
    const [app] = yield* rows(TwoFactors)
    const names = ada.backup_codes.map((code) => code.slice(0, 2))
    assert.deepStrictEqual(
      app?.backup_codes.map((hash) => /^slow:(..):hash\$[\w-]{43}$/.exec(hash)?.[1]),
      names,
    )
    assert.lengthOf(new Set(names), 10)
    const count = yield* HashCount
    const [right = ""] = ada.backup_codes
    const unnamed = ["00", "zz", "77"].find((name) => !names.includes(name))
    for (const backup_code of [`${right.slice(0, -1)}${right.endsWith("0") ? "1" : "0"}`, `${unnamed}000-00000`, "x", right]) {
      const token = yield* challenged()
      const before = count.verified
      yield* Effect.exit(answer(token, { backup_code }))
      assert.strictEqual(count.verified - before, 1, backup_code)
    }
  })

  rule("accepts the backup codes of earlier versions, each once", function* () {
    const ada = yield* owner()
    const store = yield* Store
    const keys = yield* Keys.Keys
    const held = Option.getOrThrow(yield* store.read(TwoFactors, { user_id: ada.user.id }))
    const long = "0123456789abcdefghjkmnpqr"
    const key = Buffer.from(Option.getOrThrow(yield* keys.open("two_factor", held.row.secret)), "base64url")
    const mac = createHmac("sha256", key).update(`two_factor/backup_code:${ada.user.id}:${long}`).digest("base64url")
    const former = [`app:${mac}`, yield* keys.sign("two_factor/backup_code", `${ada.user.id}:abcde01234`)]
    yield* Effect.orDie(store.commit([update(TwoFactors, held, { backup_codes: former })]))
    for (const backup_code of [(long.match(/.{5}/g) ?? []).join("-"), "ABCDE-O1234"]) {
      yield* answer(yield* challenged(), { backup_code })
      assert.strictEqual(yield* refusal(yield* challenged(), { backup_code }), "invalid_otp")
    }
    assert.strictEqual(yield* remaining(ada), 0)
  })

  rule("stores neither the secret nor a code in the clear", function* () {
    const { secret, backup_codes } = yield* (yield* user()).body(twoFactorTotpEnable, { password })
    const stored = JSON.stringify(yield* rows(TwoFactors))
    for (const text of [secret, ...backup_codes, ...backup_codes.map((code) => code.replace("-", ""))]) assert.notInclude(stored, text)
  })

  rule("requires the password of a user who has one", function* () {
    const ada = yield* user()
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnable, { password }), "unauthorized")
    for (const given of [{}, { password: null }, { password: 7 }])
      assert.strictEqual(yield* ada.code(twoFactorTotpEnable, given), "invalid_request")
    assert.strictEqual(yield* ada.code(twoFactorTotpEnable, { password: "a wrong one" }), "invalid_credentials")
    assert.lengthOf(yield* rows(TwoFactors), 0)
  })

  rule("requires none of a user without one", function* () {
    const ada = yield* user()
    yield* withoutPassword(ada.user.id)
    yield* ada.body(twoFactorTotpEnable)
  })

  rule(
    "counts wrong passwords apart from failed sign-ins",
    function* () {
      const ada = yield* user()
      yield* Effect.forEach(times(10, String), () => ada.code(twoFactorTotpEnable, { password: "a wrong one" }))
      assert.strictEqual(yield* ada.code(twoFactorTotpEnable, { password }), "rate_limited")
      yield* visitor().body(signInEmail, { email, password })
    },
    { rate_limit: { enabled: true } },
  )

  rule("challenges no sign-in before its confirmation, and replaces an unconfirmed app", function* () {
    const ada = yield* user()
    const former = yield* ada.body(twoFactorTotpEnable, { password })
    assert.deepStrictEqual(yield* ada.body(twoFactorTotpStatus), { enabled: false, backup_codes_remaining: 0 })
    const reply = yield* visitor().call(signInEmail, { email, password })
    assert.strictEqual(reply.body.user.email, email)

    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    assert.notStrictEqual(secret, former.secret)
    assert.lengthOf(yield* rows(TwoFactors), 1)
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code: yield* shownBy(former.secret) }), "invalid_otp")
    yield* ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
  })

  rule("replaces no confirmed app", function* () {
    const ada = yield* owner()
    assert.strictEqual(yield* ada.code(twoFactorTotpEnable, { password }), "two_factor_enabled")
    yield* answer(yield* challenged(), { code: yield* shownBy(ada.secret) })
  })

  rule("concurrent calls store one of their secrets", function* () {
    const ada = yield* user()
    const made = yield* Effect.all(
      times(10, () => ada.body(twoFactorTotpEnable, { password })),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(yield* rows(TwoFactors), 1)
    const codes = yield* Effect.forEach(made, ({ secret }) => shownBy(secret))
    // The confirmation renews the session's token: a call whose session is read after it comes with an old one.
    const outcomes = yield* atOnce(codes.map((code) => ada.call(twoFactorTotpConfirm, { code })))
    const { ok, invalid_otp = 0, unauthorized = 0, session_not_fresh = 0 } = outcomes
    assert.deepStrictEqual([ok, invalid_otp + unauthorized + session_not_fresh], [1, 9])
  })
})

describe("2fa/totp/confirm", () => {
  rule("enables the factor, ends the other sessions and notifies the user", function* () {
    const ada = yield* user()
    const elsewhere = visitor()
    yield* elsewhere.body(signInEmail, { email, password })
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const reply = yield* ada.call(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
    assert.deepStrictEqual(reply.body, { success: true })
    assert.deepStrictEqual(yield* ada.body(twoFactorTotpStatus), { enabled: true, backup_codes_remaining: 10 })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(elsewhere))
    const message = (yield* emails).at(-1)
    assert.deepStrictEqual([message?.to, message?.subject], [email, "Two-factor sign-in was turned on for your Sallyport account"])
  })

  rule("keeps this session with a proof of the second factor and a new token: a stolen copy of the old one is invalid", function* () {
    const ada = yield* user()
    const [before] = yield* rows(Sessions)
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    yield* seconds(60)
    const copy = browser(undefined, { ...ada.jar })
    yield* ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
    const [after] = yield* rows(Sessions)
    assert.notStrictEqual(after?.token_hash, before?.token_hash)
    const token_hash = after?.token_hash ?? ""
    assert.deepStrictEqual(yield* rows(Sessions), [
      { ...before!, token_hash, proved_at: yield* DateTime.now, multi_factor: true, methods: "otp" },
    ])
    assert.deepStrictEqual([yield* isSignedIn(ada), yield* isSignedIn(copy)], [true, false])
  })

  rule("requires a verified address, so that an attacker leaves no factor on an account with another person's address", function* () {
    const ada = yield* signedUp(email)
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code }), "email_not_verified")
    assert.isFalse((yield* ada.body(twoFactorTotpStatus)).enabled)
    yield* withVerified(ada.user.id)
    yield* ada.body(twoFactorTotpConfirm, { code })
  })

  rule("accepts a synthetic address, which needs no verification", function* () {
    const ada = yield* signedUp(email)
    const store = yield* Store
    const held = Option.getOrThrow(yield* store.read(Users, { id: ada.user.id }))
    yield* Effect.orDie(store.commit([update(Users, held, { email: "+15550100@phone.service" })]))
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    yield* ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
  })

  rule("ends a session that was issued by one factor while it read the others", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    const store = yield* Store
    const late = visitor()
    let asked = 0
    const services = yield* Effect.context<WorldServices>()
    const signIn = Effect.ignore(late.body(signInEmail, { email, password })).pipe(Effect.provide(services))
    const commit: StoreService["commit"] = (writes) => (asked++ > 0 ? store.commit(writes) : Effect.andThen(signIn, store.commit(writes)))
    yield* ada.body(twoFactorTotpConfirm, { code }).pipe(Effect.provideService(Store, { ...store, commit }))
    assert.isNotNull(late.jar.credential)
    assert.isFalse(yield* isSignedIn(late))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("challenges a user who proved one factor during the confirmation", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const store = yield* Store
    const confirm = Effect.orDie(ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) }))
    const once = yield* Effect.cached(Effect.provide(confirm, yield* Effect.context<WorldServices>()))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    challengeIn(
      yield* visitor()
        .call(signInEmail, { email, password })
        .pipe(Effect.provideService(Store, { ...store, commit })),
    )
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("accepts the codes of one time step either side, and no further", function* () {
    for (const [steps, outcome] of [
      [-2, "invalid_otp"],
      [-1, "ok"],
      [0, "ok"],
      [1, "ok"],
      [2, "invalid_otp"],
    ] as const) {
      const ada = yield* user(`ada${steps}@example.com`)
      const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
      const code = yield* shownBy(secret, steps)
      assert.deepStrictEqual(yield* atOnce([ada.call(twoFactorTotpConfirm, { code })]), { [outcome]: 1 }, `${steps}`)
    }
  })

  rule("accepts a code until the end of the next time step", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    yield* TestClock.setTime(start + 2 * step * 1000)
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code }), "invalid_otp")
    yield* TestClock.setTime(start + 2 * step * 1000 - 1)
    yield* ada.body(twoFactorTotpConfirm, { code })
  })

  rule("refuses malformed codes, and callers with nothing to confirm", function* () {
    const ada = yield* user()
    assert.strictEqual(yield* visitor().code(twoFactorTotpConfirm, { code: "000000" }), "unauthorized")
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code: "000000" }), "two_factor_not_enabled")
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    for (const given of [{}, { code: null }, { code: 123_456 }])
      assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, given), "invalid_request")
    const right = yield* shownBy(secret)
    for (const code of ["", "x", right.slice(1), `${right}0`, "\0", yield* wrong(secret)])
      assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code }), "invalid_otp", code)
    yield* ada.body(twoFactorTotpConfirm, { code: ` ${right.slice(0, 3)} ${right.slice(3)} ` })
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code: yield* shownBy(secret, 1) }), "invalid_otp")
  })

  rule("concurrently, one code confirms once", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    const outcomes = yield* atOnce(times(20, () => ada.call(twoFactorTotpConfirm, { code })))
    // A call that read its session before the confirmation, and its factors after it, needs a proof of the new factor.
    const { ok, invalid_otp = 0, unauthorized = 0, session_not_fresh = 0 } = outcomes
    assert.deepStrictEqual([ok, invalid_otp + unauthorized + session_not_fresh], [1, 19])
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* emails, 1)
  })

  rule("admits no concurrent sign-in without the factor", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    const browsers = times(10, visitor)
    yield* atOnce([ada.call(twoFactorTotpConfirm, { code }), ...browsers.map((their) => their.call(signInEmail, { email, password }))])
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 0)
  })
})

describe("a sign-in of a user with a second factor", () => {
  rule("returns a challenge and no session", function* () {
    yield* owner()
    const their = visitor()
    const reply = yield* their.call(signInEmail, { email, password })
    const { challenge_token, ...rest } = challengeIn(reply)
    assert.deepStrictEqual(rest, { two_factor_required: true, methods: ["totp", "backup_code"], expires_in: 300 })
    assert.match(challenge_token, /^[\w-]{43}$/)
    assert.deepStrictEqual(Object.keys(reply), ["body", "session", "isChallenge"])
    assert.strictEqual(reply.session, "keep")
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.notInclude(JSON.stringify(yield* rows(PendingSignIns)), challenge_token)
  })

  rule("keeps the caller's own session", function* () {
    const ada = yield* owner()
    challengeIn(yield* ada.call(signInEmail, { email, password }))
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule(
    "is not counted as a failed sign-in, but a wrong password is",
    function* () {
      yield* owner()
      yield* Effect.forEach(times(20, String), () => challenged())
      assert.strictEqual(yield* visitor().code(signInEmail, { email, password: "a wrong one" }), "invalid_credentials")
    },
    { rate_limit: { enabled: true } },
  )

  rule("the token of its challenge works at no other endpoint", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    const holder = visitor()
    for (const credential of [token, `${token}.${token}`]) {
      holder.jar.credential = credential
      assert.isFalse(yield* isSignedIn(holder))
      assert.strictEqual(yield* holder.code(twoFactorTotpStatus), "unauthorized")
    }
    assert.strictEqual(yield* visitor().code(resetPassword, { token, new_password: password }), "invalid_token")
    assert.strictEqual(yield* visitor().code(verifyEmail, { token }), "invalid_token")
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("replaces an outdated hash", function* () {
    const ada = yield* owner()
    const held = yield* credential(ada.user.id)
    yield* Effect.orDie((yield* Store).commit([update(Accounts, held, { password_hash: `old$${password}` })]))
    yield* challenged()
    assert.strictEqual((yield* credential(ada.user.id)).row.password_hash, `hash$${password}`)
  })

  rule("does not change other users' sign-ins", function* () {
    yield* owner()
    const bob = yield* user("bob@example.com")
    assert.strictEqual((yield* visitor().call(signInEmail, { email: "bob@example.com", password })).body.user.id, bob.user.id)
  })

  it("is declared: endpoints that take one factor have the challenge among their outputs, and no others", () => {
    const challenge = { two_factor_required: true, challenge_token: "x", methods: ["totp"], expires_in: 300 }
    const widened = Object.entries(auth.endpoints).filter(([, { output }]) => Schema.is(Schema.toType(output))(challenge))
    assert.deepStrictEqual(
      widened.map(([name]) => name),
      ["signInEmail"],
    )
    assert.isTrue(Schema.is(TwoFactorChallenge)(challenge))
    const without = AuthOf.make(core).endpoints
    assert.isFalse(Schema.is(Schema.toType(without["signInEmail"]!.output))(challenge))
  })
})

describe("2fa/totp/challenge", () => {
  rule("signs in with a code of the app", function* () {
    const ada = yield* owner()
    const their = visitor()
    const reply = yield* answer(yield* challenged(), { code: yield* shownBy(ada.secret) }, their)
    assert.deepStrictEqual((yield* onWire(twoFactorTotpChallenge, reply.body)).user.id, ada.user.id)
    assert.isTrue(yield* isSignedIn(their))
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(PendingSignIns), 0)
  })

  rule("signs in with each backup code, once", function* () {
    const ada = yield* owner()
    for (const [index, backup_code] of ada.backup_codes.entries()) {
      yield* answer(yield* challenged(), { backup_code })
      assert.strictEqual(yield* refusal(yield* challenged(), { backup_code }), "invalid_otp")
      assert.strictEqual(yield* remaining(ada), 9 - index)
    }
  })

  rule("accepts a backup code in every spelling", function* () {
    const ada = yield* owner()
    const [one = "", other = ""] = ada.backup_codes
    yield* answer(yield* challenged(), { backup_code: ` ${one.toUpperCase().replace("-", " ")} ` })
    yield* answer(yield* challenged(), { backup_code: other.replace("-", "").replaceAll("0", "O").replaceAll("1", "l") })
  })

  rule("accepts neither kind of code in place of the other", function* () {
    const ada = yield* owner()
    const [backup = ""] = ada.backup_codes
    const code = yield* shownBy(ada.secret)
    assert.strictEqual(yield* refusal(yield* challenged(), { code: backup }), "invalid_otp")
    assert.strictEqual(yield* refusal(yield* challenged(), { backup_code: code }), "invalid_otp")
  })

  rule("refuses another user's code", function* () {
    yield* owner()
    const bob = yield* owner("bob@example.com")
    assert.strictEqual(yield* refusal(yield* challenged(), { code: yield* shownBy(bob.secret) }), "invalid_otp")
    assert.strictEqual(yield* refusal(yield* challenged(), { backup_code: bob.backup_codes[0] }), "invalid_otp")
  })

  rule("requires a challenge and one of the two codes", function* () {
    const ada = yield* owner()
    const challenge_token = yield* challenged()
    const [code, backup_code] = [yield* shownBy(ada.secret), ada.backup_codes[0]]
    for (const given of [
      { challenge_token },
      { code },
      { challenge_token: 7, code },
      { challenge_token, code: 123_456 },
      { challenge_token, code, backup_code },
    ])
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, given), "invalid_request", JSON.stringify(given))
    for (const token of ["", "x", `${challenge_token}x`, "\0"]) assert.strictEqual(yield* refusal(token, { code }), "invalid_token")
    yield* answer(challenge_token, { code })
  })

  rule("is valid for 299 seconds and not for 300", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    yield* seconds(300)
    assert.strictEqual(yield* refusal(token, { code: yield* shownBy(ada.secret) }), "invalid_token")
    const next = yield* challenged()
    yield* seconds(299.999)
    yield* answer(next, { code: yield* shownBy(ada.secret) })
  })

  rule("works once, also with another code", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    yield* answer(token, { code: yield* shownBy(ada.secret) })
    assert.strictEqual(yield* refusal(token, { code: yield* shownBy(ada.secret, 1) }), "invalid_token")
    assert.strictEqual(yield* refusal(token, { backup_code: ada.backup_codes[0] }), "invalid_token")
  })

  rule("ends with the fifth wrong code, of either kind", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    for (const index of [0, 1, 2]) assert.strictEqual(yield* refusal(token, { code: yield* wrong(ada.secret, index) }), "invalid_otp")
    for (const backup_code of ["", "zzzzz-zzzzz"]) assert.strictEqual(yield* refusal(token, { backup_code }), "invalid_otp")
    assert.strictEqual(yield* refusal(token, { code: yield* shownBy(ada.secret) }), "invalid_token")
    const next = yield* challenged()
    for (const index of [0, 1, 2, 3]) assert.strictEqual(yield* refusal(next, { code: yield* wrong(ada.secret, index) }), "invalid_otp")
    yield* answer(next, { code: yield* shownBy(ada.secret) })
  })

  rule("counts each of several concurrent wrong codes", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    const code = yield* wrong(ada.secret)
    assert.deepStrictEqual(yield* atOnce(times(20, () => answer(token, { code }))), { invalid_otp: 5, invalid_token: 15 })
  })

  rule("accepts each code once, also the one that confirmed the app", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    yield* ada.body(twoFactorTotpConfirm, { code })
    assert.strictEqual(yield* refusal(yield* challenged(), { code }), "invalid_otp")
    const next = yield* shownBy(secret, 1)
    yield* answer(yield* challenged(), { code: next })
    yield* seconds(step)
    for (const used of [code, next]) assert.strictEqual(yield* refusal(yield* challenged(), { code: used }), "invalid_otp")
  })

  rule("concurrently, one code works once: in one challenge, in several, and to confirm", function* () {
    const ada = yield* owner()
    const [code, later] = [yield* shownBy(ada.secret), yield* shownBy(ada.secret, 1)]
    const token = yield* challenged()
    assert.deepStrictEqual(yield* atOnce(times(20, () => answer(token, { code: later }))), { ok: 1, invalid_token: 19 })
    const tokens = yield* Effect.forEach(times(8, String), () => challenged())
    assert.deepStrictEqual(yield* atOnce(tokens.map((each) => answer(each, { code }))), { ok: 1, invalid_otp: 7 })
  })

  rule("concurrently, one backup code works once", function* () {
    const ada = yield* owner()
    const [backup_code] = ada.backup_codes
    const tokens = yield* Effect.forEach(times(20, String), () => challenged())
    assert.deepStrictEqual(yield* atOnce(tokens.map((each) => answer(each, { backup_code }))), { ok: 1, invalid_otp: 19 })
    assert.strictEqual(yield* remaining(ada), 9)
  })

  rule("concurrently, two challenges with two codes both succeed", function* () {
    const ada = yield* owner()
    const tokens = [yield* challenged(), yield* challenged()]
    const given = [{ code: yield* shownBy(ada.secret) }, { backup_code: ada.backup_codes[0] }]
    assert.deepStrictEqual(yield* atOnce(tokens.map((token, index) => answer(token, given[index] ?? {}))), { ok: 2 })
  })

  rule("starts a fresh session", function* () {
    const ada = yield* owner()
    yield* seconds(day)
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { password }), "session_not_fresh")
    const their = visitor()
    yield* answer(yield* challenged(), { code: yield* shownBy(ada.secret) }, their)
    yield* their.body(twoFactorTotpDisable, { password })
  })
})

describe("a challenge is invalid once", () => {
  const ends: Readonly<Record<string, (ada: Browser) => Effect.Effect<unknown, any, WorldServices>>> = {
    "the password has been changed": (ada) =>
      ada.body(changePassword, { current_password: password, new_password: "another fine password" }),
    "the password has been reset": () =>
      Effect.gen(function* () {
        yield* visitor().body(requestPasswordReset, { email })
        yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password: "another fine password" })
      }),
    "the sessions have been revoked": (ada) => ada.body(revokeSessions),
    "the second factor is off": (ada) => ada.body(twoFactorTotpDisable, { password }),
    "the user is gone": (ada) => ada.body(deleteUser, { password }),
  }
  for (const [name, end] of Object.entries(ends)) {
    rule(name, function* () {
      const ada = yield* owner()
      const token = yield* challenged()
      yield* end(ada)
      assert.strictEqual(yield* refusal(token, { code: yield* shownBy(ada.secret) }), "invalid_token")
    })

    rule(`${name}, also during its answer`, function* () {
      const ada = yield* owner()
      const token = yield* challenged()
      const code = yield* shownBy(ada.secret)
      const store = yield* Store
      const once = yield* Effect.cached(Effect.provide(end(ada), yield* Effect.context<WorldServices>()))
      const commit: StoreService["commit"] = (writes) => Effect.andThen(Effect.orDie(once), store.commit(writes))
      assert.strictEqual(yield* refusal(token, { code }).pipe(Effect.provideService(Store, { ...store, commit })), "invalid_token")
    })
  }

  rule("the second factor was replaced", function* () {
    const ada = yield* owner()
    const token = yield* challenged()
    yield* ada.body(twoFactorTotpDisable, { password })
    const { secret } = yield* enrolled(ada)
    assert.strictEqual(yield* refusal(token, { code: yield* shownBy(secret) }), "invalid_token")
    yield* answer(yield* challenged(), { code: yield* shownBy(secret) })
  })

  rule("but not after another sign-in", function* () {
    const ada = yield* owner()
    const [token, other] = [yield* challenged(), yield* challenged()]
    yield* answer(other, { code: yield* shownBy(ada.secret) })
    yield* answer(token, { code: yield* shownBy(ada.secret, 1) })
  })
})

describe("guesses", () => {
  /** Makes this many guesses, each in a new challenge, and returns the results. */
  const guessed = Effect.fnUntraced(function* (secret: string, count: number) {
    const tally: Record<string, number> = {}
    for (const index of times(count, (each) => each)) {
      const code = yield* refusal(yield* challenged(), { code: yield* wrong(secret, index) })
      tally[code] = (tally[code] ?? 0) + 1
    }
    return tally
  })

  rule("over any number of challenges stop at the tenth, where nothing else limits them", function* () {
    const { secret } = yield* owner()
    const guesses = storeName === "memory" ? 1000 : 100
    assert.deepStrictEqual(yield* guessed(secret, guesses), { invalid_otp: 10, rate_limited: guesses - 10 })
    assert.strictEqual(yield* refusal(yield* challenged(), { code: yield* shownBy(secret) }), "rate_limited")
  })

  rule("concurrently, no more than ten are checked", function* () {
    const { secret } = yield* owner()
    const code = yield* wrong(secret)
    const tokens = yield* Effect.forEach(times(40, String), () => challenged())
    assert.deepStrictEqual(yield* atOnce(tokens.map((token) => answer(token, { code }))), { invalid_otp: 10, rate_limited: 30 })
  })

  rule("must then pause for a quarter of an hour, doubled after each further one, up to a day", function* () {
    const { secret } = yield* owner()
    yield* guessed(secret, 10)
    for (const pause of [900, 1800, 3600]) {
      yield* seconds(pause - 1)
      const error = yield* Effect.flip(answer(yield* challenged(), { code: yield* shownBy(secret) }))
      assert.deepStrictEqual([error._tag, error.retryAfter], ["rate_limited", 1])
      yield* seconds(1)
      assert.deepStrictEqual(yield* guessed(secret, 2), { invalid_otp: 1, rate_limited: 1 })
    }
    yield* seconds(7200)
    yield* answer(yield* challenged(), { code: yield* shownBy(secret) })
    assert.deepStrictEqual(yield* guessed(secret, 11), { invalid_otp: 10, rate_limited: 1 })
  })

  rule("do not lock out an owner with a backup code", function* () {
    const ada = yield* owner()
    yield* guessed(ada.secret, 11)
    yield* answer(yield* challenged(), { backup_code: ada.backup_codes[0] })
    yield* answer(yield* challenged(), { code: yield* shownBy(ada.secret) })
  })

  rule("do not affect other users", function* () {
    const { secret } = yield* owner()
    const bob = yield* owner("bob@example.com")
    yield* guessed(secret, 11)
    yield* answer(yield* challenged("bob@example.com"), { code: yield* shownBy(bob.secret) })
  })

  rule("of a caller with a session count as well", function* () {
    const ada = yield* owner()
    yield* withoutPassword(ada.user.id)
    for (const index of times(10, (each) => each))
      assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { code: yield* wrong(ada.secret, index) }), "invalid_otp")
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { code: yield* shownBy(ada.secret) }), "rate_limited")
  })
})

const changes: ReadonlyArray<readonly [string, AnyEndpoint]> = [
  ["2fa/totp/disable", twoFactorTotpDisable],
  ["2fa/totp/backup-codes", twoFactorTotpBackupCodes],
]

describe.each(changes)("%s", (_, endpoint) => {
  rule("requires a session, a second factor, and the password of a user who has one", function* () {
    assert.strictEqual(yield* visitor().code(endpoint, { password }), "unauthorized")
    const ada = yield* user()
    assert.strictEqual(yield* ada.code(endpoint, { password }), "two_factor_not_enabled")
    yield* ada.body(twoFactorTotpEnable, { password })
    assert.strictEqual(yield* ada.code(endpoint, { password }), "two_factor_not_enabled")

    const bob = yield* owner("bob@example.com")
    for (const given of [{}, { password: 7 }, { code: yield* shownBy(bob.secret) }])
      assert.strictEqual(yield* bob.code(endpoint, given), "invalid_request")
    assert.strictEqual(yield* bob.code(endpoint, { password: "a wrong one" }), "invalid_credentials")
    assert.deepStrictEqual(yield* bob.body(twoFactorTotpStatus), { enabled: true, backup_codes_remaining: 10 })
    yield* bob.body(endpoint, { password })
  })

  rule("requires a code of a user without a password: the app's, or a backup code, each once", function* () {
    const ada = yield* owner()
    yield* withoutPassword(ada.user.id)
    for (const given of [{}, { password }]) assert.strictEqual(yield* ada.code(endpoint, given), "invalid_request")
    for (const code of ["", yield* wrong(ada.secret), "zzzzz-zzzzz"]) assert.strictEqual(yield* ada.code(endpoint, { code }), "invalid_otp")
    const code = yield* shownBy(ada.secret)
    yield* ada.body(endpoint, { code })
    assert.include(["invalid_otp", "two_factor_not_enabled"], yield* ada.code(endpoint, { code }))

    const bob = yield* owner("bob@example.com")
    yield* withoutPassword(bob.user.id)
    yield* bob.body(endpoint, { code: bob.backup_codes[0] })
  })

  rule("requires a proof younger than ten minutes, so that a stolen session does not remove the second factor", function* () {
    const ada = yield* owner()
    yield* seconds(600 - step - 1)
    assert.strictEqual(yield* ada.code(endpoint, { password: "a wrong one" }), "invalid_credentials")
    yield* seconds(1)
    assert.strictEqual(yield* ada.code(endpoint, { password }), "session_not_fresh")
  })
})

describe("2fa/totp/disable", () => {
  rule("disables the factor, keeps the sessions, and notifies the user", function* () {
    const ada = yield* owner()
    assert.deepStrictEqual(yield* ada.call(twoFactorTotpDisable, { password }), { body: { success: true }, session: "keep" })
    assert.deepStrictEqual(yield* ada.body(twoFactorTotpStatus), { enabled: false, backup_codes_remaining: 0 })
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(TwoFactors), 0)
    const message = (yield* emails).at(-1)
    assert.deepStrictEqual([message?.to, message?.subject], [email, "Two-factor sign-in was turned off for your Sallyport account"])
    assert.strictEqual((yield* visitor().call(signInEmail, { email, password })).body.user.id, ada.user.id)
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { password }), "two_factor_not_enabled")
  })
})

describe("2fa/totp/backup-codes", () => {
  rule("replaces all ten, and notifies the user", function* () {
    const ada = yield* owner()
    yield* answer(yield* challenged(), { backup_code: ada.backup_codes[0] })
    const { backup_codes } = yield* ada.body(twoFactorTotpBackupCodes, { password })
    assert.lengthOf(new Set([...ada.backup_codes, ...backup_codes]), 20)
    assert.strictEqual(yield* remaining(ada), 10)
    assert.strictEqual(yield* refusal(yield* challenged(), { backup_code: ada.backup_codes[1] }), "invalid_otp")
    yield* answer(yield* challenged(), { backup_code: backup_codes[0] })
    yield* answer(yield* challenged(), { code: yield* shownBy(ada.secret) })
    const message = (yield* emails).at(-1)
    assert.deepStrictEqual([message?.to, message?.subject], [email, "The recovery codes of your Sallyport account were replaced"])
  })
})

describe("2fa/totp/status", () => {
  rule("requires a session, and reveals nothing about other users", function* () {
    assert.strictEqual(yield* visitor().code(twoFactorTotpStatus), "unauthorized")
    yield* owner()
    const bob = yield* user("bob@example.com")
    assert.deepStrictEqual(yield* bob.body(twoFactorTotpStatus), { enabled: false, backup_codes_remaining: 0 })
  })
})

describe("the sensitive endpoints", () => {
  rule("require a proof younger than ten minutes, also before there is a factor", function* () {
    const ada = yield* user()
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    yield* seconds(599)
    yield* ada.body(updateUser, { name: "Ada" })
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code: "000000" }), "invalid_otp")
    yield* seconds(1)
    assert.strictEqual(yield* ada.code(twoFactorTotpConfirm, { code: yield* shownBy(secret) }), "session_not_fresh")
    assert.strictEqual(yield* ada.code(twoFactorTotpEnable, { password }), "session_not_fresh")
  })
})

describe("the stored rows", () => {
  rule("are removed with the user", function* () {
    const ada = yield* owner()
    yield* challenged()
    yield* ada.body(deleteUser, { password })
    for (const table of [Users, TwoFactors, PendingSignIns]) assert.lengthOf(yield* rows(table), 0, table.name)
  })

  rule("stay valid after a change of the service's secret only while the old one is listed", function* () {
    const ada = yield* owner()
    const code = yield* shownBy(ada.secret)
    const token = yield* challenged()
    const forgotten = yield* Effect.provide(Effect.flip(answer(token, { code })), keysOf("an entirely new secret of the service"))
    assert.strictEqual(forgotten._tag, "invalid_otp")
    yield* Effect.provide(answer(token, { code }), keysOf("an entirely new secret of the service", worldsSecret))
  })
})
