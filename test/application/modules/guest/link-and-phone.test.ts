import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { guest } from "../../../../application/modules/guest/index.ts"
import { GuestLinks, magicLink } from "../../../../application/modules/magic_link/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Guests } from "../../../../domain/sign-in/guests.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { asking } from "../../../asking.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, emails, isSignedIn, onWire, rows, Service, signedUp, texts, times, withSettings } from "../../../world.ts"

const email = "ada@example.com"
const number = "+442079460018"
const built = {
  guest: guest.build({}),
  magicLink: magicLink.build(Schema.decodeUnknownSync(magicLink.settings)({})),
  phone: phone.build(Schema.decodeUnknownSync(phone.settings)({})),
}
const modules = [...core, ...Object.values(built)]
const rule = rulesOf(modules)
const { signInGuest, guestSendCode, guestUpgrade } = built.guest.endpoints
const { magicLinkSend, magicLinkSendToGuest, magicLinkVerify } = built.magicLink.endpoints
const { phoneSendOtp, phoneUpgradeGuest, phoneVerify, signInPhone } = built.phone.endpoints

type Guest = ReturnType<typeof browser>
const asGuest = Effect.gen(function* () {
  const their = browser()
  const { user } = yield* their.body(signInGuest)
  return { ...their, user }
})
const stored = Effect.fnUntraced(function* (id: string) {
  return Option.getOrThrow(yield* (yield* Store).read(Users, { id })).row
})
const found = (pattern: RegExp, text: string | undefined) => pattern.exec(text ?? "")?.[1] ?? assert.fail(`none in ${text}`)
const newestToken = Effect.map(emails, (all) => found(/magic-link\?token=([\w-]+)/, all.at(-1)?.text))
const newestCode = Effect.map(texts, (all) => found(/\b(\d{6})\b/, all.at(-1)?.text))

/** The token of a link that the guest requests. */
const linked = Effect.fnUntraced(function* (their: Pick<Guest, "body">, address = email) {
  yield* their.body(magicLinkSendToGuest, { email: address })
  return yield* newestToken
})
/** A code for the number, which the guest requests. */
const texted = Effect.fnUntraced(function* (their: Pick<Guest, "body">) {
  yield* their.body(phoneSendOtp, { phone: number })
  return yield* newestCode
})
/** The browser, several times, so that each call has the same cookies. */
const copies = (their: Guest) => times(8, () => browser(undefined, { ...their.jar }))

/** What no failed upgrade changes. */
const isStillGuest = Effect.fnUntraced(function* (their: Pick<Guest, "jar"> & { readonly user: { readonly id: string } }) {
  assert.isTrue(yield* isSignedIn(browser(undefined, their.jar)))
  assert.isTrue((yield* stored(their.user.id)).is_guest)
  assert.isTrue((yield* rows(Guests)).some(({ user_id }) => user_id === their.user.id))
})

/** What every upgrade changes: the same id, one other session, and no row `guest`. */
const isUpgraded = Effect.fnUntraced(function* (their: Guest, former: Guest["jar"]) {
  assert.deepStrictEqual(yield* rows(Guests), [])
  assert.lengthOf(yield* rows(Sessions), 1)
  assert.isTrue(yield* isSignedIn(their))
  assert.isFalse(yield* isSignedIn(browser(undefined, former)))
})

