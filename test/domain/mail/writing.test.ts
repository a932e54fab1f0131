import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { organization } from "../../../application/modules/organization/index.ts"
import { passkey } from "../../../application/modules/passkey/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { twoFactor } from "../../../application/modules/two_factor/index.ts"
import { rulesOf } from "../../rule.ts"
import { browser, core, emails, emptyJar, endpoints, onWire, password, signedUp, texts, withVerified } from "../../world.ts"

const links = magicLink.build(Schema.decodeUnknownSync(magicLink.settings)({}))
const phones = phone.build(Schema.decodeUnknownSync(phone.settings)({}))
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const passkeys = passkey.build(Schema.decodeUnknownSync(passkey.settings)({}))
const factors = twoFactor.build(Schema.decodeUnknownSync(twoFactor.settings)({}))
const rule = rulesOf([...core, links, phones, organizations, passkeys, factors])

const email = "ada@example.com"
const number = "+15550100"

/** A browser that sends these header fields. */
const visitor = (sent: Partial<ReturnType<typeof emptyJar>> = {}) => browser(undefined, { ...emptyJar(), ...sent })

const german = "de-AT,de;q=0.9,en;q=0.5"
const newest = Effect.map(emails, (all) => all.at(-1))

/** The mail with a sign-in link that this browser requests. */
const requestLink = (their: ReturnType<typeof browser>) => Effect.andThen(their.body(links.endpoints.magicLinkSend, { email }), newest)

describe("the language of a mail", () => {
  rule("is that of the request", function* () {
    assert.strictEqual((yield* requestLink(visitor({ accept_language: german })))?.subject, "Anmelden bei Sallyport")
    assert.strictEqual((yield* requestLink(visitor({ accept_language: "xx, zh-TW, pt-PT" })))?.subject, "Entrar em Sallyport")
  })

  rule("is English without one, and for a language without a catalog", function* () {
    for (const accept_language of ["", "*", "xx", "zh-TW", ";;q=,", "é".repeat(500)])
      assert.strictEqual((yield* requestLink(visitor({ accept_language })))?.subject, "Sign in to Sallyport")
    assert.strictEqual((yield* requestLink(visitor()))?.subject, "Sign in to Sallyport")
  })

  rule("is that of the user, also if another person sends the request", function* () {
    const ada = yield* signedUp(email)
    yield* ada.body(endpoints.updateUser, { locale: "fr-CA" })
    assert.strictEqual((yield* requestLink(visitor({ accept_language: german })))?.subject, "Connexion à Sallyport")
    yield* visitor({ accept_language: german }).body(endpoints.requestPasswordReset, { email })
    assert.strictEqual((yield* newest)?.subject, "Réinitialisez votre mot de passe Sallyport")
    yield* ada.body(endpoints.changePassword, { current_password: password, new_password: "another good password" })
    assert.strictEqual((yield* newest)?.subject, "Le mot de passe de votre compte Sallyport a été modifié")
  })

  rule("is said in its header field", function* () {
    assert.strictEqual((yield* requestLink(visitor({ accept_language: german })))?.language, "de")
    assert.strictEqual((yield* requestLink(visitor({ accept_language: "zh-CN" })))?.language, "zh-Hans")
    assert.strictEqual((yield* requestLink(visitor()))?.language, "en")
  })

  rule("of an invitation is that of the invited user", function* () {
    const ada = yield* signedUp(email)
    yield* withVerified(ada.user.id)
    yield* (yield* signedUp("bob@example.com")).body(endpoints.updateUser, { locale: "ja" })
    const { organization } = yield* ada.body(organizations.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
    yield* ada.body(organizations.endpoints.organizationInvite, { organization_id: organization.id, email: "bob@example.com" })
    assert.strictEqual((yield* newest)?.subject, "Sallyport の Acme への招待")
  })
})

describe("a user's locale", () => {
  rule("is omitted from the response if it is not set", function* () {
    const ada = yield* signedUp(email)
    const shown = ["id", "email", "email_verified", "name", "image", "created_at", "updated_at"]
    const wire = (body: typeof ada) => onWire(endpoints.updateUser, body)
    assert.hasAllKeys((yield* wire(ada)).user, shown)
    const { user } = yield* ada.body(endpoints.updateUser, { locale: "pt-BR" })
    assert.strictEqual((yield* wire({ ...ada, user })).user.locale, "pt-BR")
    const { user: without } = yield* ada.body(endpoints.updateUser, { locale: null })
    assert.hasAllKeys((yield* wire({ ...ada, user: without })).user, shown)
  })

  rule("is a language tag", function* () {
    const ada = yield* signedUp(email)
    for (const locale of ["", "e", "en_US", "de\0", "en-", "x".repeat(36), 7, ["en"]])
      assert.strictEqual(yield* ada.code(endpoints.updateUser, { locale }), "invalid_request", String(locale))
    for (const locale of ["en", "zh-Hant-TW", "ar-EG"]) yield* ada.body(endpoints.updateUser, { locale })
  })
})

describe("a mail", () => {
  const named = { branding: { name: "Analytical: Engines" } }

  rule(
    "names the service of the configuration, as passkeys and authenticator apps do",
    function* () {
      assert.strictEqual((yield* requestLink(visitor()))?.subject, "Sign in to Analytical: Engines")
      const ada = yield* signedUp(email)
      yield* withVerified(ada.user.id)
      const { totp_uri } = yield* ada.body(factors.endpoints.twoFactorTotpEnable, { password })
      assert.strictEqual(new URL(totp_uri).searchParams.get("issuer"), "Analytical  Engines")
      const { rp } = yield* ada.body(passkeys.endpoints.passkeyRegisterOptions)
      assert.strictEqual(rp.name, "Analytical: Engines")
    },
    named,
  )

  rule("says when and by which browser it was caused, without the client's own text", function* () {
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    const known = yield* requestLink(visitor({ user_agent: firefox }))
    assert.include(known?.text, "Time: January 1, 1970 at 00:00 (UTC)\nBrowser: Firefox on Linux\n")
    const unknown = yield* requestLink(visitor({ user_agent: "<b>Call +1555</b>" }))
    assert.notInclude(unknown?.text, "Browser:")
    assert.notInclude(unknown?.text, "Call")
  })
})

describe("a code for a phone", () => {
  const send = Effect.fnUntraced(function* (origin?: string) {
    const their = visitor(origin === undefined ? {} : { origin })
    yield* their.body(phones.endpoints.phoneSendOtp, { phone: number })
    return (yield* texts).at(-1)?.text ?? ""
  })
  const settings = { public_url: "https://accounts.example.com", trusted_origins: ["https://app.example.com"] }

  rule(
    "that a page of the service requested is bound to its host",
    function* () {
      const text = yield* send("https://accounts.example.com")
      const [, code] = /^(\d{6}) is your Sallyport code\./.exec(text) ?? []
      assert.isTrue(text.endsWith(`\n\n@accounts.example.com #${code}`))
    },
    settings,
  )

  rule(
    "that another client requested is not bound",
    function* () {
      for (const origin of [undefined, "https://app.example.com", "https://accounts.example.com.evil.example"])
        assert.notInclude(yield* send(origin), "@")
    },
    settings,
  )

  rule("is in the language of the user with the number", function* () {
    const otp = /\d{6}/.exec(yield* send())?.[0]
    const ada = visitor()
    yield* ada.body(phones.endpoints.signInPhone, { phone: number, otp })
    yield* ada.body(endpoints.updateUser, { locale: "es" })
    assert.match(yield* send(), /es su código de Sallyport\. Es válido durante 5 minutos\./)
  })
})
