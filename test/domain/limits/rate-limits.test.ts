import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { Overloaded } from "../../../domain/errors.ts"
import { countRequest } from "../../../domain/limits/limits.ts"
import { layerMemory, layerMemoryOf, layerStore } from "../../../domain/limits/rate-limits.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Store } from "../../../domain/ports/store.ts"
import { rule } from "../../rule.ts"
import { atOnce, browser, endpoints, password, signedIn, signedUp, times, type WorldServices } from "../../world.ts"

const { signInEmail, requestPasswordReset, sendVerificationEmail, changeEmail } = endpoints
const email = "ada@example.com"
const on = { rate_limit: { enabled: true } }
const onVerifying = { ...on, email_password: { enabled: true, require_email_verification: true } }

const wrong = (address = email) => browser().call(signInEmail, { email: address, password: "a wrong password" })
const one = <E extends { readonly _tag: string }, R>(call: Effect.Effect<unknown, E, R>) =>
  Effect.map(atOnce([call]), (tally) => Object.keys(tally)[0])
const inTurn = <E extends { readonly _tag: string }, R>(calls: ReadonlyArray<Effect.Effect<unknown, E, R>>) => Effect.all(calls.map(one))
const tenFailures = Effect.map(inTurn(times(10, () => wrong())), (codes) =>
  assert.deepStrictEqual(codes, Array(10).fill("invalid_credentials")),
)

describe("failed sign-ins", () => {
  rule(
    "are checked ten times, and refused from the eleventh on, also with the right password",
    function* () {
      yield* signedUp(email)
      yield* tenFailures
      const refusal = yield* Effect.flip(wrong())
      assert.deepStrictEqual([refusal._tag, refusal.status, refusal.retryAfter], ["rate_limited", 429, 300])
      assert.strictEqual(yield* one(signedIn(email)), "rate_limited")
    },
    on,
  )

  rule(
    "are refused from the eleventh on, also of fifty at once",
    function* () {
      yield* signedUp(email)
      assert.deepStrictEqual(yield* atOnce(times(50, () => wrong())), { invalid_credentials: 10, rate_limited: 40 })
    },
    on,
  )

  rule(
    "are counted alike for an unknown address",
    function* () {
      assert.deepStrictEqual(yield* atOnce(times(12, () => wrong("unknown@example.com"))), { invalid_credentials: 10, rate_limited: 2 })
    },
    on,
  )

  rule(
    "are counted for each address separately, in any spelling",
    function* () {
      yield* signedUp("bob@example.com")
      yield* tenFailures
      assert.strictEqual(yield* one(wrong(" ADA@Example.com ")), "rate_limited")
      yield* signedIn("bob@example.com")
    },
    on,
  )

  rule(
    "are forgotten when the window ends",
    function* () {
      yield* signedUp(email)
      yield* tenFailures
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual((yield* Effect.flip(wrong())).retryAfter, 1)
      yield* TestClock.adjust("1 second")
      yield* tenFailures
      assert.strictEqual(yield* one(signedIn(email)), "rate_limited")
    },
    on,
  )

  rule(
    "follow the settings",
    function* () {
      assert.deepStrictEqual(yield* inTurn(times(3, () => wrong())), ["invalid_credentials", "invalid_credentials", "rate_limited"])
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* one(wrong()), "invalid_credentials")
    },
    { rate_limit: { enabled: true, sign_in: { limit: 2, window: 10 } } },
  )

  rule("are not counted where limits are disabled", function* () {
    assert.deepStrictEqual(yield* inTurn(times(20, () => wrong())), Array(20).fill("invalid_credentials"))
  })
})

describe("successful sign-ins", () => {
  rule(
    "do not use up the budget",
    function* () {
      yield* signedUp(email)
      for (const _ of times(25, String)) yield* signedIn(email)
      yield* inTurn(times(9, () => wrong()))
      for (const _ of times(5, String)) yield* signedIn(email)
      assert.deepStrictEqual(yield* inTurn([wrong(), wrong()]), ["invalid_credentials", "rate_limited"])
    },
    on,
  )

  rule(
    "give their tokens back, also when they are concurrent",
    function* () {
      yield* signedUp(email)
      assert.deepStrictEqual(yield* atOnce(times(10, () => signedIn(email))), { ok: 10 })
      yield* tenFailures
    },
    on,
  )

  rule(
    "give back no more than they took, also when their window has ended meanwhile",
    function* () {
      yield* signedUp(email)
      const slow = PasswordHasher.of({
        hash: () => Effect.succeed("none"),
        verify: () => Effect.as(TestClock.adjust("1 hour"), { correct: true, outdated: false }),
      })
      yield* Effect.provideService(signedIn(email), PasswordHasher, slow)
      yield* tenFailures
      assert.strictEqual(yield* one(wrong()), "rate_limited")
    },
    on,
  )
})

