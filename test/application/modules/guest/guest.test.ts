import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { apiKey } from "../../../../application/modules/api_key/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { guest } from "../../../../application/modules/guest/index.ts"
import { GuestTokens } from "../../../../application/modules/guest/merge.ts"
import { visitGuests } from "../../../../application/modules/guest/removal.ts"
import { GuestCodes } from "../../../../application/modules/guest/upgrade.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import { passkey } from "../../../../application/modules/passkey/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import { social } from "../../../../application/modules/social/index.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { consume } from "../../../../domain/limits/limits.ts"
import { memberJoinWrites } from "../../../../domain/organizations/joining.ts"
import { Members } from "../../../../domain/organizations/tables.ts"
import { Store, type StoreService } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Guests } from "../../../../domain/sign-in/guests.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { asking } from "../../../asking.ts"
import { rulesOf } from "../../../rule.ts"
import { shownBy } from "../../../two-factor.ts"
import {
  at,
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  onWire,
  rows,
  Service,
  signedUp,
  texts,
  times,
  withSettings,
} from "../../../world.ts"
import { configured, makeProvider } from "../social/provider.ts"

const root = "root@example.com"
const email = "ada@example.com"
const provider = configured("acme", { trust_email: "when_verified" })
const decoded = <S extends Schema.Codec<any, any>>({ settings }: { readonly settings: S }, value: unknown = {}): S["Type"] =>
  Schema.decodeUnknownSync(settings)(value)
const built = {
  guest: guest.build({}),
  admin: admin.build(decoded(admin, { admin_emails: [root], roles: {} })),
  apiKey: apiKey.build(decoded(apiKey)),
  audit: audit.build(decoded(audit)),
  organization: organization.build(decoded(organization)),
  passkey: passkey.build(decoded(passkey)),
  phone: phone.build(decoded(phone)),
  social: social.build(decoded(social, { providers: [provider] })),
  twoFactor: twoFactor.build(decoded(twoFactor)),
}
const modules = [...core, ...Object.values(built)]
const rule = rulesOf(modules)
const { signInGuest, guestSendCode, guestUpgrade, guestToken, guestMerge } = built.guest.endpoints
const { adminSetRole, adminRolesAssign, adminMe, adminUsersShow } = built.admin.endpoints

const asGuest = Effect.gen(function* () {
  const their = browser()
  const { user } = yield* their.body(signInGuest)
  return { ...their, user }
})

const newestCode = Effect.gen(function* () {
  const found = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")
  return Option.getOrThrow(Option.fromNullOr(found))[0]
})

/** A guest with a code for an address. */
const asked = Effect.fnUntraced(function* (address = email) {
  const their = yield* asGuest
  yield* their.body(guestSendCode, { email: address })
  return { ...their, otp: yield* newestCode }
})

const stored = Effect.fnUntraced(function* (id: string) {
  return Option.getOrThrow(yield* (yield* Store).read(Users, { id })).row
})

const merged = Effect.map(rows(Records), (all) => all.filter(({ type }) => type === "guest.merged").map(({ data }) => data))

const visit = Effect.provide(Effect.all([visitGuests, visitGuests], { concurrency: "unbounded" }), commandPolicies(modules))

