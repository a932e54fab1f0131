import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { organization } from "../../../application/modules/organization/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { ActiveOrganizations, Members } from "../../../domain/organizations/tables.ts"
import { insert, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { newAccount } from "../../../domain/sign-in/linked-accounts.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { built as passkey } from "../../application/modules/passkey/passkeys.ts"
import { rulesOf, verifying } from "../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import {
  atOnce,
  bringing,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  linked,
  mailedToken,
  password,
  rows,
  signedIn,
  signedUp,
  texts,
  times,
} from "../../world.ts"

const codes = emailOtp.build(Schema.decodeSync(CodeSettings)({}))
const links = magicLink.build({ expires_in: 600, disable_signup: false })
const phones = phone.build(Schema.decodeSync(CodeSettings)({}))
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const modules = [...core, codes, links, phones, organizations, passkey, twoFactor]
const rule = rulesOf(modules)

const { changeEmail, sendVerificationEmail, verifyEmail, requestPasswordReset, resetPassword, signInEmail, listAccounts } = endpoints
const { organizationCreate, organizationSetActive, organizationGetActive } = organizations.endpoints
const { magicLinkSend, magicLinkVerify } = links.endpoints
const email = "ada@example.com"
const thief = "thief@example.com"
const new_password = "another fine password"
const visitor = () => browser()

type Browser = ReturnType<typeof browser>

const verificationToken = Effect.fnUntraced(function* (address: string) {
  yield* visitor().body(sendVerificationEmail, { email: address })
  return yield* mailedToken
})

const verifiedUser = Effect.gen(function* () {
  const ada = yield* signedUp(email)
  yield* ada.body(verifyEmail, { token: yield* verificationToken(email) })
  return ada
})

const resetToken = Effect.fnUntraced(function* (address: string) {
  yield* visitor().body(requestPasswordReset, { email: address })
  return yield* mailedToken
})

const magicLinkTo = Effect.fnUntraced(function* (address: string) {
  yield* visitor().body(magicLinkSend, { email: address })
  return yield* mailedToken
})

const codeTo = Effect.fnUntraced(function* (address: string) {
  yield* visitor().body(codes.endpoints.emailOtpSend, { email: address })
  return Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")))[0]
})

const providersOf = (their: Browser) =>
  Effect.map(their.body(listAccounts), ({ accounts }) => accounts.map(({ provider_id }) => provider_id).toSorted())

const sentTo = (address: string, subject: RegExp) =>
  Effect.map(emails, (all) => all.filter((message) => message.to === address && subject.test(message.subject)))

describe("a stolen session that changes the address", () => {
  const moved = Effect.gen(function* () {
    const ada = yield* verifiedUser
    const { secret } = yield* enrolled(ada)
    yield* linked(ada.user.id, "passkey")
    yield* linked(ada.user.id, "idp_one")
    yield* ada.body(changeEmail, { new_email: thief })
    return { ...ada, secret }
  })
  const nothingRemoved = Effect.gen(function* () {
    assert.lengthOf(yield* rows(TwoFactors), 1)
    assert.deepStrictEqual((yield* rows(Accounts)).map(({ provider_id }) => provider_id).toSorted(), ["credential", "idp_one", "passkey"])
  })

  rule("does not remove the second factor by a reset: the next sign-in is challenged", function* () {
    const { secret } = yield* moved
    yield* visitor().body(resetPassword, { token: yield* resetToken(thief), new_password })
    yield* nothingRemoved
    assert.isTrue((yield* rows(Users))[0]?.email_verified)
    const { challenge_token } = challengeIn(yield* visitor().call(signInEmail, { email: thief, password: new_password }))
    const code = yield* shownBy(secret)
    yield* visitor().body(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code })
  })

  rule("does not remove it by changing the address twice", function* () {
    const ada = yield* moved
    yield* ada.body(changeEmail, { new_email: "thief@elsewhere.example" })
    yield* visitor().body(resetPassword, { token: yield* resetToken("thief@elsewhere.example"), new_password })
    yield* nothingRemoved
  })

  rule("does not remove it by a magic link, a code or a verification link", function* () {
    const ada = yield* moved
    const { user } = ada
    challengeIn(yield* visitor().call(magicLinkVerify, { token: yield* magicLinkTo(thief) }))
    yield* ada.body(changeEmail, { new_email: email })
    challengeIn(yield* visitor().call(codes.endpoints.signInEmailOtp, { email, otp: yield* codeTo(email) }))
    yield* ada.body(changeEmail, { new_email: thief })
    yield* visitor().body(verifyEmail, { token: yield* verificationToken(thief) })
    yield* nothingRemoved
    assert.strictEqual((yield* rows(Users))[0]?.id, user.id)
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("does not hide a later change of the password or the phone from the last verified address", function* () {
    const ada = yield* moved
    assert.lengthOf(yield* sentTo(email, /address .* was changed/), 1)
    yield* ada.body(endpoints.changePassword, { current_password: password, new_password })
    yield* ada.body(phones.endpoints.phoneSendOtp, { phone: "+15550100" })
    const otp = Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec((yield* texts).at(-1)?.text ?? "")))[0]
    yield* ada.body(phones.endpoints.phoneVerify, { phone: "+15550100", otp })
    yield* visitor().body(resetPassword, { token: yield* resetToken(thief), new_password: password })
    for (const address of [email, thief]) {
      assert.lengthOf(yield* sentTo(address, /password .* was changed/), 2, address)
      assert.lengthOf(yield* sentTo(address, /phone number was linked/), 1, address)
    }
    const shown = (yield* sentTo(email, /password/)).map(({ text }) => text).join()
    assert.notInclude(shown, thief)
  })
})

