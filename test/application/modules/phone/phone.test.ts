import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { phone as module_, PhoneCodes } from "../../../../application/modules/phone/index.ts"
import { PhoneSettings } from "../../../../application/modules/phone/settings.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Endpoint from "../../../../application/service/endpoint.ts"
import { notAdmitted } from "../../../../domain/errors.ts"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { insert, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { signInByAccount } from "../../../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf, verifying } from "../../../rule.ts"
import {
  atOnce,
  bringing,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  linked,
  onWire,
  password,
  rows,
  signedUp,
  texts,
  times,
} from "../../../world.ts"

const { getSession, listAccounts, unlinkAccount, deleteUser, revokeSessions } = endpoints
const email = "ada@example.com"
const phone = "+15550100"
const other = "+15550199"
const refusedPhones = [undefined, null, 7, [], {}, "", `+${"1".repeat(64)}`, "+1555\0", "+1555\ud800"]

type Browser = ReturnType<typeof browser>

/** The code in the newest message to a number. */
const textedCode = Effect.fnUntraced(function* (to: string) {
  const message = (yield* texts).findLast((each) => each.to === to)
  return Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec(message?.text ?? "")))[0]
})

/** The module under test. */
const using = (settings: Partial<PhoneSettings> = {}) => {
  const module = module_.build({ ...Schema.decodeSync(PhoneSettings)({}), ...settings })
  const modules = [...core, module]
  const auth = AuthOf.make(modules)
  const visitor = () => browser()
  const codeFor = Effect.fnUntraced(function* (phone: string) {
    yield* visitor().body(module.endpoints.phoneSendOtp, { phone })
    return yield* textedCode(phone)
  })
  const signIn = Effect.fnUntraced(function* (phone: string, their: Browser = visitor()) {
    const { user } = yield* their.body(module.endpoints.signInPhone, { phone, otp: yield* codeFor(phone) })
    return { ...their, user }
  })
  const link = Effect.fnUntraced(function* (their: Browser, phone: string) {
    return yield* their.call(module.endpoints.phoneVerify, { phone, otp: yield* codeFor(phone) })
  })
  return { ...module.endpoints, auth, rule: rulesOf(modules), visitor, codeFor, signIn, link }
}

const { phoneSendOtp, phoneVerify, signInPhone, rule, visitor, codeFor, signIn, link } = using()

/** All linked numbers. */
const numbers = Effect.map(rows(Accounts), (accounts) =>
  accounts.flatMap(({ provider_id, account_id }) => (provider_id === "phone" ? [account_id] : [])),
)

describe("phone/send-otp", () => {
  rule("sends a code to the number in the given spelling", function* () {
    const typed = " +1 (555) 01-00 "
    assert.deepStrictEqual(yield* visitor().call(phoneSendOtp, { phone: typed }), { body: { success: true }, session: "keep" })
    const [message, ...more] = yield* texts
    assert.strictEqual(message?.to, typed)
    assert.match(message?.text ?? "", /^\d{6} is your Sallyport code\. It is valid for 5 minutes\./)
    assert.lengthOf(more, 0)
    assert.lengthOf(yield* emails, 0)
  })

  rule("answers the same for known and unknown numbers", function* () {
    yield* signIn(phone)
    for (const number of [phone, other])
      assert.deepStrictEqual(yield* visitor().call(phoneSendOtp, { phone: number }), { body: { success: true }, session: "keep" })
  })

  rule("refuses numbers that are not text, empty or too long", function* () {
    for (const refused of refusedPhones)
      assert.strictEqual(yield* visitor().code(phoneSendOtp, { phone: refused }), "invalid_request", String(refused))
    assert.lengthOf(yield* rows(PhoneCodes), 0)
    yield* visitor().body(phoneSendOtp, { phone: `+${"1".repeat(63)}` })
  })
})

