import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { EmailCodes, emailOtp } from "../../../application/modules/email_otp/index.ts"
import { PhoneCodes, phone } from "../../../application/modules/phone/index.ts"
import type { Endpoint } from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { Forbidden } from "../../../domain/errors.ts"
import type { CodeTable } from "../../../domain/limits/codes.ts"
import { CodeSettings, newCode } from "../../../domain/limits/codes.ts"
import { put, Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { User } from "../../../domain/users/user.ts"
import { rulesOf } from "../../rule.ts"
import { atOnce, browser, core, emails, isSignedIn, rows, texts, times, type WorldServices } from "../../world.ts"

// The rules of one-time codes, for every channel.

const defaults = Schema.decodeSync(CodeSettings)({})
type Settings = Partial<CodeSettings>

/** A channel for codes, under some settings. */
interface Channel {
  readonly module: Module.AnyModule
  readonly codes: CodeTable
  readonly recipient: string
  readonly other: string
  /** The input that names the recipient. */
  readonly of: (recipient: string) => Record<string, string>
  readonly send: Endpoint<any, { readonly success: true }, any>
  readonly signIn: Endpoint<any, { readonly user: User }, any>
  /** The texts of all messages. */
  readonly sent: Effect.Effect<ReadonlyArray<string>, never, WorldServices>
}

const byMail = (settings: Settings): Channel => {
  const module = emailOtp.build({ ...defaults, ...settings })
  const { emailOtpSend: send, signInEmailOtp: signIn } = module.endpoints
  const sent = Effect.map(emails, (all) => all.map(({ text }) => text))
  const of = (email: string) => ({ email })
  return { module, codes: EmailCodes, recipient: "ada@example.com", other: "bob@example.com", of, send, signIn, sent }
}

const byPhone = (settings: Settings): Channel => {
  const module = phone.build({ ...defaults, ...settings })
  const { phoneSendOtp: send, signInPhone: signIn } = module.endpoints
  const sent = Effect.map(texts, (all) => all.map(({ text }) => text))
  const of = (phone: string) => ({ phone })
  return { module, codes: PhoneCodes, recipient: "+15550100", other: "+15550199", of, send, signIn, sent }
}

/** A wrong code of the same length. */
const wrong = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, "0")

/** The channel under test. */
const using = (channel: Channel, further: ReadonlyArray<Module.AnyModule> = []) => {
  const modules = [...core, channel.module, ...further]
  const visitor = () => browser()
  const ask = (recipient = channel.recipient) => visitor().body(channel.send, channel.of(recipient))
  const asked = Effect.fnUntraced(function* (recipient = channel.recipient) {
    yield* ask(recipient)
    const codes = (yield* channel.sent).flatMap((text) => /\b\d{4,10}\b/.exec(text)?.[0] ?? [])
    return Option.getOrThrow(Option.fromUndefinedOr(codes.at(-1)))
  })
  const typed = (otp: unknown, recipient = channel.recipient) => ({ ...channel.of(recipient), otp })
  const enter = (otp: unknown, recipient?: string, their = visitor()) => their.call(channel.signIn, typed(otp, recipient))
  const refused = (otp: unknown, recipient?: string) => visitor().code(channel.signIn, typed(otp, recipient))
  return { ...channel, rule: rulesOf(modules), visitor, ask, asked, enter, refused }
}

/** A gate that refuses every user. */
const closed = Module.define({
  name: "closed",
  settings: Module.NoSettings,
  parts: () => ({ gates: [() => Effect.fail(new Forbidden())], gateErrors: [Forbidden] }),
}).build({})

const limited = (budgets: Record<string, unknown>) => ({ rate_limit: { enabled: true, ...budgets } })

