import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { layerMemory } from "../../../domain/limits/rate-limits.ts"
import * as everything from "../../everything.ts"
import { rulesOf } from "../../rule.ts"
import {
  atOnce,
  browser,
  endpoints as core,
  emails,
  emptyJar,
  password,
  signedUp,
  texts,
  times,
  withSettings,
  withVerified,
} from "../../world.ts"

// Messages to addresses and numbers that a caller chooses.

const all: Readonly<Record<string, AnyEndpoint>> = Object.assign({}, ...everything.modules.map(({ endpoints }) => endpoints))
const endpointOf = (name: string) => all[name] ?? assert.fail(`no endpoint ${name}`)
const [sendSms, sendCode, signInPhone] = [endpointOf("phoneSendOtp"), endpointOf("emailOtpSend"), endpointOf("signInPhone")]
const rule = rulesOf(everything.modules)

const budgets = (rate_limit: object) => ({ rate_limit: { enabled: true, ...rate_limit } })
const few = (limit: number, window = 3600) => ({ limit, window })

const us = (index: number) => `+1212555${String(index).padStart(4, "0")}`
const german = (index: number) => `+49301234${String(index).padStart(3, "0")}`
const address = (index: number) => `visitor${index}@example.com`

/** A browser in another network for each index. */
const elsewhere = (index: number) => from(`198.51.${index}.7`)
const from = (ip_address: string) => browser(undefined, { ...emptyJar(), ip_address })
const sms = (phone: string, their = browser()) => their.call(sendSms, { phone })
const code = (email: string, their = browser()) => their.call(sendCode, { email })

const recipients = Effect.map(texts, (sent) => sent.map(({ to }) => to))
const inTurn = <E extends { readonly _tag: string }, R>(calls: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
  Effect.forEach(calls, (call) => Effect.map(atOnce([call]), (tally) => Object.keys(tally)[0]))

/** A browser whose user signed in with this number from it. */
const withNumber = Effect.fnUntraced(function* (phone: string, their: ReturnType<typeof browser> = browser()) {
  yield* sms(phone, their)
  const message = (yield* texts).findLast(({ to }) => to === phone)
  yield* their.call(signInPhone, { phone, otp: /\b\d{6}\b/.exec(message?.text ?? "")?.[0] ?? "" })
  return their
})

describe("the short messages of one client network", () => {
  rule(
    "are sent up to the budget, and refused until its window ends",
    function* () {
      assert.deepStrictEqual(yield* inTurn(times(4, (index) => sms(us(index)))), ["ok", "ok", "ok", "rate_limited"])
      const refusal = yield* Effect.flip(sms(us(4)))
      assert.deepStrictEqual([refusal._tag, refusal.status, refusal.retryAfter], ["rate_limited", 429, 3600])
      assert.lengthOf(yield* texts, 3)
      yield* TestClock.adjust("3599 seconds")
      assert.strictEqual((yield* Effect.flip(sms(us(4)))).retryAfter, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* inTurn(times(4, (index) => sms(us(index)))), ["ok", "ok", "ok", "rate_limited"])
      assert.lengthOf(yield* texts, 6)
    },
    budgets({ sms: few(3) }),
  )

  rule(
    "are counted one by one, also of thirty at once",
    function* () {
      assert.deepStrictEqual(yield* atOnce(times(30, (index) => sms(us(index)))), { ok: 10, rate_limited: 20 })
      assert.lengthOf(yield* texts, 10)
    },
    budgets({ sms: few(10) }),
  )

  rule(
    "are counted one by one in the memory of a process, too",
    function* () {
      const thirty = atOnce(times(30, (index) => sms(us(index))))
      const inMemory = Layer.provide(RateLimiter.layer, layerMemory)
      assert.deepStrictEqual(yield* Effect.provide(thirty, inMemory), { ok: 10, rate_limited: 20 })
      assert.lengthOf(yield* texts, 10)
    },
    budgets({ sms: few(10) }),
  )

  rule(
    "share no budget with another network; an IPv6 /64 is one",
    function* () {
      const calls = ["198.51.100.7", "198.51.100.8", "2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:3::1"]
      const outcomes = yield* inTurn(calls.map((ip_address, index) => sms(us(index), from(ip_address))))
      assert.deepStrictEqual(outcomes, ["ok", "ok", "ok", "rate_limited", "ok"])
    },
    budgets({ sms: few(1) }),
  )

  rule(
    "are refused for known and unknown numbers alike, and before the number is counted",
    function* () {
      yield* withNumber(us(0), elsewhere(1))
      yield* sms(german(0))
      const refusals = yield* Effect.forEach([us(0), us(1), ...times(9, () => german(1))], (phone) => Effect.flip(sms(phone)))
      assert.strictEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1)
      yield* sms(german(1), elsewhere(2))
    },
    budgets({ sms: few(1) }),
  )

  rule(
    "do not lock out users in a browser in which they signed in before",
    function* () {
      const ada = yield* withNumber(us(0))
      assert.deepStrictEqual(yield* inTurn([sms(us(1)), sms(us(0))]), ["rate_limited", "rate_limited"])
      yield* sms(us(0), ada)
      ada.jar.credential = null
      yield* sms(us(0), ada)
      assert.deepStrictEqual(yield* inTurn([sms(us(1), ada)]), ["rate_limited"])
      ada.jar.cookies = {}
      assert.deepStrictEqual(yield* inTurn([sms(us(0), ada)]), ["rate_limited"])
    },
    budgets({ sms: few(1) }),
  )

  rule(
    "are not limited while budgets are off",
    function* () {
      assert.deepStrictEqual(yield* atOnce(times(8, (index) => sms(us(index)))), { ok: 8 })
      assert.lengthOf(yield* texts, 8)
    },
    { rate_limit: { enabled: false, sms: few(1), sms_country: few(1), sms_total: few(1) } },
  )

  rule(
    "are sent while the counters cannot be reached",
    function* () {
      const unreachable = RateLimiter.RateLimiter.of({ consume: () => Effect.die(new Error("no answer")) } as never)
      yield* Effect.provideService(sms(us(0)), RateLimiter.RateLimiter, unreachable)
      assert.deepStrictEqual(yield* recipients, [us(0)])
    },
    budgets({ sms: few(1) }),
  )
})

