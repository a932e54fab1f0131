import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { modules } from "../../everything.ts"
import { emails, mailedCode, mailedToken, password, texts } from "../../world.ts"
import { served } from "../http/served.ts"
import { addressOf, browse, lastUsedBy, signIn, signUp } from "./browse.ts"

const all = { modules, pages: {} }
const verified = {
  ...all,
  settings: {
    email_password: { enabled: true, require_email_verification: true },
    links: { existing_account: "http://localhost:3000/sign-in" },
  },
}

/** The path of the newest link that was mailed. */
const mailedPath = Effect.map(emails, (sent) => {
  const links = sent.flatMap(({ text }) => /http:\/\/localhost:3000(\/\S+)/.exec(text)?.[1] ?? [])
  return links.at(-1) ?? assert.fail("no mail has a link")
})

const codeIn = (text: string) => /\b(\d{6})\b/.exec(text)?.[1] ?? assert.fail(`no code in ${text}`)

describe("sign-in", () => {
  it.layer(served(all))((it) => {
    it.effect("signs in with name and password, and goes to the account", () =>
      Effect.gen(function* () {
        yield* signUp(browse())
        const her = browse()
        const page = yield* her.open("/sign-in")
        assert.deepStrictEqual([page.status, page.heading], [200, "Sign in to Sallyport"])
        const next = yield* her.press(page, "password", { identifier: " ada@example.com", password })
        assert.deepStrictEqual(next.via, ["/account"])
        assert.strictEqual(yield* addressOf(her), "ada@example.com")
      }),
    )

    it.effect("says the same for a wrong password and an unknown address, and keeps the name", () =>
      Effect.gen(function* () {
        yield* signUp(browse(), "grace@example.com")
        const [known, unknown] = [yield* signIn(browse(), "grace@example.com", "wrong"), yield* signIn(browse(), "no@example.com", "wrong")]
        assert.strictEqual(known.status, 401)
        assert.match(known.title, /^Error: Sign in/)
        const normal = (html: string) => html.replaceAll(/(form_token" value=")[^"]*/g, "$1").replaceAll(/grace@|no@/g, "")
        assert.strictEqual(normal(known.html), normal(unknown.html))
        assert.strictEqual(known.problem, "The email address or the password is wrong.")
        assert.strictEqual((yield* signIn(browse(), "grace", "wrong")).problem, "The user name or the password is wrong.")
        assert.match(known.html, /value="grace@example.com"/)
        assert.notMatch(known.html, /value="wrong"/)
        assert.match(known.html, /<input id="password"[^>]*aria-describedby="password-fault"[^>]*aria-invalid="true"/)
      }),
    )

    it.effect("offers to continue or to change the account where a user is signed in", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "jean@example.com")
        const page = yield* her.open("/sign-in?return_to=%2Faccount%2Fpasskeys")
        assert.strictEqual(page.heading, "You are signed in")
        assert.match(page.html, /<a class="button" href="\/account\/passkeys">/)
        assert.match(page.html, /jean@example.com/)
        assert.strictEqual((yield* her.open("/sign-in?another=yes")).heading, "Sign in to Sallyport")
      }),
    )

    it.effect("signs in with a mailed code, however it is spelled", () =>
      Effect.gen(function* () {
        const her = browse()
        const waiting = yield* her.press(yield* her.open("/sign-in"), "email_code", { identifier: "code@example.com" })
        assert.strictEqual(waiting.at, "/sign-in/code")
        assert.match(waiting.html, /We sent a code by email to <strong><bdi dir="ltr">code@example.com/)
        const wrong = yield* her.press(waiting, "code", { code: "12" })
        assert.deepStrictEqual([wrong.status, wrong.problem], [400, "This code is wrong or has expired."])

        assert.match(wrong.html, /data-countdown="30">You can send it again in <bdi dir="ltr">0:30</)
        const soon = yield* her.press(wrong, "again")
        assert.strictEqual(soon.status, 429)
        assert.match(soon.problem, /Wait 30 seconds/)
        yield* TestClock.adjust("31 seconds")
        const again = yield* her.press(soon, "again")
        assert.deepStrictEqual([again.status, again.notice], [200, "We sent it again. Only the newest message works."])

        const code = codeIn((yield* emails).at(-1)?.text ?? "")
        const next = yield* her.press(again, "code", { code: ` ${code.slice(0, 3)} – ${code.slice(3)}` })
        assert.deepStrictEqual(next.via, ["/account"])
        assert.strictEqual(yield* addressOf(her), "code@example.com")
        assert.strictEqual((yield* her.open("/sign-in/code")).at, "/account")
        assert.strictEqual(lastUsedBy(her), "email_code")
      }),
    )

    it.effect("signs in with a code by SMS, and says to which number it was sent", () =>
      Effect.gen(function* () {
        const his = browse()
        const waiting = yield* his.press(yield* his.open("/sign-in"), "phone_code", { identifier: "+44 (20) 7946-0018" })
        assert.match(waiting.html, /by SMS to <strong><bdi dir="ltr">\+44\u00a020\u00a07946\u00a00018/)
        const code = codeIn((yield* texts).at(-1)?.text ?? "")
        assert.deepStrictEqual((yield* his.press(waiting, "code", { code })).via, ["/account"])
        const none = browse()
        for (const identifier of ["no number", "030 901820", ""]) {
          const refused = yield* none.press(yield* none.open("/sign-in"), "phone_code", { identifier })
          assert.match(refused.problem, /Enter a phone number with its country code/)
        }
      }),
    )

    it.effect("shows the form again with the values when its token is old, and sends it then", () =>
      Effect.gen(function* () {
        yield* signUp(browse(), "stale@example.com")
        const her = browse()
        const page = yield* her.open("/sign-in")
        const other = browse()
        other.cookies.set("__Host-flow", (yield* Effect.as(other.open("/sign-in"), other)).cookies.get("__Host-flow") ?? "")
        const stale = yield* other.press(page, "password", { identifier: "stale@example.com", password })
        assert.strictEqual(stale.status, 403)
        assert.match(stale.problem, /out of date/)
        assert.match(stale.html, /value="stale@example.com"/)
        assert.deepStrictEqual((yield* other.press(stale, "password", { password })).via, ["/account"])
      }),
    )

    it.effect("explains cookies to a browser that sends none, at its second try", () =>
      Effect.gen(function* () {
        const page = yield* browse().open("/sign-in")
        const without = yield* browse().press(page, "password", { identifier: "a@example.com", password: "x" })
        assert.strictEqual(without.status, 403)
        const again = yield* browse().press(without, "password", { password: "x" })
        assert.strictEqual(again.status, 400)
        assert.match(again.html, /sends no cookies/)
      }),
    )
  })
})