describe("a guest's magic link", () => {
  rule("makes the guest a full user with the same id and another session", function* () {
    const { user, ...their } = yield* asGuest
    const former = { ...their.jar }
    const token = yield* linked(their)
    const { user: shown } = yield* onWire(magicLinkVerify, yield* their.body(magicLinkVerify, { token }))
    assert.deepInclude(shown, { id: user.id, email, email_verified: true })
    assert.notProperty(shown, "is_guest")
    yield* isUpgraded(their, former)
    assert.strictEqual(yield* their.code(magicLinkVerify, { token }), "invalid_token")
    assert.strictEqual(yield* their.code(magicLinkSendToGuest, { email }), "forbidden")
  })

  rule("happens once, however often it is opened at once", function* () {
    const their = yield* asGuest
    const token = yield* linked(their)
    assert.strictEqual((yield* atOnce(copies(their).map((each) => each.call(magicLinkVerify, { token })))).ok, 1)
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.deepStrictEqual(yield* rows(GuestLinks), [])
  })

  rule("does nothing in a browser without the guest's session, and stays valid", function* () {
    const { user, ...their } = yield* asGuest
    const token = yield* linked(their)
    const another = yield* asGuest
    const bob = yield* signedUp("bob@example.com")
    for (const stranger of [browser(), another, bob]) assert.strictEqual(yield* stranger.code(magicLinkVerify, { token }), "forbidden")
    yield* isStillGuest(another)
    assert.isTrue(yield* isSignedIn(bob))
    yield* isStillGuest({ ...their, user })
    yield* their.body(magicLinkVerify, { token })
    assert.deepInclude(yield* stored(user.id), { email, is_guest: false })
    assert.isTrue((yield* stored(another.user.id)).is_guest)
  })

  rule("is no link to sign in with, and that one upgrades no guest", function* () {
    const { user, ...their } = yield* asGuest
    yield* browser().body(magicLinkSend, { email })
    const signsIn = yield* newestToken
    const upgrades = yield* linked(their, "grace@example.com")
    const ada = yield* their.body(magicLinkVerify, { token: signsIn })
    assert.notStrictEqual((ada as { readonly user: { readonly id: string } }).user.id, user.id)
    assert.isTrue((yield* stored(user.id)).is_guest)
    assert.strictEqual(yield* their.code(magicLinkVerify, { token: upgrades }), "forbidden")
  })

  rule("is replaced by the next one, and valid for 10 minutes", function* () {
    const their = yield* asGuest
    const first = yield* linked(their)
    const second = yield* linked(their, "grace@example.com")
    assert.strictEqual(yield* their.code(magicLinkVerify, { token: first }), "invalid_token")
    yield* TestClock.adjust("600 seconds")
    assert.strictEqual(yield* their.code(magicLinkVerify, { token: second }), "invalid_token")
    const last = yield* linked(their)
    yield* TestClock.adjust("599 seconds")
    yield* their.body(magicLinkVerify, { token: last })
  })

  rule("reveals a taken address only after its proof, and keeps the guest's session", function* () {
    yield* signedUp(email)
    const their = yield* asGuest
    const token = yield* linked(their)
    assert.strictEqual(yield* their.code(magicLinkVerify, { token: "unknown" }), "invalid_token")
    assert.strictEqual(yield* their.code(magicLinkVerify, { token }), "email_taken")
    assert.strictEqual(yield* their.code(magicLinkVerify, { token }), "invalid_token")
    yield* isStillGuest(their)
  })

  rule("gives an address to one of two guests who prove it at once", function* () {
    const guests = [yield* asGuest, yield* asGuest]
    const calls = yield* Effect.forEach(guests, (their) =>
      Effect.map(linked(their), (token) => browser(undefined, their.jar).call(magicLinkVerify, { token })),
    )
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, email_taken: 1 })
  })

  rule("makes a full user once, beside a code for the same address", function* () {
    const { user, ...their } = yield* asGuest
    const token = yield* linked(their)
    yield* their.body(guestSendCode, { email })
    const otp = found(/\b(\d{6})\b/, (yield* emails).at(-1)?.text)
    const [one, other] = copies(their)
    const tally = yield* atOnce([one!.call(magicLinkVerify, { token }), other!.call(guestUpgrade, { email, otp })])
    assert.strictEqual(tally["ok"], 1, JSON.stringify(tally))
    assert.deepInclude(yield* stored(user.id), { email, is_guest: false })
  })

  rule(
    "follows the rules for addresses, and is possible where registration has closed since",
    function* () {
      const their = yield* asGuest
      assert.strictEqual(yield* their.code(magicLinkSendToGuest, { email: "ada@blocked.example.com" }), "address_not_allowed")
      yield* withSettings({ registration: { mode: "closed" } })(
        Effect.flatMap(linked(their), (token) => their.body(magicLinkVerify, { token })),
      )
    },
    { registration: { email: { block: ["blocked.example.com"] } } },
  )
})