describe("the budgets of a phone number", () => {
  const spellings = [
    phone,
    "+1 555 01 00",
    "+1 (555) 01-00",
    "＋１５５５０１００",
    "+1\u200b5550100",
    "+1\u31645550100\ufe0f",
    "+1.555.0100",
  ]

  rule(
    "for messages are shared by every spelling of its number",
    function* () {
      const codes = yield* Effect.forEach(spellings.slice(0, 5), (typed) => visitor().call(phoneSendOtp, { phone: typed }))
      assert.lengthOf(codes, 5)
      for (const typed of spellings) assert.strictEqual(yield* visitor().code(phoneSendOtp, { phone: typed }), "rate_limited", typed)
      yield* visitor().body(phoneSendOtp, { phone: other })
      assert.deepStrictEqual(
        (yield* texts).map(({ to }) => to),
        [...spellings.slice(0, 5), other],
      )
    },
    { rate_limit: { enabled: true } },
  )

  rule(
    "for guesses are shared by every spelling of its number and every endpoint",
    function* () {
      const ada = yield* signedUp(email)
      const guess = (typed: string) => visitor().code(signInPhone, { phone: typed, otp: "no" })
      for (const typed of spellings) assert.strictEqual(yield* guess(typed), "invalid_otp")
      for (const typed of spellings.slice(0, 3))
        assert.strictEqual(yield* ada.code(phoneVerify, { phone: typed, otp: "no" }), "invalid_otp")
      for (const typed of spellings) assert.strictEqual(yield* guess(typed), "rate_limited", typed)
      assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp: "no" }), "rate_limited")
      assert.strictEqual(yield* guess(other), "invalid_otp")
    },
    { rate_limit: { enabled: true } },
  )
})

/** An endpoint with the sign-in of the module, but without a code, which only one call could use. */
const signInProven = Endpoint.make({
  method: "POST",
  path: "/proven",
  summary: "Accepts every caller.",
  access: "public",
  signsIn: "single_factor",
  input: Endpoint.NoInput,
  output: Endpoint.Success,
  errors: notAdmitted,
  handler: Effect.fnUntraced(function* () {
    const proven = { provider_id: "phone", account_id: phone, domain: "phone.service" }
    const issued = yield* retryOnConflict(signInByAccount(proven, [], { name: null, disable_signup: false }))
    return Endpoint.reply(Endpoint.succeeded, Option.getOrThrow(issued))
  }),
})

describe("sign-in/phone", () => {
  rule("creates a user with an unverified synthetic address, and links the number", function* () {
    const ada = visitor()
    const reply = yield* ada.call(signInPhone, { phone, otp: yield* codeFor(phone) })
    const { id, ...user } = (yield* onWire(signInPhone, reply.body)).user
    const at = { created_at: "1970-01-01T00:00:00.000Z", updated_at: "1970-01-01T00:00:00.000Z" }
    assert.deepStrictEqual(user, { email: `${phone}@phone.service`, email_verified: false, name: null, image: null, ...at })
    assert.strictEqual((yield* ada.body(getSession)).user?.id, id)
    const { accounts } = yield* ada.body(listAccounts)
    assert.deepStrictEqual(
      accounts.map(({ provider_id, account_id }) => [provider_id, account_id]),
      [["phone", phone]],
    )
    assert.lengthOf(yield* emails, 0)
  })

  rule("signs in the user who has the number", function* () {
    const ada = yield* signedUp(email)
    yield* link(ada, phone)
    assert.strictEqual((yield* signIn(phone)).user.id, ada.user.id)
    const bob = yield* signIn(other)
    assert.strictEqual((yield* signIn(other)).user.id, bob.user.id)
    assert.lengthOf(yield* rows(Users), 2)
  })

  rule("treats another spelling as another number", function* () {
    const written = [phone, ` ${phone}`, "+1 555 0100"]
    const users = yield* Effect.forEach(written, (number) => signIn(number))
    assert.strictEqual(new Set(users.map(({ user }) => user.id)).size, written.length)
  })

  rule(
    "requires no verified address",
    function* () {
      const { user } = yield* signIn(phone)
      const again = yield* signIn(phone)
      assert.deepStrictEqual([again.user.id, again.user.email_verified], [user.id, false])
      assert.isTrue(yield* isSignedIn(again))
    },
    verifying,
  )

  rule("refuses malformed numbers", function* () {
    for (const refused of refusedPhones)
      assert.strictEqual(yield* visitor().code(signInPhone, { phone: refused, otp: "000000" }), "invalid_request", String(refused))
  })

  rule("two concurrent first sign-ins make one user, in any order", function* () {
    for (const number of times(10, (index) => `+1555010${index}`)) {
      const first = yield* codeFor(number)
      const tally = yield* atOnce([visitor().call(signInPhone, { phone: number, otp: first }), signIn(number)])
      assert.include([1, 2], tally["ok"])
    }
    assert.lengthOf(yield* rows(Users), 10)
    assert.lengthOf(yield* numbers, 10)
  })

  rulesOf([...core, bringing(signInProven)])("ten concurrent first sign-ins with one number make one user and ten sessions", function* () {
    assert.deepStrictEqual(yield* atOnce(times(10, () => visitor().call(signInProven))), { ok: 10 })
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 10)
    assert.deepStrictEqual(yield* numbers, [phone])
  })
})

