import { assert, describe } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { AuthenticationResponseJSON } from "nid-webauthn-emulator"
import { PasskeyChallenges } from "../../../../application/modules/passkey/challenges.ts"
import { Passkeys } from "../../../../application/modules/passkey/table.ts"
import * as Module from "../../../../application/service/module.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import * as Challenges from "../../../../domain/sign-in/challenges.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { Changes } from "../../../passkeys.ts"
import { authenticator, bent, counting, flags, flipping, forParty } from "../../../passkeys.ts"
import { rulesOf, verifying } from "../../../rule.ts"
import { verified } from "../../../two-factor.ts"
import * as World from "../../../world.ts"
import { added, adminBanUser, answered, browser, email, endpoints, modules, rule, signedIn, signedUp, withPasskey } from "./passkeys.ts"

const { passkeyAuthenticateOptions, passkeyAuthenticateVerify, passkeyRegisterOptions } = endpoints
const { atOnce, isSignedIn, onWire, rows, times } = World

const optionsFor = (input: object) =>
  Effect.flatMap(browser().body(passkeyAuthenticateOptions, input), (body) => onWire(passkeyAuthenticateOptions, body))

/** The passkeys in the options for an address. */
const offered = (input: object) => Effect.map(optionsFor(input), ({ allowCredentials }) => allowCredentials)

describe("authenticate/options", () => {
  rule("requests any passkey of a verified user, or those of an address", function* () {
    const ada = yield* withPasskey()
    const { challenge, ...options } = yield* optionsFor({})
    assert.match(challenge, /^[\w-]{43}$/)
    const any = { rpId: "localhost", timeout: 300_000, allowCredentials: [], userVerification: "required" }
    assert.deepStrictEqual(options, any)
    const { challenge: another, ...hers } = yield* optionsFor({ email: " Ada@Example.com " })
    assert.notStrictEqual(another, challenge)
    const allowCredentials = [{ type: "public-key", id: ada.registered.id, transports: ["usb"] }]
    assert.deepStrictEqual(hers, { ...any, allowCredentials })
  })

  rule("does not reveal which addresses have a user or a passkey", function* () {
    yield* signedUp()
    const unknown = times(200, (index) => `unknown${index}@example.com`)
    const offers = (addresses: ReadonlyArray<string>) =>
      Effect.forEach(addresses, (address) => offered({ email: address }), { concurrency: 10 })
    const lists = yield* offers([email, ...unknown])
    for (const list of lists) {
      assert.include([1, 2], list.length)
      for (const { type, id, transports, ...more } of list) {
        assert.deepStrictEqual([type, more], ["public-key", {}])
        const bytes = Buffer.from(id, "base64url")
        assert.strictEqual(bytes.toString("base64url"), id)
        assert.include([16, 20, 32], bytes.length)
        assert.isNotEmpty(transports)
      }
    }
    const ids = lists.flatMap((list) => list.map(({ id }: { id: string }) => id))
    assert.strictEqual(new Set(ids).size, ids.length)
    const withTwo = lists.filter(({ length }) => length === 2).length
    assert.isAbove(withTwo, 10)
    assert.isBelow(withTwo, lists.length / 2)
    for (const length of [16, 20, 32]) assert.isAbove(ids.filter((id) => Buffer.from(id, "base64url").length === length).length, 10)
    assert.deepStrictEqual(yield* offers([` ${email.toUpperCase()}`, ...unknown]), lists)
  })

  rule("derives decoys from the secret", function* () {
    const here = yield* offered({ email })
    const elsewhere = yield* Effect.provide(offered({ email }), Keys.layer([Redacted.make("another secret of 32 bytes or more")]))
    assert.notDeepEqual(here, elsewhere)
  })

  rule("accepts any input", function* () {
    for (const text of ["", "x", "\0", "\ud800", "a@b@c", "x".repeat(10_000), `x${"😀".repeat(1000)}`, "+15550100@phone.service"])
      assert.isNotEmpty(yield* offered({ email: text }), JSON.stringify(text))
    for (const other of [null, undefined, 7, true, {}, []])
      assert.deepStrictEqual(yield* offered({ email: other }), [], JSON.stringify(other))
  })
})