describe("the short messages of the whole service", () => {
  rule(
    "to unknown numbers of one country are discarded beyond the budget, in any network, with the answer of a success",
    function* () {
      const sent = times(5, (index) => sms(us(index), elsewhere(index)))
      const replies = yield* Effect.all([...sent, sms(german(0), elsewhere(9))])
      assert.strictEqual(new Set(replies.map((reply) => JSON.stringify(reply))).size, 1)
      assert.deepStrictEqual(yield* recipients, [us(0), us(1), us(2), german(0)])
      yield* TestClock.adjust("3600 seconds")
      yield* sms(us(4), elsewhere(4))
      assert.deepStrictEqual((yield* recipients).slice(4), [us(4)])
    },
    budgets({ sms_country: few(3) }),
  )

  rule(
    "count countries that share a calling code separately",
    function* () {
      for (const phone of ["+12125550100", "+18765551234", "+14165550100", "+12125550101"]) yield* sms(phone)
      assert.deepStrictEqual(yield* recipients, ["+12125550100", "+18765551234", "+14165550100"])
    },
    budgets({ sms_country: few(1) }),
  )

  rule(
    "to unknown numbers of all countries have a budget, which refused ones do not use up",
    function* () {
      yield* Effect.forEach(times(6, us), (phone) => sms(phone))
      yield* Effect.forEach(times(3, german), (phone) => sms(phone))
      assert.deepStrictEqual(yield* recipients, [us(0), us(1), german(0)])
    },
    budgets({ sms_country: few(2), sms_total: few(3) }),
  )

  rule(
    "are counted one by one, also of thirty at once",
    function* () {
      assert.deepStrictEqual(yield* atOnce(times(30, (index) => sms(us(index), elsewhere(index)))), { ok: 30 })
      assert.lengthOf(yield* texts, 10)
    },
    budgets({ sms_total: few(10) }),
  )

  rule(
    "still reach numbers with an account, which have a budget of the same size",
    function* () {
      yield* withNumber(us(0), elsewhere(1))
      yield* Effect.forEach(
        times(4, (index) => us(index + 1)),
        (phone) => sms(phone),
      )
      for (const index of times(3, (index) => index)) yield* sms(us(0), elsewhere(index))
      assert.deepStrictEqual((yield* recipients).slice(1), [us(1), us(0), us(0)])
    },
    budgets({ sms_country: few(2) }),
  )
})