describe("limits", () => {
  const rate_limit = { enabled: true, sign_in: { limit: 1, window: 300 }, messages: { limit: 2, window: 600 } }
  it.layer(served({ ...all, settings: { rate_limit } }))((it) => {
    it.effect("throttles after too many attempts and says when to try again", () =>
      Effect.gen(function* () {
        const limited = browse()
        const first = yield* signIn(limited, "many@example.com", "wrong")
        const second = yield* signIn(limited, "many@example.com", "wrong")
        assert.deepStrictEqual([first.status, second.status], [401, 429])
        assert.strictEqual(second.problem, "Too many attempts. Try again in 5 minutes.")
        assert.match(second.html, /value="many@example.com"/)
      }),
    )

    it.effect("refuses further messages, and says for how long", () =>
      Effect.gen(function* () {
        const her = browse()
        const first = yield* her.press(yield* her.open("/forgot-password"), "send", { email: "limit@example.com" })
        yield* TestClock.adjust("31 seconds")
        const second = yield* her.press(first, "again")
        yield* TestClock.adjust("31 seconds")
        const third = yield* her.press(second, "again")
        assert.deepStrictEqual([second.status, third.status], [200, 429])
        assert.strictEqual(third.problem, "Too many attempts. Try again in 9 minutes.")
      }),
    )
  })
})