rule(
  "a sign-in that fails with overloaded is not counted",
  function* () {
    yield* signedUp(email)
    const busy = PasswordHasher.of({ hash: () => Effect.fail(new Overloaded()), verify: () => Effect.fail(new Overloaded()) })
    const codes = yield* Effect.provideService(inTurn(times(15, () => wrong())), PasswordHasher, busy)
    assert.deepStrictEqual(codes, Array(15).fill("overloaded"))
    yield* tenFailures
  },
  on,
)

rule(
  "a sign-in that fails with a defect is not counted",
  function* () {
    yield* signedUp(email)
    const broken = PasswordHasher.of({ hash: () => Effect.die("broken"), verify: () => Effect.die("broken") })
    yield* Effect.provideService(
      Effect.forEach(times(15, String), () => Effect.exit(wrong())),
      PasswordHasher,
      broken,
    )
    yield* tenFailures
  },
  on,
)

describe("requests", () => {
  const limits = { rate_limit: { enabled: true, requests: { limit: 3, window: 60 }, session_requests: { limit: 5, window: 60 } } }
  const from = (credential: string | null, client?: string) => countRequest({ credential, ip_address: "203.0.113.1" }, client)

  rule(
    "count on their session, fifty at once as well, and not on the address",
    function* () {
      const { credential } = (yield* signedUp(email)).jar
      assert.deepStrictEqual(yield* atOnce(times(50, () => from(credential))), { ok: 5, rate_limited: 45 })
      assert.deepStrictEqual(yield* atOnce(times(10, () => from(null))), { ok: 3, rate_limited: 7 })
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* Effect.flip(from(credential))).retryAfter, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* one(from(credential)), "ok")
    },
    limits,
  )

  rule(
    "with an invented session count on the address",
    function* () {
      const invented = times(10, (index) => from(`token${index}.${"A".repeat(43)}`))
      assert.deepStrictEqual(yield* atOnce(invented), { ok: 3, rate_limited: 7 })
    },
    limits,
  )

  rule(
    "of an authenticated client count on the client, 1,200 a minute",
    function* () {
      const { credential } = (yield* signedUp(email)).jar
      assert.strictEqual((yield* from(credential, "wiki"))?.limit, 1200)
    },
    limits,
  )
})

describe("messages", () => {
  rule(
    "are sent to an address five times in ten minutes for one purpose, by all callers together",
    function* () {
      yield* signedUp(email)
      const reset = browser().call(requestPasswordReset, { email })
      const otherwise = browser().call(requestPasswordReset, { email: " ADA@example.com" })
      assert.deepStrictEqual(yield* inTurn([reset, reset, reset, otherwise, otherwise]), Array(5).fill("ok"))
      assert.deepStrictEqual(yield* inTurn([otherwise, reset]), ["rate_limited", "rate_limited"])
      assert.strictEqual((yield* Effect.flip(reset)).retryAfter, 600)

      yield* TestClock.adjust("599 seconds")
      assert.strictEqual(yield* one(reset), "rate_limited")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* one(reset), "ok")
    },
    on,
  )

  rule(
    "are refused from the sixth on when twenty are requested at once, also for an unknown address",
    function* () {
      yield* signedUp(email)
      for (const address of [email, "unknown@example.com"]) {
        const tally = yield* atOnce(times(20, () => browser().call(requestPasswordReset, { email: address })))
        assert.deepStrictEqual(tally, { ok: 5, rate_limited: 15 })
      }
    },
    on,
  )

  rule(
    "are counted, including the one that a sign-up sends",
    function* () {
      yield* signedUp(email)
      const codes = yield* inTurn(times(5, () => browser().call(sendVerificationEmail, { email })))
      assert.deepStrictEqual(codes, [...Array(4).fill("ok"), "rate_limited"])
    },
    onVerifying,
  )

  rule(
    "are counted for the new address that has to be confirmed",
    function* () {
      const all = yield* Effect.all(times(6, (index) => signedUp(`${index}@example.com`)))
      const codes = yield* inTurn(all.map((their) => their.call(changeEmail, { new_email: email })))
      assert.deepStrictEqual(codes, [...Array(5).fill("ok"), "rate_limited"])
    },
    onVerifying,
  )
})

