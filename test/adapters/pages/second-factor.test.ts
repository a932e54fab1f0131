import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { twoFactor } from "../../../application/modules/two_factor/index.ts"
import * as Module from "../../../application/service/module.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { Users } from "../../../domain/users/tables.ts"
import { shownBy } from "../../two-factor.ts"
import { core, emails, mailedCode, mailedToken, password, rows, texts, withoutPassword, withVerified } from "../../world.ts"
import { served } from "../http/served.ts"
import type { Browse, Shown } from "./browse.ts"
import { addressOf, browse, signIn, signUp } from "./browse.ts"

const factor = (required: "none" | "everyone") => twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 3, required })
const codes = emailOtp.build({ length: 6, ttl: 300, max_attempts: 3, disable_signup: false })

const remembering = twoFactor.build({
  methods: ["totp"],
  issuer: "service",
  backup_code_count: 3,
  required: "none",
  remember_browser: { days: 30 },
})

const idOf = Effect.fnUntraced(function* (email: string) {
  const user = (yield* rows(Users)).find((each) => each.email === email)
  return user?.id ?? assert.fail(`no user ${email}`)
})

/** Signs a user up and sets an authenticator app up. */
const withApp = Effect.fnUntraced(function* (browser: Browse, email: string) {
  yield* signUp(browser, email)
  yield* withVerified(yield* idOf(email))
  const app = yield* browser.api("/2fa/totp/enable", { password })
  yield* browser.api("/2fa/totp/confirm", { code: yield* shownBy(app.secret) })
  yield* TestClock.adjust("30 seconds")
  return app as { readonly secret: string; readonly backup_codes: ReadonlyArray<string> }
})

const secretOn = ({ html }: Shown) =>
  /<code class="secret" id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(html)?.[1]?.replaceAll(" ", "") ?? assert.fail("no secret")