describe("phone/verify", () => {
  rule("keeps the limit of a hundred accounts; another number replaces the former one", function* () {
    const ada = yield* signedUp(email)
    yield* Effect.all(times(98, (index) => linked(ada.user.id, `idp_${index}`)))
    yield* link(ada, phone)
    yield* link(ada, other)
    assert.deepStrictEqual(yield* numbers, [other])
    const bob = yield* signedUp("bob@example.com")
    yield* Effect.all(times(99, (index) => linked(bob.user.id, `idp_${index}`)))
    assert.strictEqual(yield* bob.code(phoneVerify, { phone, otp: yield* codeFor(phone) }), "invalid_request")
  })

  rule("links the number to the user and notifies them", function* () {
    const ada = yield* signedUp(email)
    assert.deepStrictEqual(yield* link(ada, phone), { body: { success: true }, session: "keep" })
    assert.deepStrictEqual(yield* numbers, [phone])
    const [notice, ...more] = yield* emails
    assert.strictEqual(notice?.to, email)
    assert.match(notice?.subject ?? "", /phone number was linked/)
    assert.notInclude(notice?.text ?? "", phone)
    assert.lengthOf(more, 0)
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("requires a session before the input is validated", function* () {
    const otp = yield* codeFor(phone)
    assert.strictEqual(yield* visitor().code(phoneVerify, { phone, otp }), "unauthorized")
    assert.strictEqual(yield* visitor().code(phoneVerify, {}), "unauthorized")
    yield* link(yield* signedUp(email), phone)
  })

  rule("requires a session that began less than fresh_age ago, however often it was used", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("86399 seconds")
    yield* link(ada, phone)
    yield* TestClock.adjust("1 second")
    assert.isTrue(yield* isSignedIn(ada))
    const otp = yield* codeFor(other)
    assert.strictEqual(yield* ada.code(phoneVerify, { phone: other, otp }), "session_not_fresh")
    assert.deepStrictEqual(yield* numbers, [phone])
    yield* ada.body(endpoints.signInEmail, { email, password })
    yield* ada.body(phoneVerify, { phone: other, otp })
  })

  rule("replaces the former number, and frees it", function* () {
    const ada = yield* signedUp(email)
    yield* link(ada, phone)
    yield* link(ada, other)
    assert.deepStrictEqual(yield* numbers, [other])
    assert.strictEqual((yield* signIn(other)).user.id, ada.user.id)
    const bob = yield* signIn(phone)
    assert.notStrictEqual(bob.user.id, ada.user.id)
    const notice = (yield* emails).at(-1)
    assert.strictEqual(notice?.to, email)
    assert.match(notice?.subject ?? "", /phone number .* was changed/)
  })

  rule("changes and sends nothing for the user's current number", function* () {
    const ada = yield* signedUp(email)
    yield* link(ada, phone)
    const before = yield* ada.body(listAccounts)
    yield* link(ada, phone)
    assert.deepStrictEqual(yield* ada.body(listAccounts), before)
    assert.lengthOf(yield* emails, 1)
    assert.lengthOf(yield* rows(PhoneCodes), 0)
  })

  rule("refuses another user's number, and reveals that only for a right code, which is consumed", function* () {
    const bob = yield* signIn(phone)
    const ada = yield* signedUp(email)
    const otp = yield* codeFor(phone)
    assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp: `${otp}0` }), "invalid_otp")
    assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp }), "phone_taken")
    assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp }), "invalid_otp")
    assert.strictEqual((yield* signIn(phone)).user.id, bob.user.id)
  })

  rule("refuses wrong codes, codes of other numbers, and malformed ones", function* () {
    const ada = yield* signedUp(email)
    const otp = yield* codeFor(phone)
    for (const refused of [`${otp}0`, ""]) assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp: refused }), "invalid_otp")
    assert.strictEqual(yield* ada.code(phoneVerify, { phone: other, otp }), "invalid_otp")
    for (const refused of refusedPhones)
      assert.strictEqual(yield* ada.code(phoneVerify, { phone: refused, otp }), "invalid_request", String(refused))
    assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp: Number(otp) }), "invalid_request")
    yield* ada.body(phoneVerify, { phone, otp })
    assert.strictEqual(yield* ada.code(phoneVerify, { phone, otp }), "invalid_otp")
  })

  rule("mails nothing to a synthetic address", function* () {
    const ada = yield* signIn(phone)
    yield* link(ada, other)
    assert.deepStrictEqual(yield* numbers, [other])
    assert.lengthOf(yield* emails, 0)
  })

  rule("ten concurrent links leave one number", function* () {
    const ada = yield* signedUp(email)
    const all = times(10, (index) => `+1555010${index}`)
    const codes = yield* Effect.forEach(all, codeFor)
    assert.deepStrictEqual(yield* atOnce(all.map((phone, index) => ada.call(phoneVerify, { phone, otp: codes[index] }))), { ok: 10 })
    assert.lengthOf(yield* numbers, 1)
  })

  rule("accepts a code once, also among concurrent uses", function* () {
    const users = yield* Effect.forEach(times(4, String), (name) => signedUp(`${name}@example.com`))
    const otp = yield* codeFor(phone)
    const calls = users.flatMap((their) => times(5, () => their.call(phoneVerify, { phone, otp })))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_otp: 19 })
    assert.deepStrictEqual(yield* numbers, [phone])
  })

  rule("links nothing for a session that ends concurrently", function* () {
    const ada = yield* signedUp(email)
    const otp = yield* codeFor(phone)
    const elsewhere = visitor()
    elsewhere.jar.credential = ada.jar.credential
    const tally = yield* atOnce([elsewhere.call(phoneVerify, { phone, otp }), ada.call(deleteUser, { password })])
    assert.isAtLeast(tally["ok"] ?? 0, 1)
    assert.lengthOf(yield* numbers, 0)
  })
})