describe("a request for a short message", () => {
  rule(
    "counts as often for known, unknown and refused numbers, so that its time does not reveal which one it was",
    function* () {
      yield* withNumber(us(0), elsewhere(1))
      let consumed = 0
      const counting = Effect.map(RateLimiter.RateLimiter, (inner) => ({
        ...inner,
        consume: (options: Parameters<typeof inner.consume>[0]) => {
          consumed += 1
          return inner.consume(options)
        },
      }))
      const counts = yield* Effect.forEach([us(1), us(0), german(0), german(1)], (phone, index) => {
        consumed = 0
        return Effect.provideServiceEffect(sms(phone, elsewhere(index)), RateLimiter.RateLimiter, counting).pipe(Effect.map(() => consumed))
      })
      assert.deepStrictEqual(counts, Array(4).fill(4))
      assert.deepStrictEqual((yield* recipients).slice(1), [us(0), german(0)])
    },
    budgets({ sms_country: few(1), sms_total: few(2) }),
  )
})

describe("requested mails", () => {
  rule(
    "of one client network are sent up to the budget, and refused until its window ends, for known and unknown addresses alike",
    function* () {
      const ada = yield* signedUp("ada@example.com")
      yield* withVerified(ada.user.id)
      assert.deepStrictEqual(yield* inTurn(times(4, (index) => code(address(index)))), ["ok", "ok", "ok", "rate_limited"])
      const refusals = yield* Effect.forEach(["ada@example.com", address(9)], (email) => Effect.flip(code(email)))
      assert.strictEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1)
      assert.strictEqual(refusals[0]?.retryAfter, 3600)
      yield* code("ada@example.com", ada)
      yield* code(address(9), elsewhere(1))
      yield* TestClock.adjust("3600 seconds")
      assert.deepStrictEqual(yield* atOnce(times(30, (index) => code(address(index)))), { ok: 3, rate_limited: 27 })
    },
    budgets({ mail: few(3) }),
  )

  rule(
    "of an account with an unverified address count for its network: an attacker can register any address",
    function* () {
      const mallory = yield* signedUp("victim@example.com")
      yield* code("victim@example.com", mallory)
      assert.deepStrictEqual(yield* inTurn([code("victim@example.com", mallory)]), ["rate_limited"])
    },
    budgets({ mail: few(1) }),
  )

  rule(
    "of the whole service to unknown and unverified addresses are discarded beyond the budget; verified ones have their own",
    function* () {
      const ada = yield* signedUp("ada@example.com")
      yield* withVerified(ada.user.id)
      yield* signedUp("bob@example.com")
      yield* Effect.forEach(times(4, address), (email, index) => code(email, elsewhere(index)))
      yield* code("bob@example.com")
      yield* code("ada@example.com")
      yield* browser().call(core.requestPasswordReset, { email: "unknown@example.com" })
      assert.deepStrictEqual(
        (yield* emails).map(({ to }) => to),
        [address(0), address(1), "ada@example.com"],
      )
    },
    budgets({ mail_total: few(2) }),
  )
})

const required = { email_password: { enabled: true, require_email_verification: true } }
const uncounted = { ...required, rate_limit: { enabled: false } }
const counted = { ...required, ...budgets({ mail: few(1), sms: few(1) }) }