describe("the second factor", () => {
  it.layer(served({ modules: [...core, factor("none"), codes], pages: {} }))((it) => {
    it.effect("is asked after the password: code, wrong code, recovery code, and only in the middle of a sign-in", () =>
      Effect.gen(function* () {
        const { secret, backup_codes } = yield* withApp(browse(), "ada@example.com")
        const her = browse()
        yield* her.open("/sign-in?return_to=%2Faccount%2Fsessions")
        const asked = yield* signIn(her)
        assert.deepStrictEqual([asked.via, asked.heading], [["/sign-in/two-factor"], "Confirm that it is you"])
        assert.strictEqual(yield* addressOf(her), null)
        assert.include(asked.text, "You are signing in as ada@example.com . Sign in with another account")
        assert.match(asked.html, /inputmode="numeric" autocomplete="one-time-code" enterkeyhint="done"/)

        const wrong = yield* her.press(asked, "code", { code: "123" })
        assert.deepStrictEqual([wrong.status, wrong.problem], [400, "This code is wrong or has expired."])
        const code = yield* shownBy(secret)
        const done = yield* her.press(wrong, "code", { code: `${code.slice(0, 3)} ${code.slice(3)}` })
        assert.deepStrictEqual(done.via, ["/account/sessions"])
        const again = yield* her.open("/sign-in/two-factor")
        assert.deepStrictEqual(again.via, ["/account"])

        const other = browse()
        yield* signIn(other)
        const recovery = yield* other.open("/sign-in/recovery-code")
        assert.match(recovery.html, /autocomplete="off" autocapitalize="characters"/)
        assert.strictEqual((yield* other.press(recovery, "recovery", { code: "no-code" })).status, 400)
        assert.deepStrictEqual((yield* other.press(recovery, "recovery", { code: backup_codes[0] ?? "" })).via, ["/account"])

        const stranger = yield* browse().open("/sign-in/recovery-code")
        assert.deepStrictEqual([stranger.at, stranger.problem], ["/sign-in", "This step is no longer open. Sign in again."])
      }),
    )

    it.effect("offers to remember the browser only where the service does", () =>
      Effect.gen(function* () {
        yield* withApp(browse(), "asked@example.com")
        const asked = yield* signIn(browse(), "asked@example.com")
        assert.notInclude(asked.html, "remember_browser")
        assert.include(asked.html, "data-digits")
      }),
    )

    it.effect("is asked after a new password", () =>
      Effect.gen(function* () {
        yield* withApp(browse(), "reset@example.com")
        const her = browse()
        yield* her.press(yield* her.open("/forgot-password"), "send", { email: "reset@example.com" })
        const link = yield* her.open(`/reset-password?token=${yield* mailedToken}`)
        const asked = yield* her.press(link, "reset", { new_password: "another long password" })
        assert.deepStrictEqual([asked.via, yield* addressOf(her)], [["/sign-in/two-factor"], null])
      }),
    )

    it.effect("is locked after ten wrong codes, and says so", () =>
      Effect.gen(function* () {
        yield* withApp(browse(), "locked@example.com")
        const her = browse()
        let page = yield* signIn(her, "locked@example.com")
        for (let attempt = 0; attempt < 20 && page.status !== 429 && page.at !== "/sign-in"; attempt++) {
          page = yield* her.press(page, "code", { code: "000" })
          if (page.at === "/sign-in") page = yield* signIn(her, "locked@example.com")
        }
        assert.strictEqual(page.status, 429)
        assert.match(page.problem, /Too many wrong codes/)
      }),
    )

    it.effect("leads back to the sign-in page after the challenge has ended", () =>
      Effect.gen(function* () {
        yield* withApp(browse(), "late@example.com")
        const her = browse()
        const asked = yield* signIn(her, "late@example.com")
        yield* TestClock.adjust("2 hours")
        const late = yield* her.press(asked, "code", { code: "123456" })
        assert.deepStrictEqual([late.at, late.problem], ["/sign-in", "This step is no longer open. Sign in again."])
      }),
    )

    it.effect("is asked for a step-up: app or recovery code, then the page that needed it", () =>
      Effect.gen(function* () {
        const her = browse()
        const { secret, backup_codes } = yield* withApp(her, "step@example.com")
        const page = yield* her.open("/step-up?return_to=%2Faccount%2Fpasskeys")
        assert.deepStrictEqual(
          page.forms.flatMap(({ buttons }) => Object.keys(buttons)),
          ["code"],
        )
        const wrong = yield* her.press(page, "code", { code: "1" })
        assert.strictEqual(wrong.status, 400)
        assert.deepStrictEqual((yield* her.press(wrong, "code", { code: yield* shownBy(secret) })).via, ["/account/passkeys"])
        const recovery = yield* her.open("/step-up?way=recovery&return_to=https%3A%2F%2Fevil.example")
        assert.deepStrictEqual((yield* her.press(recovery, "recovery", { code: backup_codes[1] ?? "" })).via, ["/account"])
      }),
    )

    it.effect("a step-up takes the password, or a mailed code of users without one", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "grace@example.com")
        const page = yield* her.open("/step-up")
        assert.match(page.html, /autocomplete="username" value="grace@example.com" readonly/)
        const wrong = yield* her.press(page, "password", { password: "wrong" })
        assert.deepStrictEqual([wrong.status, wrong.problem], [401, "The password is wrong."])
        assert.deepStrictEqual((yield* her.press(wrong, "password", { password })).via, ["/account"])

        const id = yield* idOf("grace@example.com")
        yield* withoutPassword(id)
        assert.deepStrictEqual((yield* her.open("/step-up")).forms, [])
        yield* withVerified(id)
        const sent = yield* her.press(yield* her.open("/step-up?return_to=%2Faccount%2Fdelete"), "send")
        assert.strictEqual(sent.at, "/step-up?return_to=%2Faccount%2Fdelete")
        const code = /\b(\d{6})\b/.exec((yield* emails).at(-1)?.text ?? "")?.[1] ?? ""
        assert.deepStrictEqual((yield* her.press(sent, "email_code", { code })).via, ["/account/delete"])
      }),
    )

    it.effect("visitors without a session sign in before a step-up, and return to it", () =>
      Effect.gen(function* () {
        const shown = yield* browse().open("/step-up?return_to=%2Faccount")
        assert.strictEqual(shown.at, "/sign-in?return_to=%2Fstep-up%3Freturn_to%3D%252Faccount")
      }),
    )
  })
})