describe("sign-up", () => {
  it.layer(served(all))((it) => {
    it.effect("marks the field with the fault, and keeps the others", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.press(yield* her.open("/sign-up"), "sign_up", { name: "Ada", email: "no address", new_password: password })
        assert.strictEqual(page.status, 400)
        assert.match(page.html, /<a href="#email">Enter an email address/)
        assert.match(page.html, /name="name"[^>]*value="Ada"/)
        const short = yield* her.press(page, "sign_up", { email: "ada@example.com", new_password: "short" })
        assert.match(short.html, /<a href="#new_password">Use at least 8 characters\./)
        assert.match(short.html, /passwordrules="minlength: 8; maxlength: 128;"/)
      }),
    )

    it.effect("says that an address is taken where that is no secret", () =>
      Effect.gen(function* () {
        yield* signUp(browse(), "taken@example.com")
        const again = yield* signUp(browse(), "taken@example.com")
        assert.deepStrictEqual(
          [again.status, again.problem],
          [422, "There is already an account with this email address. Sign in instead."],
        )
      }),
    )
  })

  it.layer(served({ ...all, settings: { email_password: { enabled: false } } }))((it) => {
    it.effect("is closed without passwords, and sign-in offers the other ways", () =>
      Effect.gen(function* () {
        const her = browse()
        assert.strictEqual((yield* her.open("/sign-up")).heading, "Sign-up is closed")
        const page = yield* her.open("/sign-in")
        assert.deepStrictEqual(Object.keys(her.formOf(page, "email_code").buttons), ["email_code", "magic_link", "phone_code"])
      }),
    )
  })

  it.layer(served(verified))((it) => {
    it.effect("verifies with the mailed code in the same tab, and continues signed in", () =>
      Effect.gen(function* () {
        const [her, his] = [browse(), browse()]
        const elsewhere = yield* signUp(his, "elsewhere@example.com")
        const sent = yield* signUp(her, "code@example.com")
        const code = yield* mailedCode
        assert.strictEqual((yield* his.press(elsewhere, "code", { code })).status, 400)
        const wrong = yield* her.press(sent, "code", { code: code === "000000" ? "000001" : "000000" })
        assert.deepStrictEqual([wrong.status, wrong.at], [400, "/verify-email/sent"])
        const account = yield* her.press(wrong, "code", { code: `${code.slice(0, 3)} ${code.slice(3)}` })
        assert.deepStrictEqual([account.via, account.notice], [["/account"], "Your address is verified"])
        assert.deepStrictEqual((yield* signIn(browse(), "code@example.com")).via, ["/account"])
      }),
    )

    it.effect("verifies a visitor without a session with the mailed code, who then signs in", () =>
      Effect.gen(function* () {
        yield* signUp(browse(), "later@example.com")
        const his = browse()
        const sent = yield* signIn(his, "later@example.com")
        const done = yield* his.press(sent, "code", { code: yield* mailedCode })
        assert.strictEqual(done.at, "/verify-email/done")
        assert.deepStrictEqual((yield* signIn(his, "later@example.com")).via, ["/account"])
      }),
    )

    it.effect("answers a taken address like a free one, verifies by the mailed button, and then signs in", () =>
      Effect.gen(function* () {
        const her = browse()
        const sent = yield* signUp(her, "verify@example.com")
        assert.deepStrictEqual([sent.at, sent.status], ["/verify-email/sent", 200])
        assert.match(sent.html, /verify@example.com/)
        const taken = yield* signUp(browse(), "verify@example.com")
        const normal = (html: string) => html.replaceAll(/(form_token" value=")[^"]*/g, "$1")
        assert.strictEqual(normal(taken.html), normal(sent.html))

        yield* TestClock.adjust("1 minute")
        const refused = yield* signIn(her, "verify@example.com")
        assert.strictEqual(refused.at, "/verify-email/sent")
        assert.strictEqual(refused.problem, "Verify your email address first.")

        const link = yield* mailedPath
        const token = yield* mailedToken
        const page = yield* her.open(link)
        assert.deepStrictEqual(page.via, ["/verify-email"])
        assert.notInclude(page.html, token)
        assert.include(page.text, "Confirm that verify@example.com is yours.")
        const done = yield* her.press(page, "verify")
        assert.deepStrictEqual([done.at, done.heading], ["/verify-email/done", "Your address is verified"])
        assert.deepStrictEqual((yield* signIn(her, "verify@example.com")).via, ["/account"])

        yield* TestClock.adjust("1 minute")
        const before = (yield* emails).length
        const verifiedAlready = yield* signUp(browse(), "verify@example.com")
        assert.strictEqual(normal(verifiedAlready.html), normal(sent.html))
        const mails = (yield* emails).slice(before)
        assert.deepStrictEqual(
          mails.map(({ to, subject }) => [to, subject]),
          [["verify@example.com", "You already have a Sallyport account"]],
        )
        assert.match(mails[0]?.text ?? "", /http:\/\/localhost:3000\/sign-in\n/)

        const used = yield* her.open(link)
        assert.match(used.html, /has expired or was used/)
        assert.strictEqual((yield* her.press(used, "send", { email: "verify@example.com" })).at, "/verify-email/sent")
      }),
    )
  })
})