describe.each([
  ["email", byMail],
  ["phone", byPhone],
] as const)("a code sent by %s", (_, channelOf) => {
  const { rule, recipient, other, codes, sent, visitor, ask, asked, enter, refused } = using(channelOf({}))

  rule("signs in once", function* () {
    const code = yield* asked()
    assert.match(code, /^\d{6}$/)
    const their = visitor()
    yield* enter(code, recipient, their)
    assert.isTrue(yield* isSignedIn(their))
    assert.lengthOf(yield* rows(codes), 0)
    assert.strictEqual(yield* refused(code), "invalid_otp")
  })

  rule("is stored only as an HMAC that is bound to its recipient", function* () {
    const code = yield* asked()
    const [row, ...more] = yield* rows(codes)
    assert.lengthOf(more, 0)
    assert.match(row?.hash ?? "", /^[\w-]{43}$/)
    assert.deepStrictEqual([row?.recipient, row?.attempts], [recipient, 0])
    yield* (yield* Store).commit([put(codes, { ...row!, recipient: other })])
    assert.strictEqual(yield* refused(code, other), "invalid_otp")
    yield* enter(code)
  })

  rule("is valid for 299 seconds, and not for 300", function* () {
    const timely = yield* asked()
    yield* TestClock.adjust("299 seconds")
    yield* enter(timely)
    const late = yield* asked()
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* refused(late), "invalid_otp")
  })

  rule("is removed after its lifetime", function* () {
    yield* ask()
    const { sweep } = yield* Store
    const at = (seconds: number) => DateTime.toDateUtc(DateTime.add(DateTime.makeUnsafe(0), { seconds }))
    assert.strictEqual(yield* sweep(at(299), 10), 0)
    assert.strictEqual(yield* sweep(at(300), 10), 1)
  })

  rule("survives two wrong guesses", function* () {
    const code = yield* asked()
    for (const guess of [wrong(code), ""]) assert.strictEqual(yield* refused(guess), "invalid_otp")
    yield* enter(code)
  })

  rule("is invalid after the third wrong guess", function* () {
    const code = yield* asked()
    for (const guess of [wrong(code), `${code} `, `${code}0`]) assert.strictEqual(yield* refused(guess), "invalid_otp")
    assert.lengthOf(yield* rows(codes), 0)
    assert.strictEqual(yield* refused(code), "invalid_otp")
  })

  rule("replaces the previous one and allows the full number of guesses again", function* () {
    const first = yield* asked()
    for (const guess of times(2, () => wrong(first))) yield* refused(guess)
    yield* TestClock.adjust("200 seconds")
    let second = yield* asked()
    while (second === first) second = yield* asked()
    yield* TestClock.adjust("200 seconds")
    for (const guess of [first, wrong(second)]) assert.strictEqual(yield* refused(guess), "invalid_otp")
    yield* enter(second)
  })

  rule("is invalid where none was sent, and for other recipients", function* () {
    assert.strictEqual(yield* refused("000000"), "invalid_otp")
    assert.strictEqual(yield* refused(yield* asked(), other), "invalid_otp")
  })

  rule("must be present and text", function* () {
    const code = yield* asked()
    for (const otp of [undefined, null, Number(code), [code], { code }])
      assert.strictEqual(yield* refused(otp), "invalid_request", JSON.stringify(otp))
    assert.deepStrictEqual(
      (yield* rows(codes)).map(({ attempts }) => attempts),
      [0],
    )
  })

  rule("twenty concurrent uses make one session", function* () {
    const code = yield* asked()
    assert.deepStrictEqual(yield* atOnce(times(20, () => enter(code))), { ok: 1, invalid_otp: 19 })
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("concurrent uses make one session of an existing user, too", function* () {
    yield* enter(yield* asked())
    const code = yield* asked()
    assert.deepStrictEqual(yield* atOnce(times(20, () => enter(code))), { ok: 1, invalid_otp: 19 })
    assert.lengthOf(yield* rows(Sessions), 2)
  })

  rule("counts each of two concurrent wrong guesses", function* () {
    const code = yield* asked()
    yield* atOnce(times(2, () => enter(wrong(code))))
    assert.deepStrictEqual(
      (yield* rows(codes)).map(({ attempts }) => attempts),
      [2],
    )
  })

  rule("never signs in after a hundred concurrent wrong guesses", function* () {
    const code = yield* asked()
    assert.deepStrictEqual(yield* atOnce(times(100, () => enter(wrong(code)))), { invalid_otp: 100 })
    assert.strictEqual(yield* refused(code), "invalid_otp")
    assert.lengthOf(yield* rows(Users), 0)
  })

  rule("concurrent requests leave one valid code", function* () {
    assert.deepStrictEqual(yield* atOnce(times(10, () => ask())), { ok: 10 })
    assert.lengthOf(yield* rows(codes), 1)
    assert.lengthOf(yield* sent, 10)
  })

  rule("may begin with zeros", function* () {
    const made = yield* Effect.forEach(times(400, String), () => newCode(codes, recipient, { ...defaults, length: 4 }))
    assert.isTrue(made.every(({ code }) => /^\d{4}$/.test(code)))
    for (const digit of times(10, String))
      assert.isTrue(
        made.some(({ code }) => code.startsWith(digit)),
        digit,
      )
  })

  rule(
    "has a limit of guesses, however many codes are sent",
    function* () {
      for (const guesses of times(2, () => 2)) {
        const code = yield* asked()
        for (const guess of times(guesses, () => wrong(code))) assert.strictEqual(yield* refused(guess), "invalid_otp")
      }
      const code = yield* asked()
      assert.strictEqual(yield* refused(code), "rate_limited")
      yield* enter(yield* asked(other), other)
      yield* TestClock.adjust("300 seconds")
      yield* enter(yield* asked())
    },
    limited({ sign_in: { limit: 4, window: 300 } }),
  )

  rule(
    "does not count a right code as a failure",
    function* () {
      for (const _ of times(4, String)) yield* enter(yield* asked())
    },
    limited({ sign_in: { limit: 2, window: 300 } }),
  )

  rule(
    "has a limit of messages to one recipient",
    function* () {
      for (const _ of times(2, String)) yield* ask()
      assert.strictEqual((yield* Effect.flip(ask()))._tag, "rate_limited")
      yield* ask(other)
      assert.lengthOf(yield* sent, 3)
    },
    limited({ messages: { limit: 2, window: 600 } }),
  )
})

describe.each([
  ["email", byMail],
  ["phone", byPhone],
] as const)("configured codes sent by %s", (_, channelOf) => {
  const long = using(channelOf({ length: 10, ttl: 60, max_attempts: 1 }))
  long.rule("follow length, ttl and max_attempts", function* () {
    const first = yield* long.asked()
    assert.match(first, /^\d{10}$/)
    assert.include((yield* long.sent).at(-1), "1 minute")
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual(yield* long.refused(first), "invalid_otp")
    const second = yield* long.asked()
    yield* TestClock.adjust("59 seconds")
    yield* long.refused(wrong(second))
    assert.strictEqual(yield* long.refused(second), "invalid_otp")
    yield* long.enter(yield* long.asked())
  })

  const gated = using(channelOf({}), [closed])
  gated.rule("a right code is consumed where a gate refuses its owner, and signs up no user", function* () {
    const code = yield* gated.asked()
    assert.strictEqual(yield* gated.refused(code), "forbidden")
    assert.strictEqual(yield* gated.refused(code), "invalid_otp")
    for (const table of [Users, Sessions, gated.codes]) assert.lengthOf(yield* rows(table), 0, table.name)
  })
})

describe("settings of codes", () => {
  const { rule } = using(byPhone({}))
  const decoded = Schema.decodeUnknownEffect(CodeSettings)

  rule("have defaults", function* () {
    assert.deepStrictEqual(yield* decoded({}), { length: 6, ttl: 300, max_attempts: 3, disable_signup: false })
  })

  rule("have bounds", function* () {
    for (const settings of [{ length: 4 }, { length: 10 }, { ttl: 1 }, { max_attempts: 1 }]) yield* decoded(settings)
    for (const settings of [{ length: 3 }, { length: 11 }, { length: 4.5 }, { ttl: 0 }, { max_attempts: 0 }, { disable_signup: "no" }])
      yield* Effect.flip(decoded(settings))
  })
})