describe("sign-in/guest", () => {
  rule("opens a session of a user with a synthetic address, who is shown as a guest", function* () {
    const their = browser()
    const reply = yield* their.call(signInGuest)
    const { user } = yield* onWire(signInGuest, reply.body)
    assert.deepInclude(user, { email: `guest:${user.id}`, email_verified: false, name: null, is_guest: true })
    const current = yield* onWire(endpoints.getSession, yield* their.body(endpoints.getSession))
    assert.strictEqual(current.user.is_guest, true)
    assert.deepStrictEqual(yield* rows(Accounts), [])
    const other = yield* signedUp(email)
    assert.notProperty(
      yield* onWire(endpoints.getSession, yield* other.body(endpoints.getSession)).pipe(Effect.map(({ user }) => user)),
      "is_guest",
    )
  })

  for (const mode of ["invited", "closed"])
    rule(
      `is refused where registration is ${mode}`,
      function* () {
        assert.strictEqual(yield* browser().code(signInGuest), "registration_closed")
        assert.lengthOf(yield* rows(Users), 0)
      },
      { registration: { mode } },
    )

  rule(
    "is refused where only some domains are allowed",
    function* () {
      assert.strictEqual(yield* browser().code(signInGuest), "address_not_allowed")
    },
    { registration: { email: { allow: ["example.com"] } } },
  )

  const from = (ip_address: string) => {
    const their = browser()
    their.jar.ip_address = ip_address
    return their
  }
  const limited = { rate_limit: { enabled: true } }

  rule(
    "lets in 10 guests an hour from one network, which for IPv6 is a /64",
    function* () {
      const calls = times(12, (index) => from(`2001:db8:0:1::${index + 1}`).call(signInGuest))
      assert.deepStrictEqual(yield* atOnce(calls), { ok: 10, rate_limited: 2 })
      yield* from("2001:db8:0:2::1").call(signInGuest)
      yield* TestClock.adjust("3599 seconds")
      assert.strictEqual(yield* from("2001:db8:0:1::1").code(signInGuest), "rate_limited")
      yield* TestClock.adjust("1 seconds")
      yield* from("2001:db8:0:1::1").call(signInGuest)
    },
    limited,
  )

  rule(
    "lets in 1,000 guests an hour from all networks",
    function* () {
      yield* consume({ name: "module/guest/all", limit: 1000, window: 3600 }, "all", 998)
      const calls = times(3, (index) => from(`192.0.2.${index}`).call(signInGuest))
      assert.deepStrictEqual(yield* atOnce(calls), { ok: 2, rate_limited: 1 })
    },
    limited,
  )
})

