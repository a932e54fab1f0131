import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { phone } from "../../../application/modules/phone/index.ts"
import { PhoneSettings } from "../../../application/modules/phone/settings.ts"
import { modules as everything } from "../../everything.ts"
import { authenticator } from "../../passkeys.ts"
import { shownBy, step } from "../../two-factor.ts"
import { password, texts, withoutPassword, withVerified } from "../../world.ts"
import { served } from "../http/served.ts"
import type { Browse } from "./browse.ts"
import { signedUp, withPages } from "./browse.ts"

/** The JSON of a route for scripts. */
const asked = Effect.fnUntraced(function* (their: Browse, path: string) {
  const [form] = (yield* their.open("/account")).forms
  return yield* their.request("POST", path, { form_token: form?.values["form_token"] ?? "" })
})

/** Adds a passkey as the script of the page does. */
const withPasskey = Effect.fnUntraced(function* (their: Browse, name: string, device = authenticator()) {
  const page = yield* their.open("/account/passkeys/add")
  const options = (yield* asked(their, "/account/passkey-options")).json
  const response = JSON.stringify(device.create(options))
  return { options, response, shown: yield* their.press(page, "add", { response, rp: options.rp.id, name }) }
})

describe("passkeys", () => {
  layer(withPages())((it) => {
    it.effect("are added, renamed and removed, and the script passes the change to authenticators", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const empty = yield* ada.open("/account/security")
        assert.include(empty.text, "You have no passkeys yet.")
        assert.isBelow(empty.text.indexOf("Passkeys"), empty.text.indexOf("Password"))
        const page = yield* ada.open("/account/passkeys/add")
        assert.include(page.html, 'value="Firefox on Linux"')
        assert.include(page.html, "<noscript>")
        const { shown, options } = yield* withPasskey(ada, "مفتاح")
        assert.include(shown.text, "The passkey was added.")
        assert.include(shown.html, "<bdi>مفتاح</bdi>")
        assert.include(shown.text, "Never used")
        assert.include(shown.html, "passkey-signals.")
        assert.notInclude((yield* ada.open("/account/security")).html, "passkey-signals")

        const signals = (yield* asked(ada, "/account/passkey-signals")).json
        assert.deepStrictEqual(
          [signals.rpId, signals.userId, signals.name, signals.allAcceptedCredentialIds.length],
          ["localhost", options.user.id, "ada@example.com", 1],
        )

        const [link = ""] = /\/account\/passkey\?id=[\w-]+/.exec(shown.html) ?? []
        const renamed = yield* ada.press(yield* ada.open(link), "rename", { name: "Laptop" })
        assert.include(renamed.text, "Laptop")
        const unnamed = yield* ada.press(yield* ada.open(link), "rename", { name: "" })
        assert.deepStrictEqual([unnamed.status, unnamed.html.includes('<a href="#name">')], [400, true])
        const removed = yield* ada.press(yield* ada.open(link), "remove")
        assert.include(removed.text, "The passkey was removed.")
        assert.strictEqual((yield* ada.open(link)).status, 404)
      }),
    )

    it.effect("of other users cannot be seen or changed", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* signedUp("own@example.com"), yield* signedUp("eve@example.com")]
        const { shown } = yield* withPasskey(ada, "Mine")
        yield* withPasskey(eve, "Hers")
        const [link = ""] = /\/account\/passkey\?id=[\w-]+/.exec(shown.html) ?? []
        assert.strictEqual((yield* eve.open(link)).status, 404)
        const [form] = (yield* eve.open("/account")).forms
        for (const action of ["rename", "remove"]) {
          const answer = yield* eve.request("POST", link, { ...form?.values, action, name: "Stolen" })
          assert.strictEqual(answer.status, 404, action)
        }
        assert.include((yield* ada.open("/account/security")).text, "Mine")
      }),
    )

    it.effect("cannot be removed as the last way to sign in", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("last@example.com")
        const { shown } = yield* withPasskey(ada, "Only")
        yield* withoutPassword(ada.user.id)
        yield* ada.api("/unlink-account", { provider_id: "idp_one" })
        const [link = ""] = /\/account\/passkey\?id=[\w-]+/.exec(shown.html) ?? []
        const refused = yield* ada.press(yield* ada.open(link), "remove")
        assert.deepStrictEqual([refused.status, refused.text.includes("This is your only way to sign in.")], [400, true])
      }),
    )

    it.effect("that the service refuses are reported to the browser", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("refused@example.com")
        const { response } = yield* withPasskey(ada, "First")
        const page = yield* ada.open("/account/passkeys/add")
        const again = yield* ada.press(page, "add", { response, rp: "localhost", name: "Again" })
        assert.deepStrictEqual([again.status, again.html.includes("data-refused-id")], [401, false])
        const stranger = JSON.stringify({ ...JSON.parse(response), id: "c3RyYW5nZXI", rawId: "c3RyYW5nZXI" })
        const refused = yield* ada.press(page, "add", { response: stranger, rp: "localhost", name: "Other" })
        assert.include(refused.html, 'data-refused-id="c3RyYW5nZXI"')
        assert.strictEqual((yield* ada.press(page, "add", { response: "{", name: "x" })).status, 400)
      }),
    )

    it.effect("need a verified address and a recent proof, which the script receives as codes", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("old@example.com")
        yield* withVerified(ada.user.id, false)
        const unverified = yield* asked(ada, "/account/passkey-options")
        assert.deepStrictEqual([unverified.status, unverified.json.error.code], [403, "email_not_verified"])
        yield* withVerified(ada.user.id)
        yield* TestClock.adjust("2 hours")
        const stale = yield* asked(ada, "/account/passkey-options")
        assert.deepStrictEqual([stale.status, stale.json.error.code], [403, "session_not_fresh"])
        const page = yield* ada.open("/account/passkeys/add")
        assert.include(page.html, 'data-step-up="/step-up?return_to=%2Faccount%2Fpasskeys%2Fadd"')
        const none = yield* ada.request("POST", "/account/passkey-options", {})
        assert.deepStrictEqual([none.status, none.json.error.code], [403, "stale_form"])
      }),
    )
  })
})