/** A response with another user handle, which no signature covers. */
const withHandle = (answer: AuthenticationResponseJSON, said: { readonly userHandle?: string | null }) => {
  const { userHandle: _, ...response } = answer.response
  return { ...answer, response: { ...response, ...said } }
}

describe("authenticate/verify", () => {
  rule("signs in without an address", function* () {
    const { theirs, user } = yield* withPasskey()
    yield* TestClock.adjust("1 minute")
    const their = yield* signedIn(theirs)
    assert.deepStrictEqual(their.user, user)
    assert.isTrue(yield* isSignedIn(their))
    const { passkeys } = yield* onWire(endpoints.passkeyList, yield* their.body(endpoints.passkeyList))
    assert.strictEqual(passkeys[0].last_used_at, "1970-01-01T00:01:00.000Z")
    const [{ counter, ...stored } = assert.fail()] = yield* rows(Passkeys)
    assert.strictEqual(counter, 1)
    assert.notInclude(JSON.stringify(passkeys), stored.public_key)
  })

  rule("signs in with an address, also when the response has no user handle", function* () {
    const { theirs } = yield* withPasskey()
    yield* signedIn(theirs, { email })
    for (const unsaid of [{}, { userHandle: null }]) {
      const their = browser()
      yield* their.body(passkeyAuthenticateVerify, { response: withHandle(yield* answered(their, theirs, { email }), unsaid) })
    }
    assert.lengthOf(yield* rows(Sessions), 4)
  })

  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    rule(`accepts keys for ${algorithm}`, function* () {
      const { theirs } = yield* withPasskey(email, { algorithmIdentifiers: [algorithm] })
      yield* signedIn(theirs)
      const their = browser()
      const response = bent(yield* answered(their, theirs), "signature")
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
    })
  }

  rule("refuses malformed responses as invalid_request", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    const good = yield* answered(their, theirs)
    const { signature: _, ...lacking } = good.response
    for (const response of [
      undefined,
      null,
      "x",
      [],
      {},
      { ...good, id: undefined },
      { ...good, id: "\0" },
      { ...good, rawId: 7 },
      { ...good, type: null },
      { ...good, response: lacking },
      { ...good, response: { ...good.response, signature: "not base64url!" } },
      { ...good, response: { ...good.response, userHandle: 7 } },
    ])
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_request", JSON.stringify(response))
    yield* their.body(passkeyAuthenticateVerify, { response: good })
  })

  const tamperings: Readonly<Record<string, Changes>> = {
    "an unknown challenge": { clientData: { challenge: Buffer.alloc(32, 7).toString("base64url") } },
    "no challenge": { clientData: { challenge: undefined } },
    "another origin": { clientData: { origin: "https://localhost:3000" } },
    "an origin that only begins alike": { clientData: { origin: "http://localhost:3000.evil.example" } },
    "a registration": { clientData: { type: "webauthn.create" } },
    "a page within another one": { clientData: { crossOrigin: true } },
    "a page within a page that says its origin": { clientData: { crossOrigin: true, topOrigin: "http://localhost:3000" } },
    "a page below another one": { clientData: { topOrigin: "https://evil.example" } },
    "another relying party": { data: forParty("evil.example") },
    "no user present": { data: flipping(flags.userPresent) },
    "an unverified user": { data: flipping(flags.userVerified) },
    neither: { data: flipping(flags.userPresent, flags.userVerified) },
    "a backup of what cannot have one": { data: flipping(flags.backupEligible) },
    "a passkey that could be backed up and now cannot": { data: flipping(flags.backupEligible, flags.backedUp) },
  }
  for (const [what, changes] of Object.entries(tamperings)) {
    rule(`refuses ${what}, validly signed`, function* () {
      const { theirs } = yield* withPasskey()
      const before = yield* rows(Passkeys)
      const their = browser()
      const answer = yield* answered(their, theirs)
      const refusal = yield* Effect.flip(their.call(passkeyAuthenticateVerify, { response: theirs.forged(answer, changes) }))
      assert.deepStrictEqual([refusal._tag, refusal.status], ["invalid_passkey", 401])
      assert.isFalse(yield* isSignedIn(their))
      assert.deepStrictEqual(yield* rows(Passkeys), before)
    })
  }

  rule("accepts the unchanged response", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    yield* their.body(passkeyAuthenticateVerify, { response: theirs.forged(yield* answered(their, theirs), {}) })
  })

  rule("refuses a flipped bit in the signed data or in the signature", function* () {
    const { theirs } = yield* withPasskey()
    for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const) {
      const their = browser()
      const response = bent(yield* answered(their, theirs), part)
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey", part)
    }
  })

  rule("refuses a passkey that is another user's, unknown, removed, or of another type", function* () {
    const [ada, bob] = [yield* withPasskey(), yield* withPasskey("bob@example.com")]
    const attacker = authenticator()
    yield* verified(ada)
    attacker.create(yield* ada.body(passkeyRegisterOptions))

    const their = browser()
    const refused = Effect.fnUntraced(function* (response: unknown) {
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
    })
    yield* refused(yield* answered(their, attacker))
    const hers = yield* answered(their, ada.theirs)
    yield* refused({ ...hers, id: bob.registered.id, rawId: bob.registered.id })
    yield* refused({ ...(yield* answered(their, ada.theirs)), rawId: bob.registered.id })
    yield* refused({ ...(yield* answered(their, ada.theirs)), type: "password" })
    yield* refused(yield* answered(their, bob.theirs).pipe(Effect.tap(bob.body(endpoints.passkeyDelete, { passkey_id: bob.passkey_id }))))
  })

  rule("refuses another user's user handle", function* () {
    const [ada, bob] = [yield* withPasskey(), yield* withPasskey("bob@example.com")]
    for (const asked of [{}, { email }]) {
      for (const userHandle of [Buffer.from(bob.user.id).toString("base64url"), "", `${Buffer.from(ada.user.id).toString("base64url")}=`]) {
        const their = browser()
        const response = withHandle(yield* answered(their, ada.theirs, asked), { userHandle })
        assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey", userHandle)
      }
    }
  })

  rule("refuses a response without a user handle if no address was requested", function* () {
    const { theirs } = yield* withPasskey()
    for (const unsaid of [{}, { userHandle: null }]) {
      const their = browser()
      const response = withHandle(yield* answered(their, theirs), unsaid)
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
    }
  })

  rule("refuses a passkey of another address than the requested one", function* () {
    const ada = yield* withPasskey()
    yield* withPasskey("bob@example.com")
    for (const address of ["bob@example.com", "unknown@example.com", "", "\0"]) {
      const their = browser()
      const { challenge } = yield* their.body(passkeyAuthenticateOptions, { email: address })
      const response = ada.theirs.get({ rpId: "localhost", challenge, userVerification: "required" })
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey", address)
    }
  })

  rule("consumes a challenge with the first response, also a wrong one", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    const good = yield* answered(their, theirs)
    yield* their.body(passkeyAuthenticateVerify, { response: good })
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response: good }), "invalid_passkey")
    const next = yield* answered(their, theirs)
    const wrong = theirs.forged(next, { data: forParty("evil.example") })
    for (const response of [wrong, next]) assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
    assert.lengthOf(yield* rows(PasskeyChallenges), 0)
  })

  rule("accepts a response after 299 seconds and none after 300", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    const [early, late] = [yield* answered(their, theirs), yield* answered(their, theirs)]
    yield* TestClock.adjust("299 seconds")
    yield* their.body(passkeyAuthenticateVerify, { response: early })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response: late }), "invalid_passkey")
  })

  rule("accepts no challenge of a registration", function* () {
    const ada = yield* withPasskey()
    yield* verified(ada)
    const { challenge } = yield* ada.body(passkeyRegisterOptions)
    const response = ada.theirs.get({ rpId: "localhost", challenge, userVerification: "required" })
    assert.strictEqual(yield* ada.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
  })
})