describe("guest/upgrade", () => {
  rule("makes the guest a full user with the same id and another session", function* () {
    const { user, otp, ...their } = yield* asked()
    const former = { ...their.jar }
    const reply = yield* their.call(guestUpgrade, { email, otp })
    const shown = (yield* onWire(guestUpgrade, reply.body)).user
    assert.deepInclude(shown, { id: user.id, email, email_verified: true })
    assert.notProperty(shown, "is_guest")
    assert.deepInclude(yield* stored(user.id), { is_guest: false, readdressed_at: null, last_verified_email: null })
    assert.deepStrictEqual(yield* rows(Guests), [])
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.isTrue(yield* isSignedIn(their))
    assert.isFalse(yield* isSignedIn(browser(undefined, former)))
    assert.strictEqual(yield* their.code(guestSendCode, { email }), "forbidden")
    assert.strictEqual(yield* their.code(guestToken), "forbidden")
    yield* their.body(built.organization.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
  })

  rule("happens once, however often the code is sent at once", function* () {
    const { otp, ...their } = yield* asked()
    const calls = times(8, () => browser(undefined, { ...their.jar }).call(guestUpgrade, { email, otp }))
    assert.strictEqual((yield* atOnce(calls)).ok, 1)
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("takes the code of this guest and address only, for 5 minutes and 3 guesses", function* () {
    const { otp, ...their } = yield* asked()
    assert.strictEqual(yield* (yield* asGuest).code(guestUpgrade, { email, otp }), "invalid_otp")
    assert.strictEqual(yield* their.code(guestUpgrade, { email: "bob@example.com", otp }), "invalid_otp")
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* their.code(guestUpgrade, { email, otp }), "invalid_otp")
    yield* their.body(guestSendCode, { email })
    const code = yield* newestCode
    for (const _ of times(3, String)) assert.strictEqual(yield* their.code(guestUpgrade, { email, otp: "wrong" }), "invalid_otp")
    assert.strictEqual(yield* their.code(guestUpgrade, { email, otp: code }), "invalid_otp")
    yield* their.body(guestSendCode, { email })
    const last = yield* newestCode
    yield* TestClock.adjust("299 seconds")
    yield* their.body(guestUpgrade, { email, otp: last })
  })

  rule("reveals a taken address only after its proof, and keeps the guest's session", function* () {
    yield* signedUp(email)
    const { user, otp, ...their } = yield* asked()
    assert.strictEqual(yield* their.code(guestUpgrade, { email, otp: "wrong" }), "invalid_otp")
    assert.strictEqual(yield* their.code(guestUpgrade, { email, otp }), "email_taken")
    assert.strictEqual(yield* their.code(guestUpgrade, { email, otp }), "invalid_otp")
    assert.isTrue(yield* isSignedIn(their))
    assert.isTrue((yield* stored(user.id)).is_guest)
    assert.lengthOf(yield* rows(Guests), 1)
  })

  rule("gives an address to one of two guests who prove it at once", function* () {
    const [one, other] = [yield* asked(), yield* asked()]
    const calls = [one, other].map(({ otp, ...their }) => their.call(guestUpgrade, { email, otp }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, email_taken: 1 })
  })

  rule(
    "applies the rules for addresses, and is possible where registration has closed since",
    function* () {
      const their = yield* asGuest
      assert.strictEqual(yield* their.code(guestSendCode, { email: "ada@blocked.example.com" }), "address_not_allowed")
      yield* their.body(guestSendCode, { email })
      const otp = yield* newestCode
      yield* withSettings({ registration: { mode: "closed" } })(their.body(guestUpgrade, { email, otp }))
    },
    { registration: { email: { block: ["blocked.example.com"] } } },
  )
})

describe("link-social", () => {
  const provided = makeProvider()
  const withProvider = Effect.provideService(HttpClient.HttpClient, provided.client)
  const { linkSocial, oauthCallback } = built.social.endpoints
  const linking = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, profile: Record<string, unknown>) {
    const { url } = yield* their.body(linkSocial, { provider: "acme" })
    return provided.visit(url, { uid: "42", ...profile })
  })

  rule("makes a guest a full user by an account with a verified address, at any age of the session", function* () {
    const { user, ...their } = yield* asGuest
    yield* TestClock.adjust("2 days")
    const back = yield* linking(their, { mail: email, confirmed: true })
    yield* withProvider(their.body(oauthCallback, back))
    assert.deepInclude(yield* stored(user.id), { email, email_verified: true, is_guest: false })
    assert.deepStrictEqual(
      (yield* rows(Accounts)).map(({ user_id, account_id }) => [user_id, account_id]),
      [[user.id, "42"]],
    )
    assert.isTrue(yield* isSignedIn(their))
    assert.lengthOf(yield* rows(Guests), 0)
  })

  rule("refuses an account that proves no address, or one of another user", function* () {
    yield* signedUp(email)
    const their = yield* asGuest
    const unproved = yield* linking(their, { mail: "bob@example.com", confirmed: false })
    assert.strictEqual(yield* withProvider(their.code(oauthCallback, unproved)), "email_not_verified")
    const taken = yield* linking(their, { mail: email, confirmed: true })
    assert.strictEqual(yield* withProvider(their.code(oauthCallback, taken)), "email_taken")
    assert.isTrue(yield* isSignedIn(their))
    assert.lengthOf(
      (yield* rows(Accounts)).filter(({ provider_id }) => provider_id === "acme"),
      0,
    )
  })
})