describe("the authenticator app", () => {
  layer(withPages())((it) => {
    it.effect("is set up with a QR code, and its recovery codes are shown once", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const start = yield* ada.open("/account/authenticator")
        const wrong = yield* ada.press(start, "begin", { password: "a wrong one" })
        assert.deepStrictEqual([wrong.status, wrong.text.includes("The password is wrong.")], [401, true])
        const scan = yield* ada.press(start, "begin", { password })
        assert.include(scan.html, '<svg class="qr"')
        const secret = (/<code class="secret" id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(scan.html)?.[1] ?? "").replaceAll(" ", "")
        assert.lengthOf(secret, 32)
        assert.notInclude(scan.at, secret)

        const refused = yield* ada.press(scan, "confirm", { code: "000000" })
        assert.deepStrictEqual([refused.status, refused.html.includes('<svg class="qr"')], [400, true])
        const code = yield* shownBy(secret)
        const codes = yield* ada.press(refused, "confirm", { code: `${code.slice(0, 3)} ${code.slice(3)}` })
        assert.strictEqual(codes.at, "/account/recovery-codes")
        const shown = codes.html.match(/<li>[0-9a-z]{5}-[0-9a-z]{5}<\/li>/g) ?? []
        assert.lengthOf(shown, 10)
        assert.include(codes.html, "data-print")
        const file = yield* ada.press(codes, "download")
        assert.strictEqual(file.answer.headers["content-disposition"], 'attachment; filename="recovery-codes.txt"')
        assert.strictEqual(file.answer.headers["content-type"], "text/plain; charset=utf-8")
        for (const each of shown) assert.include(file.html, each.slice(4, -5))

        const done = yield* ada.press(codes, "saved")
        assert.deepStrictEqual([done.at, done.text.includes("10 recovery codes are left.")], ["/account/security", true])
        const later = yield* ada.open("/account/recovery-codes")
        assert.notMatch(later.html, /class="codes"/)
        assert.strictEqual((yield* ada.open("/account/authenticator")).at, "/account/security")

        const replaced = yield* ada.press(later, "replace", { password })
        assert.match(replaced.html, /class="codes"/)
        assert.notInclude(replaced.html, shown[0] ?? "")
        assert.strictEqual((yield* ada.press(later, "replace", { password: "a wrong one" })).status, 401)

        const disable = yield* ada.open("/account/authenticator/disable")
        assert.strictEqual((yield* ada.press(disable, "disable", { password: "a wrong one" })).status, 401)
        assert.include((yield* ada.press(disable, "disable", { password })).text, "The authenticator app is turned off.")
        assert.strictEqual((yield* ada.open("/account/authenticator/disable")).at, "/account/security")
      }),
    )

    it.effect("asks users without a password for a code", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("code@example.com")
        yield* withoutPassword(ada.user.id)
        const scan = yield* ada.press(yield* ada.open("/account/authenticator"), "begin")
        const secret = (/<code class="secret" id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(scan.html)?.[1] ?? "").replaceAll(" ", "")
        const restarted = yield* ada.press(scan, "restart")
        assert.notInclude(restarted.html, 'class="qr"')
        yield* ada.press(yield* ada.press(restarted, "begin"), "confirm", { code: "1" })
        const open = yield* ada.open("/account/authenticator")
        const second = (/<code class="secret" id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(open.html)?.[1] ?? "").replaceAll(" ", "")
        assert.notStrictEqual(second, secret)
        const codes = yield* ada.press(open, "confirm", { code: yield* shownBy(second) })
        const [, backup = ""] = /<li>([0-9a-z-]{11})<\/li>/.exec(codes.html) ?? []
        yield* TestClock.adjust(step * 1000)
        const disable = yield* ada.open("/account/authenticator/disable")
        const refused = yield* ada.press(disable, "disable", { code: "000000" })
        assert.deepStrictEqual([refused.status, refused.html.includes('<a href="#code">')], [400, true])
        assert.include((yield* ada.press(disable, "disable", { code: backup })).text, "is turned off")
      }),
    )

    it.effect("shows no secret and no codes to the next user of the browser", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("first@example.com")
        yield* ada.press(yield* ada.open("/account/authenticator"), "begin", { password })
        yield* ada.api("/sign-out", {})
        yield* ada.api("/sign-up/email", { email: "second@example.com", password })
        assert.notInclude((yield* ada.open("/account/authenticator")).html, '<svg class="qr"')
      }),
    )
  })
})