describe("mailed links", () => {
  it.layer(served(all))((it) => {
    it.effect("the code beside a magic link signs in on the page that asked for it", () =>
      Effect.gen(function* () {
        const her = browse()
        const waiting = yield* her.press(yield* her.open("/sign-in"), "magic_link", { identifier: "beside@example.com" })
        assert.deepStrictEqual((yield* her.press(waiting, "code", { code: yield* mailedCode })).via, ["/account"])
        assert.strictEqual(yield* addressOf(her), "beside@example.com")
        assert.strictEqual((yield* her.open(yield* mailedPath)).heading, "This link no longer works")
        assert.strictEqual(lastUsedBy(her), "magic_link")
      }),
    )

    it.effect("a magic link signs in by its button only, once, and warns in another browser", () =>
      Effect.gen(function* () {
        const her = browse()
        const waiting = yield* her.press(yield* her.open("/sign-in"), "magic_link", { identifier: "link@example.com" })
        assert.strictEqual(waiting.at, "/sign-in/link-sent")
        const link = yield* mailedPath
        for (const method of ["GET", "HEAD"]) {
          const scanner = browse()
          yield* scanner.request(method, link)
          yield* scanner.open("/magic-link")
        }
        const another = browse()
        const elsewhere = yield* another.open(link)
        assert.include(elsewhere.text, "This link signs in link@example.com . It was not requested in this browser.")
        const page = yield* her.open(link)
        assert.include(page.text, "Continue to sign in as link@example.com .")
        assert.strictEqual(yield* addressOf(her), null)
        assert.deepStrictEqual((yield* her.press(page, "sign_in")).via, ["/account"])
        assert.strictEqual(yield* addressOf(her), "link@example.com")

        assert.strictEqual((yield* her.open(link)).heading, "This link no longer works")
        const dead = yield* another.press(elsewhere, "sign_in")
        assert.strictEqual(dead.heading, "This link no longer works")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* another.press(dead, "send", { email: "link@example.com" })).at, "/sign-in/link-sent")
        const other = yield* her.open(yield* mailedPath)
        assert.match(other.html, /You are signed in as <strong><bdi dir="ltr">link@example.com/)
      }),
    )

    it.effect("a reset sets the password, ends all other sessions, says so, and signs in", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "reset@example.com")
        const sent = yield* her.press(yield* her.open("/forgot-password"), "send", { email: "reset@example.com" })
        const unknown = browse()
        const same = yield* unknown.press(yield* unknown.open("/forgot-password"), "send", { email: "none@example.com" })
        const normal = (html: string) => html.replaceAll(/(form_token" value=")[^"]*/g, "$1").replaceAll(/reset@|none@/g, "")
        assert.strictEqual(normal(sent.html), normal(same.html))

        const link = (yield* emails)
          .flatMap(({ to, text }) => (to === "reset@example.com" ? (/\/reset-password\?\S+/.exec(text) ?? []) : []))
          .at(-1)
        const page = yield* her.open(link ?? "")
        assert.match(page.html, /autocomplete="username" value="reset@example.com" readonly/)
        const another = browse()
        const held = yield* another.open(link ?? "")
        const short = yield* her.press(page, "reset", { new_password: "short" })
        assert.strictEqual(short.problem, "Use at least 8 characters.")
        const done = yield* her.press(short, "reset", { new_password: "another long password" })
        assert.deepStrictEqual(done.via, ["/account"])
        assert.include(done.text, "Your password is set, and you are signed out on all other devices.")
        assert.strictEqual(yield* addressOf(her), "reset@example.com")
        assert.deepStrictEqual((yield* signIn(browse(), "reset@example.com", "another long password")).via, ["/account"])
        assert.strictEqual((yield* her.open(link ?? "")).heading, "This link no longer works")
        const dead = yield* another.press(held, "reset", { new_password: "another long password" })
        assert.strictEqual(dead.heading, "This link no longer works")
      }),
    )

    it.effect("an invitation is accepted after signing up, by the address that was invited", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* signUp(owner, "owner@example.com")
        const { organization } = yield* owner.api("/organization/create", { name: "Café Zürich", slug: "cafe" })
        yield* owner.api("/organization/invite", { organization_id: organization.id, email: "guest@example.com" })
        // A link by a template without the token, which leads to the longer way.
        const link = (yield* mailedPath).replace(/&token=[^&]*/, "")

        const wrong = yield* owner.open(link)
        assert.include(wrong.text, "The invitation is for guest@example.com , but you are signed in as owner@example.com")
        assert.include(wrong.html, 'href="/sign-in?another=yes&amp;login_hint=guest%40example.com"')
        const { accept } = Object.fromEntries(wrong.forms.flatMap(({ buttons }) => Object.entries(buttons)))
        assert.isUndefined(accept)

        const guest = browse()
        const first = yield* guest.open(link)
        assert.deepStrictEqual([first.via, first.heading], [["/accept-invitation"], "You are invited"])
        assert.include(first.text, "A member invites you to Café Zürich")
        assert.include(first.text, "The invitation is for guest@example.com")
        assert.include(first.html, 'href="/sign-up?login_hint=guest%40example.com"')
        const offered = yield* signUp(guest, "guest@example.com")
        assert.deepStrictEqual(offered.via, ["/accept-invitation"])
        const done = yield* guest.press(offered, "accept")
        assert.match(done.html, /now a member of <strong><bdi>Café Zürich/)
        assert.include(done.html, `href="/account/organization?id=${organization.id}"`)
        assert.strictEqual((yield* guest.open(link)).heading, "This invitation is no longer open")
      }),
    )
  })
})