describe("guest/merge", () => {
  rule("records once that the user was the guest, and ends the guest's sessions", function* () {
    const guest = yield* asGuest
    const { guest_token, expires_in } = yield* guest.body(guestToken)
    assert.strictEqual(expires_in, 600)
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* (yield* asGuest).code(guestMerge, { guest_token }), "email_not_verified")
    const calls = times(8, () => browser(undefined, { ...ada.jar }).call(guestMerge, { guest_token }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_token: 7 })
    assert.deepStrictEqual(
      (yield* merged).map(({ from, into }) => ({ from, into })),
      [{ from: guest.user.id, into: ada.user.id }],
    )
    assert.isFalse(yield* isSignedIn(guest))
    assert.isTrue((yield* stored(guest.user.id)).is_guest)
  })

  rule("happens, or the upgrade of the guest does, but not both", function* () {
    const bob = yield* signedUp("bob@example.com")
    const { otp, ...their } = yield* asked()
    const { guest_token } = yield* their.body(guestToken)
    const tally = yield* atOnce([their.call(guestUpgrade, { email, otp }), bob.call(guestMerge, { guest_token })])
    assert.strictEqual(tally["ok"], 1, JSON.stringify(tally))
    assert.lengthOf(yield* merged, (yield* stored(their.user.id)).is_guest ? 1 : 0)
  })

  rule("takes the last token only, for 10 minutes, of someone who is still a guest", function* () {
    const ada = yield* signedUp(email)
    const guest = yield* asGuest
    const { guest_token: first } = yield* guest.body(guestToken)
    const { guest_token: second } = yield* guest.body(guestToken)
    assert.strictEqual(yield* ada.code(guestMerge, { guest_token: first }), "invalid_token")
    yield* TestClock.adjust("600 seconds")
    assert.strictEqual(yield* ada.code(guestMerge, { guest_token: second }), "invalid_token")
    const { guest_token } = yield* guest.body(guestToken)
    yield* guest.body(guestSendCode, { email: "bob@example.com" })
    yield* guest.body(guestUpgrade, { email: "bob@example.com", otp: yield* newestCode })
    assert.strictEqual(yield* ada.code(guestMerge, { guest_token }), "invalid_token")
    const another = yield* asGuest
    const { guest_token: timely } = yield* another.body(guestToken)
    yield* TestClock.adjust("599 seconds")
    yield* ada.body(guestMerge, { guest_token: timely })
  })
})