describe("a released number", () => {
  rule("is free when its user is deleted", function* () {
    const ada = yield* signIn(phone)
    yield* ada.body(deleteUser)
    assert.lengthOf(yield* rows(Accounts), 0)
    const bob = yield* signIn(phone)
    assert.notStrictEqual(bob.user.id, ada.user.id)
    assert.strictEqual(bob.user.email, `${phone}@phone.service`)
  })

  rule("passes its synthetic address on to its next user", function* () {
    const ada = yield* signIn(phone)
    yield* link(ada, other)
    const bob = yield* signIn(phone)
    assert.notStrictEqual(bob.user.id, ada.user.id)
    assert.strictEqual(bob.user.email, `${phone}@phone.service`)
    assert.strictEqual((yield* ada.body(getSession)).user?.email, `${ada.user.id}@phone.service`)
    assert.strictEqual((yield* signIn(other)).user.id, ada.user.id)
  })

  rule("is unlinked like any account, unless it is the only one", function* () {
    const ada = yield* signIn(phone)
    assert.strictEqual(yield* ada.code(unlinkAccount, { provider_id: "phone" }), "last_account")
    yield* linked(ada.user.id, "idp_one")
    yield* ada.body(unlinkAccount, { provider_id: "phone" })
    assert.notStrictEqual((yield* signIn(phone)).user.id, ada.user.id)
  })

  rule("does not sign in as its former user while it is unlinked concurrently", function* () {
    const ada = yield* signedUp(email)
    yield* link(ada, phone)
    const [otp, their] = [yield* codeFor(phone), visitor()]
    yield* atOnce([
      their.call(signInPhone, { phone, otp }),
      Effect.andThen(ada.call(unlinkAccount, { provider_id: "phone" }), ada.call(revokeSessions)),
    ])
    const { user } = yield* their.body(getSession)
    assert.notStrictEqual(user?.id, ada.user.id)
  })
})

describe("where sign-up by a number is disabled", () => {
  const invited = using({ disable_signup: true })
  const send = (phone: string, their = invited.visitor()) => their.call(invited.phoneSendOtp, { phone })

  invited.rule("an unknown number gets no message, with the same answer and the same rows as a known one", function* () {
    const ada = yield* signedUp(email, invited.auth)
    yield* send(phone, ada)
    yield* ada.call(invited.phoneVerify, { phone, otp: yield* textedCode(phone) })
    const replies = yield* Effect.forEach([phone, other], (number) => send(number))
    assert.deepStrictEqual(replies[0], replies[1])
    assert.lengthOf(yield* rows(PhoneCodes), 2)
    assert.lengthOf(yield* rows(PendingMessages), 3)
    assert.deepStrictEqual(
      (yield* texts).map(({ to }) => to),
      [phone, phone],
    )
  })

  invited.rule("an unknown number gets the answer of an invalid code, and makes no user", function* () {
    yield* send(phone, yield* signedUp(email, invited.auth))
    const otp = yield* textedCode(phone)
    for (const _ of ["right", "used up"])
      assert.strictEqual(yield* invited.visitor().code(invited.signInPhone, { phone, otp }), "invalid_otp")
    for (const table of [Users, Sessions]) assert.lengthOf(yield* rows(table), 1, table.name)
    assert.lengthOf(yield* rows(PhoneCodes), 0)
  })

  invited.rule("signed-in users link their number, and sign in with it", function* () {
    const ada = yield* signedUp(email, invited.auth)
    yield* send(phone, ada)
    yield* ada.call(invited.phoneVerify, { phone, otp: yield* textedCode(phone) })
    assert.strictEqual((yield* invited.signIn(phone)).user.id, ada.user.id)
  })
})