describe("several accounts", () => {
  it.layer(served(all))((it) => {
    it.effect("are chosen, removed and added", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "one@example.com")
        const already = yield* her.open("/sign-up")
        assert.deepStrictEqual([already.via, already.heading], [["/sign-in"], "You are signed in"])
        const toSignUp = /href="([^"]*\/sign-up[^"]*)"/.exec((yield* her.open("/sign-in?another=yes")).html)?.[1] ?? ""
        yield* her.press(yield* her.open(toSignUp), "sign_up", { email: "two@example.com", new_password: password })
        const page = yield* her.open("/choose-account?return_to=%2Faccount%2Fsessions")
        const forms = page.forms.filter(({ buttons }) => "choose" in buttons)
        assert.deepStrictEqual(
          forms.map(({ buttons }) => buttons["choose"]),
          ["one@example.com", "two@example.com current"],
        )
        const ofFirst = (shown: typeof page) => ({ ...shown, forms: shown.forms.filter(({ buttons }) => "choose" in buttons).slice(0, 1) })
        assert.deepStrictEqual((yield* her.press(ofFirst(page), "choose")).via, ["/account/sessions"])
        assert.strictEqual(yield* addressOf(her), "one@example.com")

        const first = ofFirst(yield* her.open("/choose-account"))
        const removed = yield* her.press(first, "remove")
        assert.strictEqual(removed.notice, "The account is signed out in this browser.")
        const stale = yield* her.press(first, "choose")
        assert.deepStrictEqual([stale.status, stale.problem], [404, "This session has ended. Choose another account, or sign in again."])
      }),
    )

    it.effect("sign-out asks first, clears the cache, and leaves nothing in the flow", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "out@example.com")
        const page = yield* her.open("/sign-out")
        assert.strictEqual(yield* addressOf(her), "out@example.com")
        const form = her.formOf(page, "sign_out")
        const answer = yield* her.request("POST", form.to, { ...form.values, action: "sign_out" })
        assert.deepStrictEqual([answer.status, answer.headers.location], [303, "/sign-out/done"])
        assert.strictEqual(answer.headers["clear-site-data"], '"cache"')
        assert.strictEqual(yield* addressOf(her), null)
        assert.strictEqual((yield* her.open("/sign-out")).heading, "You are signed out")
        assert.notInclude((yield* her.open("/sign-in")).html, "out@example.com")
      }),
    )
  })
})