describe("a required second factor", () => {
  const settings = { email_password: { enabled: true, require_email_verification: true } }
  it.layer(served({ modules: [...core, factor("everyone")], pages: {}, settings }))((it) => {
    it.effect("is enrolled before the first session; the recovery codes are shown until they are saved", () =>
      Effect.gen(function* () {
        const her = browse()
        const sent = yield* signUp(her, "new@example.com")
        assert.strictEqual(sent.at, "/verify-email/sent")
        yield* her.press(yield* her.open(`/verify-email?token=${yield* mailedToken}`), "verify")

        const required = yield* signIn(her, "new@example.com")
        assert.deepStrictEqual([required.at, required.heading], ["/sign-in/enrol", "Set up two-step sign-in"])
        const page = yield* her.press(required, "start")
        const secret = secretOn(page)
        assert.match(page.html, /<svg class="qr" viewBox="0 0 \d+ \d+" [^>]*role="img" aria-label="QR code/)
        assert.notMatch(page.html, /<svg[^>]*style|<style/)
        const wrong = yield* her.press(page, "confirm", { code: "1" })
        assert.deepStrictEqual([wrong.status, secretOn(wrong)], [400, secret])

        const saved = yield* her.press(wrong, "confirm", { code: yield* shownBy(secret) })
        assert.strictEqual(saved.at, "/sign-in/recovery-codes")
        const codes = saved.html.match(/<li>[0-9a-z]{5}-[0-9a-z]{5}<\/li>/g) ?? []
        assert.lengthOf(codes, 3)
        const file = yield* her.press(saved, "download")
        for (const code of codes) assert.include(file.html, code.slice(4, -5))
        assert.strictEqual(yield* addressOf(her), "new@example.com")
        assert.deepStrictEqual((yield* her.press(saved, "saved")).via, ["/account"])
        assert.deepStrictEqual((yield* her.open("/sign-in/recovery-codes")).via, ["/account"])
      }),
    )
  })
})

describe("a required change of the password", () => {
  const administration = admin.build(
    Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"], required_actions: true }),
  )
  it.layer(served({ modules: [...core, administration, factor("none")], pages: {} }))((it) => {
    it.effect("is made on a page of the sign-in, before a required factor", () =>
      Effect.gen(function* () {
        const [root, her] = [browse(), browse()]
        yield* signUp(root, "root@example.com")
        yield* signUp(browse(), "ada@example.com")
        const user_id = yield* idOf("ada@example.com")
        yield* withVerified(user_id)
        yield* root.api("/admin/users/require", { user_id, actions: ["change_password", "enrol_factor"] })
        assert.strictEqual((yield* her.open("/sign-in/new-password")).at, "/sign-in")
        const asked = yield* signIn(her, "ada@example.com")
        assert.deepStrictEqual([asked.at, asked.heading], ["/sign-in/new-password", "Choose a new password"])
        const same = yield* her.press(asked, "change", { new_password: password })
        assert.deepStrictEqual([same.status, same.problem], [400, "This is your present password. Choose another one."])
        const factor = yield* her.press(same, "change", { new_password: "another correct horse" })
        assert.strictEqual(factor.at, "/sign-in/enrol")
        const page = yield* her.press(factor, "start")
        const saved = yield* her.press(page, "confirm", { code: yield* shownBy(secretOn(page)) })
        assert.strictEqual(saved.at, "/sign-in/recovery-codes")
        assert.strictEqual(yield* addressOf(her), "ada@example.com")
      }),
    )
  })
})

describe("a challenge of a module of the operator", () => {
  const captcha = Challenges.make({
    of: "single_factor",
    output: Schema.Struct({ captcha_required: Schema.Literal(true), ...Challenges.ChallengeFields }),
    ask: () => Effect.succeed(Option.some({ captcha_required: true as const })),
  })
  const asking = Module.define({ name: "captcha", settings: Module.NoSettings, parts: () => ({ challenge: captcha }) }).build({})

  it.layer(served({ modules: [...core, asking], pages: {} }))((it) => {
    it.effect("is shown as a page that names the further step", () =>
      Effect.gen(function* () {
        yield* signUp(browse())
        const page = yield* signIn(browse())
        assert.deepStrictEqual([page.status, page.at, page.heading], [200, "/sign-in/two-factor", "A further step is needed"])
      }),
    )
  })
})

describe("a remembered browser", () => {
  it.layer(served({ modules: [...core, remembering], pages: {} }))((it) => {
    it.effect("is offered beside the code, listed among the devices, and forgotten there", () =>
      Effect.gen(function* () {
        const { secret, backup_codes } = yield* withApp(browse(), "ada@example.com")
        const her = browse()
        const asked = yield* signIn(her)
        assert.include(asked.text, "Do not ask for a code in this browser for 30 days")
        assert.notInclude(asked.html, "data-digits")
        yield* her.press(asked, "code", { code: yield* shownBy(secret), remember_browser: "yes" })
        yield* her.api("/sign-out", {})
        assert.deepStrictEqual((yield* signIn(her)).via, ["/account"])

        const other = browse()
        yield* signIn(other)
        const recovery = yield* other.open("/sign-in/recovery-code")
        yield* other.press(recovery, "recovery", { code: backup_codes[0] ?? "", remember_browser: "yes" })
        const devices = yield* her.open("/account/sessions")
        assert.include(devices.text, "Browsers without a code")
        const forgotten = yield* her.press(devices, "forget")
        assert.deepStrictEqual(forgotten.notice, "This browser is asked for a code again.")
        assert.deepStrictEqual(yield* her.api("/2fa/browsers/list").pipe(Effect.map(({ browsers }) => browsers.length)), 1)
        assert.deepStrictEqual((yield* signIn(other)).via, ["/sign-in/two-factor"])
      }),
    )
  })
})

describe("a mailed code", () => {
  const mailing = twoFactor.build({
    methods: ["totp", "email"],
    issuer: "service",
    backup_code_count: 3,
    required: "none",
  })
  it.layer(served({ modules: [...core, mailing, codes], pages: {} }))((it) => {
    it.effect("is turned on in the account, asked at the sign-in and the step-up, and turned off", () =>
      Effect.gen(function* () {
        const ada = browse()
        yield* signUp(ada, "ada@example.com")
        yield* withVerified(yield* idOf("ada@example.com"))
        const offer = yield* ada.open("/account/email-codes")
        const mailed = yield* ada.press(offer, "send")
        assert.include(mailed.text, "We sent a code by email to")
        const refused = yield* ada.press(mailed, "enable", { code: "1", password })
        assert.include(refused.text, "This code is wrong or has expired.")
        const on = yield* ada.press(refused, "enable", { code: yield* mailedCode, password })
        assert.strictEqual(on.notice, "Codes by email are turned on. All your other devices were signed out.")

        const her = browse()
        const asked = yield* signIn(her)
        assert.deepStrictEqual(asked.via, ["/sign-in/two-factor", "/sign-in/factor-code"])
        assert.include(asked.text, "a•••@example.com")
        assert.notInclude(asked.text, "Use the authenticator app")
        const waiting = yield* her.press(asked, "send")
        const wrong = yield* her.press(waiting, "code", { code: "1" })
        assert.include(wrong.text, "This code is wrong or has expired.")
        const done = yield* her.press(wrong, "code", { code: yield* mailedCode })
        assert.deepStrictEqual(done.via, ["/account"])

        const proof = yield* her.open("/step-up")
        const form = yield* her.press(proof, "send_factor")
        yield* her.press(form, "factor", { code: yield* mailedCode, password })
        const off = yield* her.open("/account/email-codes")
        const ended = yield* her.press(off, "disable", { password })
        assert.strictEqual(ended.notice, "Codes by email are turned off.")
        assert.deepStrictEqual((yield* signIn(browse())).via, ["/account"])
      }),
    )

    it.effect("leads to the account's security without the method, and back to the sign-in without a challenge", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* browse().open("/sign-in/factor-code")).via, ["/sign-in"])
        const eve = browse()
        yield* signUp(eve, "eve@example.com")
        assert.deepStrictEqual((yield* eve.open("/account/sms-codes")).via, ["/account/security"])
      }),
    )
  })
})