describe("the browser that requested the options", () => {
  rule("is the only one that can respond", function* () {
    const { theirs } = yield* withPasskey()
    const [their, other, strange] = [browser(), browser(), browser()]
    for (const { jar } of [their, other, strange]) jar.from_browser = true
    yield* other.body(passkeyAuthenticateOptions)
    for (const each of [other, strange]) {
      const response = yield* answered(their, theirs)
      assert.strictEqual(yield* each.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
    }
    yield* their.body(passkeyAuthenticateVerify, { response: yield* answered(their, theirs) })
    assert.isTrue(yield* isSignedIn(their))
  })

  rule("may request them in several tabs", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    their.jar.from_browser = true
    const answers = [yield* answered(their, theirs), yield* answered(their, theirs, { email })]
    for (const response of answers) yield* their.body(passkeyAuthenticateVerify, { response })
  })

  rule("cannot be forged", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    their.jar.from_browser = true
    const response = yield* answered(their, theirs)
    const [[name, value] = assert.fail()] = Object.entries(their.jar.cookies)
    assert.strictEqual(name, "__Host-passkey_flow")
    their.jar.cookies = { [name]: `${value.slice(0, -1)}${value.endsWith("A") ? "E" : "A"}` }
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "invalid_passkey")
  })

  rule("need not be bound where the client is not a browser", function* () {
    const { theirs } = yield* withPasskey()
    yield* browser().body(passkeyAuthenticateVerify, { response: yield* answered(browser(), theirs) })
  })
})