rule("a user who signed up by a phone and then set an address loses nothing by its proof", function* () {
  const their = visitor()
  yield* visitor().body(phones.endpoints.phoneSendOtp, { phone: "+15550100" })
  const otp = Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec((yield* texts).at(-1)?.text ?? "")))[0]
  yield* their.body(phones.endpoints.signInPhone, { phone: "+15550100", otp })
  yield* their.body(changeEmail, { new_email: email })
  yield* visitor().body(magicLinkVerify, { token: yield* magicLinkTo(email) })
  assert.deepStrictEqual(yield* providersOf(their), ["phone"])
})

rule("the owner of an address that an attacker's account changed to gets a mail with the account's credentials", function* () {
  const attacker = yield* verifiedUser
  yield* linked(attacker.user.id, "idp_one")
  yield* attacker.body(changeEmail, { new_email: "owner@example.com" })
  const owner = visitor()
  yield* owner.body(magicLinkVerify, { token: yield* magicLinkTo("owner@example.com") })
  const [mail, ...more] = yield* sentTo("owner@example.com", /for the first time with this address/)
  assert.include(mail?.text, "password, account at Idp one")
  assert.lengthOf(more, 0)
  assert.deepStrictEqual(yield* providersOf(owner), ["credential", "idp_one"])
})

rule(
  "so does the owner of a never-verified account that is kept",
  function* () {
    const attacker = yield* signedUp(email)
    yield* linked(attacker.user.id, "idp_one")
    yield* visitor().body(magicLinkVerify, { token: yield* magicLinkTo(email) })
    const [mail] = yield* sentTo(email, /for the first time with this address/)
    assert.include(mail?.text, "was set up before you proved it, and has these ways to sign in: password, account at Idp one.")
  },
  { account: { unverified_takeover: "keep" } },
)

/** An account of the owner's address that an attacker registered and linked credentials to. */
const preRegistered = Effect.gen(function* () {
  const attacker = yield* signedUp(email)
  for (const provider of ["passkey", "phone", "idp_one"]) yield* linked(attacker.user.id, provider)
  return attacker
})