const national = "030 901820"
const berlin = "+4930901820"

describe("where only numbers of some countries are accepted", () => {
  const limited = using({ countries: ["DE", "US"] })

  limited.rule("other numbers are refused by every endpoint, before anything is counted or stored", function* () {
    const ada = yield* signedUp(email, limited.auth)
    for (const refused of ["+442079460018", "+14165550100", "+18765551234", "+882346712345", "+999123456789", national]) {
      assert.strictEqual(yield* limited.visitor().code(limited.phoneSendOtp, { phone: refused }), "invalid_request", refused)
      assert.strictEqual(yield* limited.visitor().code(limited.signInPhone, { phone: refused, otp: "000000" }), "invalid_request", refused)
      assert.strictEqual(yield* ada.code(limited.phoneVerify, { phone: refused, otp: "000000" }), "invalid_request", refused)
    }
    for (const table of [PhoneCodes, PendingMessages]) assert.lengthOf(yield* rows(table), 0, table.name)
    for (const number of [berlin, "+12125550100", phone]) yield* limited.signIn(number)
  })

  limited.rule(
    "refused numbers use up no budget",
    function* () {
      for (const _ of times(3, String)) yield* limited.visitor().code(limited.phoneSendOtp, { phone: "+442079460018" })
      yield* limited.visitor().call(limited.phoneSendOtp, { phone: berlin })
    },
    { rate_limit: { enabled: true, sms: { limit: 1 } } },
  )
})

describe("where numbers without a calling code are of one country", () => {
  const german = using({ default_country: "DE" })
  const codeFor = Effect.fnUntraced(function* (typed: string, to: string) {
    yield* german.visitor().body(german.phoneSendOtp, { phone: typed })
    return yield* textedCode(to)
  })
  const signIn = Effect.fnUntraced(function* (typed: string, to: string) {
    const otp = yield* codeFor(typed, to)
    return (yield* german.visitor().body(german.signInPhone, { phone: typed, otp })).user
  })

  german.rule("all spellings of a number are one account, and messages go to its form of E.164", function* () {
    const spellings = [national, "(030) 901-820", "0049 30 901820", berlin, "+49 (0)30 901820"]
    const users = yield* Effect.forEach(spellings, (typed) => signIn(typed, berlin))
    assert.strictEqual(new Set(users.map(({ id }) => id)).size, 1)
    assert.strictEqual(users[0]?.email, `${berlin}@phone.service`)
    assert.deepStrictEqual(yield* numbers, [berlin])
    assert.deepStrictEqual(new Set((yield* texts).map(({ to }) => to)), new Set([berlin]))
  })

  german.rule("a number that was stored as typed before keeps its account", function* () {
    const ada = yield* signedUp(email, german.auth)
    const stored = yield* (yield* Store).read(Accounts, { provider_id: "credential", account_id: ada.user.id })
    const { row } = Option.getOrThrow(stored)
    yield* Effect.orDie((yield* Store).commit([insert(Accounts, { ...row, id: "typed", provider_id: "phone", account_id: national })]))
    assert.strictEqual((yield* signIn(national, berlin)).id, ada.user.id)
    assert.notStrictEqual((yield* signIn(berlin, berlin)).id, ada.user.id)
  })

  rule("elsewhere, such numbers are refused", function* () {
    const ada = yield* signedUp(email)
    for (const typed of [national, "4930901820", "004930901820"]) {
      assert.strictEqual(yield* visitor().code(phoneSendOtp, { phone: typed }), "invalid_request", typed)
      assert.strictEqual(yield* visitor().code(signInPhone, { phone: typed, otp: "000000" }), "invalid_request", typed)
      assert.strictEqual(yield* ada.code(phoneVerify, { phone: typed, otp: "000000" }), "invalid_request", typed)
    }
    assert.lengthOf(yield* texts, 0)
  })
})