/** Two calls of an endpoint, for two recipients that the caller chooses. */
interface Attempt {
  readonly name: string
  /** Makes recipients and the caller's network different from those of other attempts. */
  readonly number: number
  readonly isSignedIn: boolean
  /** Whether the chosen addresses have users. */
  readonly isRegistered: boolean
}

const chosenEmail = ({ number }: Attempt, index: number) => `chosen-${number}-${index}@example.com`
const chosenPhone = ({ number }: Attempt, index: number) => `+1212${String(5_550_000 + 2 * number + index)}`

/** Members for the inputs of all endpoints; an endpoint ignores those that it does not declare. */
const inputOf = (attempt: Attempt, index: number, organization_id: string) => ({
  email: chosenEmail(attempt, index),
  new_email: chosenEmail(attempt, index),
  phone: chosenPhone(attempt, index),
  password,
  current_password: password,
  name: "Mallory",
  token: "token",
  otp: "000000",
  organization_id,
  role: "member",
})

/** The caller, whom no budget counted so far, and the users who have the chosen addresses. */
const prepared = Effect.fnUntraced(function* (attempt: Attempt) {
  const { number, isSignedIn, isRegistered } = attempt
  if (isRegistered) yield* Effect.forEach([0, 1], (index) => signedUp(chosenEmail(attempt, index)), { discard: true })
  const their = from(`10.${number >> 8}.${number % 256}.7`)
  if (!isSignedIn) return { their, organization_id: "" }
  const { user } = yield* their.body(core.signUpEmail, { email: `mallory-${number}@example.com`, password })
  yield* withVerified(user.id)
  yield* their.body(core.signInEmail, { email: user.email, password })
  const organization = { name: "Mallory", slug: `mallory-${number}` }
  const created: { organization: { id: string } } = yield* their.body(endpointOf("organizationCreate"), organization)
  return { their, organization_id: created.organization.id }
}, withSettings(uncounted))

/** How many messages the two recipients got, and the codes of the answers. */
const outcomeOf = Effect.fnUntraced(function* (attempt: Attempt) {
  const chosen = [0, 1].flatMap((index) => [chosenEmail(attempt, index), chosenPhone(attempt, index)])
  const received = Effect.map(Effect.all([emails, texts]), (sent) => sent.flat().filter(({ to }) => chosen.includes(to)).length)
  const { their, organization_id } = yield* prepared(attempt)
  const earlier = yield* received
  const codes = yield* Effect.forEach([0, 1], (index) =>
    their.call(endpointOf(attempt.name), inputOf(attempt, index, organization_id)).pipe(
      Effect.match({ onSuccess: () => "ok", onFailure: ({ _tag }): string => _tag }),
      Effect.catchDefect(() => Effect.succeed("defect")),
    ),
  )
  return { sent: (yield* received) - earlier, codes }
})

describe("every endpoint that sends messages to recipients that its caller chooses", () => {
  const names = Object.keys(all)
  for (const isSignedIn of [true, false])
    for (const isRegistered of [true, false])
      rule(
        `counts them for the network of ${isSignedIn ? "a signed-in" : "an anonymous"} caller, to ${isRegistered ? "users" : "others"}`,
        function* () {
          let number = 0
          const attemptAt = (name: string): Attempt => ({ name, number: number++, isSignedIn, isRegistered })
          const uses = yield* Effect.forEach(names, (name) => Effect.map(outcomeOf(attemptAt(name)), ({ sent }) => ({ name, sent })))
          const senders = uses.filter(({ sent }) => sent === 2)
          assert.isAtLeast(senders.length, 3, senders.join())
          for (const { name } of senders) {
            const { sent, codes } = yield* withSettings(counted)(outcomeOf(attemptAt(name)))
            assert.deepStrictEqual({ name, sent, codes }, { name, sent: 1, codes: ["ok", "rate_limited"] })
          }
        },
        uncounted,
      )
})