/** Replaces the stored counter. */
const stored = Effect.fnUntraced(function* (id: string, counter: number) {
  const store = yield* Store
  const passkey = Option.getOrThrow(yield* store.read(Passkeys, { id }))
  yield* Effect.orDie(store.commit([update(Passkeys, passkey, { counter })]))
})

describe("the signature counter", () => {
  const verdicts = [
    [0, 0, "ok"],
    [0, 1, "ok"],
    [1, 2, "ok"],
    [1, 100, "ok"],
    [2 ** 32 - 2, 2 ** 32 - 1, "ok"],
    [1, 1, "invalid_passkey"],
    [1, 0, "invalid_passkey"],
    [100, 99, "invalid_passkey"],
    [2 ** 32 - 1, 0, "invalid_passkey"],
  ] as const
  for (const [before, now, verdict] of verdicts) {
    rule(`may${verdict === "ok" ? "" : " not"} go from ${before} to ${now}`, function* () {
      const { theirs, passkey_id } = yield* withPasskey()
      yield* stored(passkey_id, before)
      const their = browser()
      const response = theirs.forged(yield* answered(their, theirs), { data: counting(now) })
      const outcome = yield* atOnce([their.call(passkeyAuthenticateVerify, { response })])
      assert.deepStrictEqual(outcome, { [verdict]: 1 })
      const [{ counter } = assert.fail()] = yield* rows(Passkeys)
      assert.strictEqual(counter, verdict === "ok" ? now : before)
    })
  }

  rule("twenty concurrent responses with the same value: one signs in", function* () {
    const { theirs } = yield* withPasskey()
    const calls = []
    for (const _ of times(20, String)) {
      const their = browser()
      const response = theirs.forged(yield* answered(their, theirs), { data: counting(7) })
      calls.push(their.call(passkeyAuthenticateVerify, { response }))
    }
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_passkey: 19 })
    assert.lengthOf(yield* rows(Sessions), 2)
  })

  rule("accepts authenticators without a signature counter", function* () {
    const { theirs } = yield* withPasskey(email, { signCounterIncrement: 0 })
    const calls = []
    for (const _ of times(20, String)) {
      const their = browser()
      calls.push(their.call(passkeyAuthenticateVerify, { response: yield* answered(their, theirs) }))
    }
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 20 })
  })

  rule("twenty concurrent responses to one challenge: one is accepted", function* () {
    const { theirs } = yield* withPasskey()
    const their = browser()
    const options = yield* their.body(passkeyAuthenticateOptions)
    const answers = times(20, () => theirs.get(options))
    const tally = yield* atOnce(answers.map((response) => their.call(passkeyAuthenticateVerify, { response })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_passkey: 19 })
    assert.lengthOf(yield* rows(Sessions), 2)
  })
})