describe("guests", () => {
  rule("get no other credential, key, factor, organization or role", function* () {
    const their = yield* asGuest
    yield* their.body(built.phone.endpoints.phoneSendOtp, { phone: "+442079460018" })
    const otp = /\d{6}/.exec((yield* texts).at(-1)?.text ?? "")?.[0]
    const { secret } = yield* their.body(built.twoFactor.endpoints.twoFactorTotpEnable)
    const code = yield* shownBy(secret)
    const refused = [
      [built.phone.endpoints.phoneVerify, { phone: "+442079460018", otp }],
      [endpoints.changeEmail, { new_email: email }],
      [built.passkey.endpoints.passkeyRegisterOptions, {}],
      [built.twoFactor.endpoints.twoFactorTotpConfirm, { code }],
      [built.apiKey.endpoints.apiKeyCreate, { name: "key" }],
      [built.organization.endpoints.organizationCreate, { name: "Acme", slug: "acme" }],
    ] as const
    for (const [endpoint, input] of refused)
      assert.strictEqual(yield* their.code<any, any>(endpoint, input), "email_not_verified", endpoint.path)
    const owner = yield* signedUp(root)
    const target = { user_id: their.user.id, role: "support" }
    assert.strictEqual(yield* owner.code(adminSetRole, target), "forbidden")
    assert.strictEqual(yield* owner.code(adminRolesAssign, target), "forbidden")
    yield* owner.body(adminSetRole, { ...target, role: "user" })
    assert.isTrue((yield* owner.body(adminUsersShow, { user_id: their.user.id })).user.is_guest)
  })

  rule("join no organization", function* () {
    const owner = yield* signedUp(email)
    const { organization } = yield* owner.body(built.organization.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
    const { user } = yield* asGuest
    const { read } = yield* Store
    const guest = Option.getOrThrow(yield* read(Users, { id: user.id })).row
    const [member] = yield* rows(Members)
    const host = yield* read(Members, { id: member?.id ?? "" })
    const joining = memberJoinWrites({ organization_id: organization.id, user: guest, role: "member", host })
    assert.strictEqual((yield* Effect.flip(joining))._tag, "invalid_invitation")
  })

  rule("have no rights, even by their id in the configuration", function* () {
    const their = yield* asGuest
    const administration = admin.build(decoded(admin, { admin_user_ids: [their.user.id] }))
    assert.strictEqual(yield* at(their, built.guest, administration).code(adminMe), "forbidden")
  })
})

describe("challenges of modules", () => {
  const challenged = Effect.provideService(Service, AuthOf.make([...modules, asking]))

  rule("are asked of guests, and again when they prove an address", function* () {
    assert.property(yield* challenged(browser().body(signInGuest)), "challenge_token")
    const { otp, ...their } = yield* asked()
    assert.property(yield* challenged(their.body(guestUpgrade, { email, otp })), "challenge_token")
    assert.isFalse(yield* isSignedIn(their))
  })

  const required = AuthOf.make([...core, built.guest, twoFactor.build(decoded(twoFactor, { required: "everyone" }))])

  rule("require a second factor of all users but guests, who add it after they have proved an address", function* () {
    const their = browser(required)
    yield* their.body(signInGuest)
    yield* their.body(guestSendCode, { email })
    assert.property(yield* their.body(guestUpgrade, { email, otp: yield* newestCode }), "two_factor_enrolment_required")
  })
})

describe("removal", () => {
  const days = (count: number) => TestClock.adjust(`${count} days`)
  const exists = Effect.fnUntraced(function* (id: string) {
    return Option.isSome(yield* (yield* Store).read(Users, { id }))
  })

  rule("follows 30 days after the end of the last session", function* () {
    const { user, ...their } = yield* asGuest
    yield* days(6)
    yield* isSignedIn(their)
    yield* days(1)
    yield* visit
    const [{ visit_at } = { visit_at: DateTime.makeUnsafe(0) }] = yield* rows(Guests)
    assert.strictEqual(DateTime.toEpochMillis(visit_at), 13 * 86_400_000)
    yield* days(6)
    yield* visit
    yield* days(30)
    yield* TestClock.adjust("-1 seconds")
    yield* visit
    assert.isTrue(yield* exists(user.id))
    yield* TestClock.adjust("1 seconds")
    yield* visit
    assert.isFalse(yield* exists(user.id))
    assert.deepStrictEqual([yield* rows(Guests), yield* rows(Sessions)], [[], []])
  })

  rule("does not follow a visit of another process at once", function* () {
    const { user } = yield* asGuest
    yield* days(7)
    const store = yield* Store
    const due = yield* rows(Guests)
    yield* visit
    const late: StoreService["list"] = (table, where, options) =>
      table.name === Guests.name ? Effect.succeed(due as never) : store.list(table, where, options)
    yield* Effect.provideService(visit, Store, Store.of({ ...store, list: late }))
    assert.isTrue(yield* exists(user.id))
  })

  rule("leaves full users, and removes a merged guest after 30 days", function* () {
    const { otp, ...upgraded } = yield* asked()
    yield* upgraded.body(guestUpgrade, { email, otp })
    const guest = yield* asGuest
    yield* upgraded.body(guestMerge, yield* guest.body(guestToken))
    yield* days(29)
    yield* visit
    assert.isTrue(yield* exists(guest.user.id))
    yield* days(1)
    yield* visit
    assert.isFalse(yield* exists(guest.user.id))
    assert.isTrue(yield* exists(upgraded.user.id))
    assert.deepStrictEqual([yield* rows(GuestTokens), yield* rows(GuestCodes)], [[], []])
  })
})