describe("when the counters cannot be reached", () => {
  const broken = (answer: Effect.Effect<never, RateLimiter.RateLimiterError>) =>
    // Built anew: otherwise the limiter of the test world would be used.
    Layer.fresh(RateLimiter.layer).pipe(
      Layer.provide(
        Layer.succeed(RateLimiter.RateLimiterStore, {
          fixedWindow: () => answer,
          tokenBucket: () => answer,
          adaptiveConsume: () => answer,
          adaptiveFeedback: () => answer,
        }),
      ),
    )
  const failure = new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: "down" }) })

  for (const [how, answer] of [
    ["fail", Effect.fail(failure)],
    ["die", Effect.die(new Error("down"))],
  ] as const) {
    rule(
      `no caller is refused: they ${how}`,
      function* () {
        yield* signedUp(email)
        const away = Effect.provide(broken(answer))
        assert.deepStrictEqual(yield* away(inTurn(times(15, () => wrong()))), Array(15).fill("invalid_credentials"))
        assert.strictEqual(yield* away(one(signedIn(email, password))), "ok")
        assert.deepStrictEqual(yield* away(inTurn(times(7, () => browser().call(requestPasswordReset, { email })))), Array(7).fill("ok"))
      },
      on,
    )
  }
})

describe("the counters in the Store and in the process", () => {
  const limit = 5
  const consumed = { limit, refillRate: Duration.seconds(2) }
  const step = fc.record({
    key: fc.constantFrom("a", "b"),
    pass: fc.constantFrom(0, 0, 1, 500, 1999, 2000, 2001, 7000, 60_000),
    tokens: fc.integer({ min: -2, max: 4 }),
    verb: fc.constantFrom("fixedWindow", "unlimitedWindow", "tokenBucket", "overflowingBucket"),
  })
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  const ask = (store: RateLimiter.RateLimiterStore["Service"], { verb, tokens }: Step, key: string) => {
    const options = { ...consumed, key: `${verb} ${key}`, tokens }
    if (verb === "fixedWindow") return store.fixedWindow(options)
    if (verb === "unlimitedWindow") return store.fixedWindow({ ...options, limit: undefined })
    return store.tokenBucket({ ...options, allowOverflow: verb === "overflowingBucket" })
  }

  rule("count like those of the package effect", function* () {
    const context = yield* Effect.context<WorldServices>()
    let run = 0
    const compare = (steps: ReadonlyArray<Step>) =>
      Effect.gen(function* () {
        run += 1
        const theirs = yield* built(RateLimiter.layerStoreMemory)
        const ours = [yield* built(layerStore), yield* built(layerMemory)]
        for (const step of steps) {
          yield* TestClock.adjust(step.pass)
          const key = `${run} ${step.key}`
          const expected = yield* ask(theirs, step, key)
          for (const each of ours) assert.deepStrictEqual(yield* ask(each, step, key), expected)
        }
      })
    const built = <R>(layer: Layer.Layer<RateLimiter.RateLimiterStore, never, R>) => Effect.provide(RateLimiter.RateLimiterStore, layer)
    const sameForAll = fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) => Effect.runPromiseWith(context)(compare(steps)))
    yield* Effect.promise(() => fc.assert(sameForAll, { numRuns: 60 }))
  })

  rule("an attacker with many addresses cannot fill the memory: the least recently used counter is removed", function* () {
    const store = yield* Effect.provide(RateLimiter.RateLimiterStore, layerMemoryOf(3))
    const count = (key: string) =>
      Effect.map(store.fixedWindow({ key, tokens: 1, limit: 10, refillRate: Duration.seconds(60) }), ([tries]) => tries)
    for (const key of ["a", "b", "a", "c", "d"]) yield* count(key)
    assert.deepStrictEqual([yield* count("a"), yield* count("d"), yield* count("c"), yield* count("b")], [3, 2, 2, 1])
    for (let index = 0; index < 1000; index++) yield* count(`attacker ${index}`)
    assert.strictEqual(yield* count("a"), 1)
  })

  rule(
    "are swept when they have expired",
    function* () {
      yield* tenFailures
      yield* TestClock.adjust("300 seconds")
      assert.isAtLeast(yield* (yield* Store).sweep(DateTime.toDateUtc(yield* DateTime.now), 100), 1)
    },
    on,
  )
})