rule("a change of the backup state is stored at the next sign-in", function* () {
  const { theirs } = yield* withPasskey()
  for (const backed_up of [false, true]) {
    const their = browser()
    const answer = yield* answered(their, theirs)
    const response = backed_up ? answer : theirs.forged(answer, { data: flipping(flags.backedUp) })
    yield* their.body(passkeyAuthenticateVerify, { response })
    const { passkeys } = yield* their.body(endpoints.passkeyList)
    assert.strictEqual(passkeys[0]?.backed_up, backed_up)
  }
})

describe("before a session is issued", () => {
  rule("a ban refuses", function* () {
    const root = yield* signedUp("root@example.com")
    const { theirs, user } = yield* withPasskey()
    const their = browser()
    const response = yield* answered(their, theirs)
    yield* root.body(adminBanUser, { user_id: user.id })
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response }), "banned")
    assert.isFalse(yield* isSignedIn(their))
  })

  rule(
    "the address must be verified, where there is one",
    function* () {
      const { theirs, user } = yield* withPasskey()
      const their = browser()
      assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response: yield* answered(their, theirs) }), "invalid_passkey")

      const changed = Effect.fnUntraced(function* (changes: object) {
        const store = yield* Store
        const held = Option.getOrThrow(yield* store.read(Users, { id: user.id }))
        yield* Effect.orDie(store.commit([update(Users, held, changes)]))
      })
      yield* changed({ email_verified: true })
      yield* signedIn(theirs)
      yield* changed({ email_verified: false, email: "+15550100@phone.service" })
      yield* signedIn(theirs)
    },
    verifying,
  )

  const suspicious = Module.define({
    name: "suspicious",
    settings: Module.NoSettings,
    parts: () => ({
      challenge: Challenges.make({
        of: "single_factor",
        output: Schema.Struct({ asked: Schema.Literal("more"), ...Challenges.ChallengeFields }),
        ask: () => Effect.succeedSome({ asked: "more" as const }),
      }),
    }),
  }).build({})
  const guarded = [...modules, suspicious]

  rulesOf(guarded)("a passkey counts as two factors", function* () {
    const ada = yield* World.signedUp(email)
    const theirs = authenticator()
    yield* added(ada, theirs)
    const their = World.browser()
    yield* their.call(World.endpoints.signInEmail, { email, password: World.password })
    assert.isFalse(yield* isSignedIn(their))
    yield* their.body(passkeyAuthenticateVerify, { response: yield* answered(their, theirs) })
    assert.isTrue(yield* isSignedIn(their))
  })
})

rule("a passkey that is removed concurrently does not sign in", function* () {
  const { theirs, body, passkey_id } = yield* withPasskey()
  const their = browser()
  const response = yield* answered(their, theirs)
  const calls = [body(endpoints.passkeyDelete, { passkey_id }), their.call(passkeyAuthenticateVerify, { response })]
  const outcome = yield* atOnce(calls)
  assert.strictEqual((outcome["ok"] ?? 0) + (outcome["invalid_passkey"] ?? 0), 2, JSON.stringify(outcome))
  assert.strictEqual(yield* isSignedIn(their), outcome["ok"] === 2)
  assert.lengthOf(yield* rows(Passkeys), 0)
})