describe("a code by SMS", () => {
  const texting = twoFactor.build({ methods: ["email", "sms"], issuer: "service", backup_code_count: 3, required: "none" })
  const number = "+442079460018"
  const textedCode = Effect.map(texts, (all) => /\b\d{6}\b/.exec(all.at(-1)?.text ?? "")?.[0] ?? "")
  it.layer(served({ modules: [...core, texting, phone.build(Schema.decodeUnknownSync(phone.settings)({}))], pages: {} }))((it) => {
    it.effect("is turned on once there is a number, asked at the sign-in and the step-up, and keeps the number", () =>
      Effect.gen(function* () {
        const ada = browse()
        yield* signUp(ada, "ada@example.com")
        yield* withVerified(yield* idOf("ada@example.com"))
        assert.include((yield* ada.open("/account/sms-codes")).html, 'href="/account/phone"')
        yield* ada.api("/phone/send-otp", { phone: number })
        yield* ada.api("/phone/verify", { phone: number, otp: yield* textedCode })
        const texted = yield* ada.press(yield* ada.open("/account/sms-codes"), "send")
        assert.include(texted.text, "We sent a code by SMS to •••18")
        const on = yield* ada.press(texted, "enable", { code: yield* textedCode, password })
        assert.strictEqual(on.notice, "Codes by SMS are turned on. All your other devices were signed out.")
        const kept = yield* ada.press(yield* ada.open("/account/connections"), "unlink", {}, { provider: "phone" })
        assert.strictEqual(kept.problem, "Codes by SMS to your number are a part of signing in. Turn them off first.")

        const her = browse()
        const asked = yield* signIn(her)
        assert.deepStrictEqual(asked.via, ["/sign-in/two-factor", "/sign-in/factor-code"])
        const wrong = yield* her.press(yield* her.press(asked, "send"), "code", { code: "1" })
        assert.include(wrong.text, "This code is wrong or has expired.")
        assert.deepStrictEqual((yield* her.press(wrong, "code", { code: yield* textedCode })).via, ["/account"])

        const form = yield* her.press(yield* her.open("/step-up"), "send_factor")
        yield* her.press(form, "factor", { code: yield* textedCode, password })
        assert.include((yield* her.open("/account/security")).html, 'href="/account/sms-codes"')
        const ended = yield* her.press(yield* her.open("/account/sms-codes"), "disable", { password })
        assert.strictEqual(ended.notice, "Codes by SMS are turned off.")
        assert.deepStrictEqual((yield* signIn(browse())).via, ["/account"])
      }),
    )

    it.effect("is one of two ways to get a code, which link to each other", () =>
      Effect.gen(function* () {
        const ada = browse()
        const email = "both@example.com"
        yield* signUp(ada, email)
        yield* withVerified(yield* idOf(email))
        yield* ada.api("/phone/send-otp", { phone: "+442079460019" })
        yield* ada.api("/phone/verify", { phone: "+442079460019", otp: yield* textedCode })
        yield* ada.api("/2fa/codes/send", { method: "email" })
        yield* ada.api("/2fa/codes/enable", { method: "email", code: yield* mailedCode, password })
        yield* ada.api("/2fa/codes/send", { method: "sms" })
        yield* ada.api("/2fa/codes/enable", { method: "sms", code: yield* textedCode, password })

        const her = browse()
        const byMail = yield* signIn(her, email)
        assert.include(byMail.text, "Send a code to b•••@example.com")
        assert.include(byMail.text, "Get a code by SMS")
        const bySms = yield* her.open("/sign-in/factor-code?method=sms")
        assert.include(bySms.text, "Send a code to •••19")
        const sent = yield* her.press(bySms, "send")
        assert.include(sent.text, "Get a code by email")
        assert.include((yield* her.open("/sign-in/factor-code?method=email")).text, "Send a code to b•••@example.com")
        assert.deepStrictEqual((yield* her.press(sent, "code", { code: yield* textedCode })).via, ["/account"])

        const proof = yield* her.open("/step-up?way=sms")
        assert.include(proof.text, "Get a code by email")
        const form = yield* her.press(proof, "send_factor")
        yield* her.press(form, "factor", { code: yield* textedCode, password })
      }),
    )
  })
})