describe("phone/upgrade-guest", () => {
  rule("makes the guest a full user with the same id and another session, like one who signed up with the number", function* () {
    const { user, ...their } = yield* asGuest
    const former = { ...their.jar }
    const otp = yield* texted(their)
    const { user: shown } = yield* onWire(phoneUpgradeGuest, yield* their.body(phoneUpgradeGuest, { phone: number, otp }))
    assert.deepInclude(shown, { id: user.id, email: `${number}@phone.service`, email_verified: false })
    assert.notProperty(shown, "is_guest")
    yield* isUpgraded(their, former)
    const otherwise = browser()
    const again = yield* otherwise.body(signInPhone, { phone: number, otp: yield* texted(otherwise) })
    assert.strictEqual((again as { readonly user: { readonly id: string } }).user.id, user.id)
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp }), "forbidden")
  })

  rule("happens once, however often the code is sent at once", function* () {
    const their = yield* asGuest
    const otp = yield* texted(their)
    assert.strictEqual((yield* atOnce(copies(their).map((each) => each.call(phoneUpgradeGuest, { phone: number, otp })))).ok, 1)
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.lengthOf(yield* rows(Accounts), 1)
  })

  rule("takes the code for 5 minutes and 3 guesses, of guests only", function* () {
    const their = yield* asGuest
    const bob = yield* signedUp("bob@example.com")
    const late = yield* texted(their)
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp: late }), "invalid_otp")
    const otp = yield* texted(their)
    assert.strictEqual(yield* bob.code(phoneUpgradeGuest, { phone: number, otp }), "forbidden")
    for (const _ of times(3, String))
      assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp: "wrong" }), "invalid_otp")
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp }), "invalid_otp")
    const last = yield* texted(their)
    yield* TestClock.adjust("299 seconds")
    yield* their.body(phoneUpgradeGuest, { phone: number, otp: last })
  })

  rule("reveals a taken number only after its proof, and keeps the guest's session", function* () {
    const bob = yield* signedUp("bob@example.com")
    yield* bob.body(phoneVerify, { phone: number, otp: yield* texted(bob) })
    const their = yield* asGuest
    const otp = yield* texted(their)
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp: "wrong" }), "invalid_otp")
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp }), "phone_taken")
    assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp }), "invalid_otp")
    yield* isStillGuest(their)
  })

  rule("gives a number to one of two guests who prove it at once", function* () {
    const guests = [yield* asGuest, yield* asGuest]
    const otp = yield* Effect.flatMap(texted(guests[0]!), () => texted(guests[1]!))
    const calls = guests.map(({ jar }) => browser(undefined, jar).call(phoneUpgradeGuest, { phone: number, otp }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_otp: 1 })
    assert.lengthOf(yield* rows(Accounts), 1)
    assert.lengthOf(yield* rows(Guests), 1)
  })

  rule("gets the synthetic address of a user who unlinked the number", function* () {
    const former = browser()
    const { user } = (yield* former.body(signInPhone, { phone: number, otp: yield* texted(former) })) as { readonly user: { id: string } }
    const account = (yield* rows(Accounts)).find(({ user_id }) => user_id === user.id)
    const { commit } = yield* Store
    yield* commit([remove(Accounts, account?.id ?? "")])
    const their = yield* asGuest
    yield* their.body(phoneUpgradeGuest, { phone: number, otp: yield* texted(their) })
    assert.strictEqual((yield* stored(their.user.id)).email, `${number}@phone.service`)
    assert.strictEqual((yield* stored(user.id)).email, `${user.id}@phone.service`)
  })

  const code = "836104"
  rule(
    "refuses the code of a test user",
    function* () {
      const their = yield* asGuest
      yield* their.body(phoneSendOtp, { phone: number })
      assert.strictEqual(yield* their.code(phoneUpgradeGuest, { phone: number, otp: code }), "invalid_otp")
      yield* isStillGuest(their)
      yield* browser().body(phoneSendOtp, { phone: number })
      yield* browser().body(signInPhone, { phone: number, otp: code })
    },
    { test_users: { codes: { [number]: code } } },
  )
})

describe("challenges of modules", () => {
  const challenged = Effect.provideService(Service, AuthOf.make([...modules, asking]))

  rule("are asked of guests who prove an address by a link, or a number", function* () {
    const [one, other] = [yield* asGuest, yield* asGuest]
    const token = yield* linked(one)
    assert.property(yield* challenged(one.body(magicLinkVerify, { token })), "challenge_token")
    const otp = yield* texted(other)
    assert.property(yield* challenged(other.body(phoneUpgradeGuest, { phone: number, otp })), "challenge_token")
    for (const their of [one, other]) assert.isFalse(yield* isSignedIn(their))
  })
})