describe("the phone number", () => {
  layer(withPages())((it) => {
    it.effect("is linked by a code, and taken numbers are refused", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        assert.strictEqual((yield* ada.open("/account/phone/code")).at, "/account/phone")
        const empty = yield* ada.press(yield* ada.open("/account/phone"), "send", { phone: "" })
        assert.deepStrictEqual([empty.status, empty.html.includes('<a href="#phone">')], [400, true])
        const page = yield* ada.press(yield* ada.open("/account/phone"), "send", { phone: "+49 170 1234567" })
        assert.deepStrictEqual([page.at, page.text.includes("+49 170 1234567")], ["/account/phone/code", true])
        assert.strictEqual((yield* ada.press(page, "verify", { code: "1" })).status, 400)
        assert.strictEqual((yield* ada.press(page, "again")).status, 429)
        yield* TestClock.adjust("30 seconds")
        assert.include((yield* ada.press(page, "again")).html, 'class="notice"')
        const [code = ""] = /\d{6}/.exec((yield* texts).at(-1)?.text ?? "") ?? []
        const linked = yield* ada.press(page, "verify", { code: `${code.slice(0, 3)}-${code.slice(3)}` })
        assert.deepStrictEqual([linked.at, linked.text.includes("+49 170 1234567")], ["/account", true])

        const eve = yield* signedUp("eve@example.com")
        const hers = yield* eve.press(yield* eve.open("/account/phone"), "send", { phone: "+49 (170) 123-4567" })
        const [second = ""] = /\d{6}/.exec((yield* texts).at(-1)?.text ?? "") ?? []
        const taken = yield* eve.press(hers, "verify", { code: second })
        assert.deepStrictEqual([taken.status, taken.text.includes("belongs to another account")], [409, true])

        const connections = yield* ada.open("/account/connections")
        assert.include(connections.text, "+49 170 1234567")
        assert.include((yield* ada.press(connections, "unlink", {}, { provider: "phone" })).text, "The account is disconnected.")
      }),
    )
  })
})

describe("a number without its calling code", () => {
  layer(withPages())((it) => {
    it.effect("is refused", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const refused = yield* ada.press(yield* ada.open("/account/phone"), "send", { phone: "030 901820" })
        assert.deepStrictEqual(
          [refused.status, refused.problem],
          [400, "Enter a phone number with its country code, such as +44 20 7946 0018."],
        )
      }),
    )
  })

  const german = phone.build({ ...Schema.decodeSync(PhoneSettings)({}), default_country: "DE" })
  const modules = [...everything.filter(({ name }) => name !== "phone"), german]
  layer(served({ modules, pages: {}, phoneCountry: "DE" }))((it) => {
    it.effect("is one of the country of the configuration, and shown with it", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const page = yield* ada.press(yield* ada.open("/account/phone"), "send", { phone: "030 901820" })
        assert.include(page.text, "We have sent a code to +49 30 901820 .")
        const [code = ""] = /\d{6}/.exec((yield* texts).at(-1)?.text ?? "") ?? []
        assert.include((yield* ada.press(page, "verify", { code })).text, "+49 30 901820")
      }),
    )
  })
})