describe("the verification link of a pre-registered account", () => {
  rule("removes every credential but the password, and mails the owner which", function* () {
    const attacker = yield* preRegistered
    yield* attacker.body(twoFactor.endpoints.twoFactorTotpEnable, { password })
    yield* visitor().body(verifyEmail, { token: yield* verificationToken(email) })
    assert.deepStrictEqual(yield* providersOf(attacker), ["credential"])
    assert.lengthOf(yield* rows(TwoFactors), 0)
    assert.isTrue(yield* isSignedIn(attacker))
    assert.isTrue((yield* signedIn(email)).user.email_verified)

    const [mail, ...more] = yield* sentTo(email, /were removed/)
    assert.lengthOf(more, 0)
    assert.include(mail?.text, "Removed from the account: account at Idp one, passkey, phone number, authenticator app.")
  })

  rule("removes them although the caller has a session of another user", function* () {
    const attacker = yield* preRegistered
    const bob = yield* signedUp("bob@example.com")
    yield* bob.body(verifyEmail, { token: yield* verificationToken(email) })
    assert.deepStrictEqual(yield* providersOf(attacker), ["credential"])
  })

  rule("removes nothing where the caller has a session of the account", function* () {
    const ada = yield* preRegistered
    const sent = (yield* emails).length
    yield* ada.body(verifyEmail, { token: yield* verificationToken(email) })
    assert.deepStrictEqual(yield* providersOf(ada), ["credential", "idp_one", "passkey", "phone"])
    assert.lengthOf(yield* emails, sent + 1)
  })

  rule(
    "removes nothing where accounts are kept",
    function* () {
      const ada = yield* preRegistered
      yield* visitor().body(verifyEmail, { token: yield* verificationToken(email) })
      assert.lengthOf(yield* providersOf(ada), 4)
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule(
    "invalidates the attacker's pending change of the address",
    function* () {
      const attacker = yield* signedUp(email)
      yield* attacker.body(changeEmail, { new_email: thief })
      const change = yield* mailedToken
      yield* visitor().body(verifyEmail, { token: yield* verificationToken(email) })
      assert.strictEqual(yield* visitor().code(verifyEmail, { token: change }), "invalid_token")
    },
    verifying,
  )

  rule(
    "to confirm a change of the address removes them, too",
    function* () {
      const attacker = yield* signedUp(thief)
      yield* linked(attacker.user.id, "idp_one")
      yield* attacker.body(changeEmail, { new_email: email })
      yield* visitor().body(verifyEmail, { token: yield* mailedToken })
      assert.deepStrictEqual(yield* providersOf(attacker), ["credential"])
    },
    verifying,
  )

  rule("works once when it is followed many times at once", function* () {
    yield* preRegistered
    const token = yield* verificationToken(email)
    const tally = yield* atOnce(times(10, () => visitor().call(verifyEmail, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 9 })
    assert.lengthOf(yield* rows(Accounts), 1)
    assert.lengthOf(yield* sentTo(email, /were removed/), 1)
  })

  rule("asks a recipient who did not sign up not to follow it", function* () {
    yield* signedUp(email)
    yield* verificationToken(email)
    assert.include((yield* emails)[0]?.text, "If you did not sign up at Sallyport, do not follow the link")
  })
})

describe("a pre-registered account that returns to its owner", () => {
  const founded = Effect.fnUntraced(function* (their: Browser, slug: string) {
    const { organization } = yield* their.body(organizationCreate, { name: "Visit http://evil.example now", slug })
    yield* their.body(organizationSetActive, { organization_id: organization.id })
    return organization
  })

  rule("has no active organization; one mail lists what was removed and where it is a member", function* () {
    const attacker = yield* preRegistered
    yield* founded(attacker, "acme.example")
    yield* founded(attacker, "other")
    const owner = visitor()
    yield* owner.body(magicLinkVerify, { token: yield* magicLinkTo(email) })
    assert.deepStrictEqual(yield* owner.body(organizationGetActive), { active_organization_id: null, organization: null })
    assert.lengthOf(yield* rows(Members), 2)
    assert.isFalse(yield* isSignedIn(attacker))

    const [mail, ...more] = (yield* emails).filter(({ to, subject }) => to === email && !/Sign in/.test(subject))
    assert.lengthOf(more, 0)
    assert.include(mail?.text, "Removed from the account: password, account at Idp one, passkey, phone number.")
    assert.include(mail?.text, "All its sessions were ended.")
    assert.match(mail?.text ?? "", /belongs to these organizations: acme·example, other\. Leave/)
    assert.notInclude(mail?.text, "evil")
  })

  rule("keeps no active organization that the attacker sets at the same moment", function* () {
    const attacker = yield* signedUp(email)
    const { id: organization_id } = yield* founded(attacker, "acme")
    const token = yield* magicLinkTo(email)
    yield* atOnce([
      visitor().call(magicLinkVerify, { token }),
      ...times(10, () => attacker.call(organizationSetActive, { organization_id })),
    ])
    assert.lengthOf(yield* rows(ActiveOrganizations), 0)
  })

  rule("has only the new password after a reset, which sends the same one mail", function* () {
    const attacker = yield* preRegistered
    yield* founded(attacker, "acme")
    const token = yield* resetToken(email)
    const tally = yield* atOnce(times(5, () => visitor().call(resetPassword, { token, new_password })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 4 })
    const owner = yield* signedIn(email, new_password)
    assert.deepStrictEqual(yield* providersOf(owner), ["credential"])
    assert.isNull((yield* owner.body(organizationGetActive)).organization)
    const told = (yield* emails).filter(({ to, subject }) => to === email && !/Reset your/.test(subject))
    assert.deepStrictEqual(
      told.map(({ subject }) => subject),
      ["The password of your Sallyport account was changed"],
    )
    assert.include(told[0]?.text, "The account has the new password that you chose.")
  })

  rule("keeps its credentials when a caller with its session resets the password", function* () {
    const ada = yield* preRegistered
    yield* ada.body(resetPassword, { token: yield* resetToken(email), new_password })
    assert.lengthOf(yield* providersOf(yield* signedIn(email, new_password)), 4)
  })

  rule("leaves one session when the owner proves the address in two ways at once", function* () {
    const attacker = yield* preRegistered
    const [token, reset] = [yield* magicLinkTo(email), yield* resetToken(email)]
    const owner = visitor()
    yield* atOnce([owner.call(magicLinkVerify, { token }), visitor().call(resetPassword, { token: reset, new_password })])
    assert.isFalse(yield* isSignedIn(attacker))
    const providers = (yield* rows(Accounts)).map(({ provider_id }) => provider_id)
    assert.notInclude(providers, "phone")
    assert.isAtMost((yield* rows(Sessions)).length, 1)
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
  })

  /** A verified social profile of a provider account that no user has. */
  const federated = Endpoint.make({
    method: "POST",
    path: "/federated",
    summary: "Signs in by an address that a provider vouches for.",
    access: "public",
    signsIn: "federated",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    handler: () => {
      const account = { provider_id: "idp_two", account_id: "1" }
      const entered = retryOnConflict(signInByVerifiedEmail(email, [], { name: null, disable_signup: false, account }))
      return Effect.map(Effect.orDie(entered), (issued) => Endpoint.reply(Endpoint.succeeded, Option.getOrThrow(issued)))
    },
  })
  rulesOf([...modules, bringing(federated)])("is not blocked by a hundred linked accounts", function* () {
    const attacker = yield* signedUp(email)
    const { commit } = yield* Store
    for (const index of times(99, String)) {
      const account = yield* newAccount(attacker.user.id, { provider_id: "idp_one", account_id: index })
      yield* Effect.orDie(commit([insert(Accounts, account)]))
    }
    const owner = visitor()
    yield* owner.body(federated)
    assert.deepStrictEqual(yield* providersOf(owner), ["idp_two"])
  })
})

describe("a reset password of a verified account", () => {
  const withOthers = Effect.gen(function* () {
    const ada = yield* verifiedUser
    const { secret } = yield* enrolled(ada)
    for (const provider of ["passkey", "phone", "idp_one"]) yield* linked(ada.user.id, provider)
    return { ...ada, secret }
  })
  const left = Effect.map(rows(Accounts), (all) => all.map(({ provider_id }) => provider_id).toSorted())

  rule("keeps the other credentials, which its mail lists by kind", function* () {
    yield* withOthers
    const token = yield* resetToken(email)
    const { text } = (yield* emails).at(-1)!
    assert.include(text, "or second factors: account at Idp one, passkey, phone number, authenticator app.")
    assert.include(text, "choose a new password first and then remove it")
    yield* visitor().body(resetPassword, { token, new_password })
    assert.deepStrictEqual(yield* left, ["credential", "idp_one", "passkey", "phone"])
    assert.notInclude((yield* emails).at(-1)?.text, "Removed")
  })

  rule("removes linked accounts on request, and never a second factor", function* () {
    const { user } = yield* withOthers
    yield* visitor().body(resetPassword, { token: yield* resetToken(email), new_password, remove_other_credentials: true })
    assert.deepStrictEqual(yield* left, ["credential", "passkey"])
    challengeIn(yield* visitor().call(signInEmail, { email, password: new_password }))
    const [notice] = yield* sentTo(user.email, /password .* was changed/)
    assert.include(notice?.text, "Removed at the same time: account at Idp one, phone number.")
  })

  rule("has a mail that announces the removal where the address was never verified", function* () {
    yield* preRegistered
    yield* resetToken(email)
    assert.include((yield* emails).at(-1)?.text, "never verified, so they are removed when you choose a new password")
  })

  rule(
    "has a mail that announces no removal where accounts are kept",
    function* () {
      yield* preRegistered
      yield* resetToken(email)
      assert.notInclude((yield* emails).at(-1)?.text, "they are removed")
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("accepts only a boolean for the request to remove", function* () {
    yield* verifiedUser
    const token = yield* resetToken(email)
    for (const remove_other_credentials of ["true", 1, null])
      assert.strictEqual(yield* visitor().code(resetPassword, { token, new_password, remove_other_credentials }), "invalid_request")
  })

  rule("creates the password that an earlier proof removed, and lets it sign in", function* () {
    yield* preRegistered
    const owner = visitor()
    yield* owner.body(magicLinkVerify, { token: yield* magicLinkTo(email) })
    assert.deepStrictEqual(yield* providersOf(owner), [])
    yield* visitor().body(resetPassword, { token: yield* resetToken(email), new_password })
    yield* signedIn(email, new_password)
  })
})
