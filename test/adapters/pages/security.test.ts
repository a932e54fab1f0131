import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pages } from "../../../adapters/pages/pages.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { emails, mailedToken, password, rows } from "../../world.ts"
import { ask, served } from "../http/served.ts"
import { addressOf, atOnce, browse, origin, signIn, signUp } from "./browse.ts"

const trusted = "https://app.example.com"
const world = { modules, pages: {}, settings: { trusted_origins: [trusted, "https://*.preview.example.com"] } }

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Targets of attackers: each must lead to the account. */
const hostile = [
  "https://evil.example/",
  "//evil.example",
  "///evil.example/%2e%2e",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "http:evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:///evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "blob:http://localhost:3000/x",
  "mailto:a@evil.example",
  "https://app.example.com.evil.example/",
  "https://app.example.com@evil.example/",
  "https://localhost:3000@evil.example/",
  "http://localhost:3000@evil.example/",
  "http://user:password@localhost:3000/account",
  "https://evil.example#https://app.example.com",
  "https://evil.example?https://app.example.com",
  "https://preview.example.com.evil.example",
  "https://preview.example.com",
  "http://app.example.com/",
  "https://app.example.com:8443/",
  "http://localhost:3001/",
  "http://localhost/",
  "//localhost:3000.evil.example/",
  "\u2028//evil.example",
  "/%0d%0aLocation:%20https://evil.example\r\nx: y",
  "https://еvil.example",
  `/${"a".repeat(3000)}`,
  " //evil.example",
  "",
]

/** Targets that visitors return to, and where they then are. */
const friendly = [
  ["/account/passkeys?tab=1#list", "/account/passkeys?tab=1#list"],
  ["http://localhost:3000/account", "/account"],
  ["/..//evil.example", "/evil.example"],
  ["http://localhost:3000//evil.example", "/evil.example"],
] as const

const script = `"><script>alert(1)</script>'&{{x}}\${x}<img src=x onerror=alert(1)>`
const marks = ["<script>alert", "<img src=x", "onerror=alert(1)>"]

describe("redirects", () => {
  it.layer(served(world))((it) => {
    it.effect.each(hostile)("return_to %j leads to the account", (target) =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.open(`/sign-up?${new URLSearchParams({ return_to: target })}`)
        const done = yield* signUp(her, `u${hostile.indexOf(target)}@example.com`)
        assert.deepStrictEqual(done.via, ["/account"])
        const continued = yield* her.open(`/sign-in?${new URLSearchParams({ return_to: target })}`)
        assert.match(continued.html, /<a class="button" href="\/account">/)
        const language = yield* her.request("GET", `/language?${new URLSearchParams({ tag: "en", return_to: target })}`)
        assert.strictEqual(language.headers.location, "/")
        const step = yield* her.press(yield* her.open(`/step-up?${new URLSearchParams({ return_to: target })}`), "password", { password })
        assert.deepStrictEqual(step.via, ["/account"])
      }),
    )

    it.effect.each(friendly)("return_to %j leads to %j", ([target, wanted]) =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.open(`/sign-up?${new URLSearchParams({ return_to: target })}`)
        const page = yield* her.open("/sign-up")
        const form = her.formOf(page, "sign_up")
        const email = `f${wanted.length}${target.length}@example.com`
        const answer = yield* her.request("POST", form.to, { ...form.values, email, new_password: password, action: "sign_up" })
        assert.deepStrictEqual([answer.status, answer.headers.location], [303, wanted])
      }),
    )

    it.effect("a trusted origin is reached by a page, not by a redirect that form-action would stop", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.open(`/sign-up?${new URLSearchParams({ return_to: "https://a.preview.example.com/done?x=1&y=2" })}`)
        const done = yield* signUp(her, "trusted@example.com")
        assert.strictEqual(done.status, 200)
        assert.match(done.html, /<meta http-equiv="refresh" content="0; url=https:\/\/a\.preview\.example\.com\/done\?x=1&amp;y=2">/)
      }),
    )
  })
})

describe("after a form", () => {
  it.layer(served(world))((it) => {
    it.effect("the authorization endpoint is reached by a page: it redirects to clients, which form-action would stop", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.open(`/sign-up?${new URLSearchParams({ return_to: "/api/auth/oauth2/authorize?client_id=x" })}`)
        const done = yield* signUp(her, "client@example.com")
        assert.match(done.html, /content="0; url=http:\/\/localhost:3000\/api\/auth\/oauth2\/authorize\?client_id=x">/)
      }),
    )
  })
})

describe("forms of other sites", () => {
  it.layer(served(world))((it) => {
    it.effect("are refused: without a token, with a wrong one, with that of another browser, without the cookie", () =>
      Effect.gen(function* () {
        const victim = browse()
        yield* signUp(victim)
        const form = victim.formOf(yield* victim.open("/sign-out"), "sign_out")
        const attacker = browse()
        const theirs = attacker.formOf(yield* attacker.open("/sign-in"), "password").values["form_token"] ?? ""
        for (const form_token of [undefined, "", "x", theirs, `${form.values["form_token"]}x`]) {
          const fields = { action: "sign_out", ...(form_token === undefined ? {} : { form_token }) }
          const answer = yield* victim.request("POST", form.to, fields)
          assert.strictEqual(answer.status, 403, form_token)
        }
        assert.strictEqual((yield* browse().request("POST", form.to, { ...form.values, action: "sign_out" })).status, 303)
        assert.strictEqual(yield* addressOf(victim), "ada@example.com")
      }),
    )

    it.effect("are refused if they were read before the sign-in, and shown again with a new token", () =>
      Effect.gen(function* () {
        const her = browse()
        const [tab, other] = [yield* her.open("/sign-up"), yield* her.open("/forgot-password")]
        yield* her.press(tab, "sign_up", { email: "renewed@example.com", new_password: password })
        const again = yield* her.press(other, "send", { email: "renewed@example.com" })
        assert.deepStrictEqual(
          [again.status, again.problem],
          [403, "This page is out of date: it was open for too long, or you have signed in since. Send the form again."],
        )
        assert.match(again.html, /value="renewed@example.com"/)
        assert.strictEqual((yield* her.press(again, "send")).at, "/forgot-password/sent")

        const form = her.formOf(yield* her.open("/sign-out"), "sign_out")
        yield* signIn(her, "renewed@example.com")
        assert.strictEqual((yield* her.request("POST", form.to, { ...form.values, action: "sign_out" })).status, 403)
        assert.strictEqual(yield* addressOf(her), "renewed@example.com")
      }),
    )

    it.effect("are refused by their origin, before they are read", () =>
      Effect.gen(function* () {
        const victim = browse()
        yield* signUp(victim, "origin@example.com")
        const { to, values } = victim.formOf(yield* victim.open("/sign-out"), "sign_out")
        const fields = { ...values, action: "sign_out" }
        for (const more of [{ origin: "https://evil.example" }, { origin: "null" }, { origin: `${origin}.evil.example` }]) {
          const answer = yield* victim.request("POST", to, fields, more)
          assert.strictEqual(answer.status, 403)
          assert.match(answer.text, /<h1>Not allowed<\/h1>/)
        }
        assert.strictEqual(yield* addressOf(victim), "origin@example.com")
      }),
    )

    it.effect("resources of scripts need the token too", () =>
      Effect.gen(function* () {
        const her = browse()
        const form = her.formOf(yield* her.open("/sign-in"), "password")
        const token = { form_token: form.values["form_token"] ?? "" }
        const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        for (const path of ["/sign-in/passkey-options", "/sign-in/wallet-message"]) {
          const refused = yield* her.request("POST", path, { address })
          assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "stale_form"])
          assert.strictEqual((yield* her.request("POST", path, { ...token, address }, { origin: "https://evil.example" })).status, 403)
          assert.strictEqual((yield* her.request("GET", path)).status, 404)
        }
        const options = yield* her.request("POST", "/sign-in/passkey-options", token)
        assert.deepStrictEqual([options.json.allowCredentials, options.json.rpId], [[], "localhost"])
        const { json } = yield* her.request("POST", "/sign-in/wallet-message", { ...token, address: address.toLowerCase() })
        assert.match(json.message, new RegExp(`^localhost:3000 wants you to sign in with your Ethereum account:\n${address}\n\n\nURI: `))
        assert.strictEqual((yield* her.request("POST", "/sign-in/wallet-message", { ...token, address: script })).status, 400)
      }),
    )
  })
})

describe("what was entered", () => {
  it.layer(served(world))((it) => {
    it.effect.each(pages.map(({ path }) => path))("%s shows no text as HTML, wherever it comes from", (path) =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, `x${path.length}${path.replaceAll(/\W/g, "")}@example.com`)
        yield* her.api("/update-user", { name: script })
        const query = new URLSearchParams(
          ["return_to", "login_hint", "ui_locales", "token", "invitation_id", "tag", "way", "accepted", script].map((name) => [
            name,
            script,
          ]),
        )
        const clean = (html: string) => {
          for (const mark of marks) assert.notInclude(html, mark)
        }
        for (const address of [`${path}?${query}`, path]) clean((yield* her.open(address)).html)
        const page = yield* her.open(path)
        for (const form of page.forms) {
          for (const action of [...Object.keys(form.buttons), script]) {
            const entered = Object.fromEntries(
              [...form.fields, "identifier", "email", "session_id", "provider"].map((name) => [name, script]),
            )
            clean((yield* her.request("POST", form.to, { ...form.values, ...entered, action })).text)
          }
        }
        const cookies = [...her.cookies.keys()].map((name) => `${name}=${encodeURIComponent(script)}`).join("; ")
        clean((yield* her.request("GET", path, undefined, { cookie: cookies, "accept-language": script })).text)
      }),
    )
  })
})

describe("every page", () => {
  it.layer(served(world))((it) => {
    it.effect.each(pages.map(({ path }) => path))("%s has its headers, and GET and HEAD change nothing", (path) =>
      Effect.gen(function* () {
        const before = [yield* rows(Users), yield* rows(Sessions), (yield* emails).length]
        for (const method of ["GET", "HEAD"]) {
          const { headers, status, text } = yield* browse().request(method, path)
          assert.include(path === "/native" ? [400] : [200, 303], status)
          assert.strictEqual(headers["content-security-policy"], policy)
          assert.strictEqual(headers["cache-control"], "no-store")
          assert.strictEqual(headers["referrer-policy"], "same-origin")
          assert.strictEqual(headers["x-frame-options"], "DENY")
          assert.strictEqual(headers["x-content-type-options"], "nosniff")
          assert.notMatch(text, /<script(?! src="\/assets\/)|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost)/)
          if (method === "HEAD") assert.strictEqual(text, "")
        }
        assert.deepStrictEqual([yield* rows(Users), yield* rows(Sessions), (yield* emails).length], before)
      }),
    )

    it.effect("a token leaves the address at once, and is in no page", () =>
      Effect.gen(function* () {
        for (const [path, name] of [
          ["/magic-link", "token"],
          ["/verify-email", "token"],
          ["/reset-password", "token"],
          ["/accept-invitation", "invitation_id"],
        ] as const) {
          const her = browse()
          const answer = yield* her.request("GET", `${path}?${name}=a-secret-token`)
          assert.deepStrictEqual([answer.status, answer.headers.location], [303, path])
          assert.notInclude(JSON.stringify(answer.headers), "a-secret-token")
          assert.notInclude((yield* her.open(path)).html, "a-secret-token")
        }
      }),
    )

    it.effect("scanners of mails do not use a link up", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.press(yield* her.open("/sign-in"), "magic_link", { identifier: "scanned@example.com" })
        const link = `/magic-link?token=${yield* mailedToken}`
        for (let scan = 0; scan < 3; scan++) {
          const scanner = browse()
          for (const method of ["HEAD", "GET"]) yield* scanner.request(method, link)
          for (const method of ["HEAD", "GET"]) yield* scanner.request(method, "/magic-link")
        }
        yield* her.press(yield* her.open(link), "sign_in")
        assert.strictEqual(yield* addressOf(her), "scanned@example.com")
      }),
    )

    it.effect("a form that is sent several times at once acts once", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* her.press(yield* her.open("/sign-in"), "magic_link", { identifier: "twice@example.com" })
        const link = her.formOf(yield* her.open(`/magic-link?token=${yield* mailedToken}`), "sign_in")
        const before = (yield* rows(Sessions)).length
        const at = { ...link.values, action: "sign_in" }
        const answers = yield* atOnce([1, 2, 3].map(() => her.request("POST", link.to, at)))
        assert.lengthOf(yield* rows(Sessions), before + 1)
        assert.deepStrictEqual(
          answers.map(({ headers }) => headers.location),
          ["/account", "/account", "/account"],
        )

        const owner = browse()
        yield* signUp(owner, "owner-twice@example.com")
        const form = owner.formOf(yield* owner.open("/account/organizations"), "create")
        const fields = { ...form.values, name: "Looms", slug: "looms-twice", action: "create" }
        const created = yield* atOnce([1, 2, 3].map(() => owner.request("POST", form.to, fields)))
        assert.deepStrictEqual(
          created.map(({ status }) => status),
          [303, 303, 303],
        )
        assert.lengthOf((yield* owner.api("/organization/list")).organizations, 1)
      }),
    )

    it.effect("the cookie of the flow is sealed, and bound to the host", () =>
      Effect.gen(function* () {
        const her = browse()
        const answer = yield* her.request("GET", "/reset-password?token=a-secret-token")
        const [cookie = ""] = answer.headers["set-cookie"] ?? []
        assert.match(cookie, /^__Host-flow=[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
        assert.notInclude(Buffer.from(cookie.split(/[=.;]/)[1] ?? "", "base64url").toString("latin1"), "a-secret-token")
        her.cookies.set("__Host-flow", `${her.cookies.get("__Host-flow")}x`)
        assert.strictEqual((yield* her.open("/reset-password")).heading, "This link no longer works")
      }),
    )

    it.effect("unknown addresses get a page, in browsers only and outside of the endpoints only", () =>
      Effect.gen(function* () {
        const page = yield* browse().open(`/nowhere/${encodeURIComponent(script)}`)
        assert.deepStrictEqual([page.status, page.heading], [404, "Page not found"])
        assert.strictEqual(page.answer.headers["content-security-policy"], policy)
        for (const mark of marks) assert.notInclude(page.html, mark)
        const asked = [
          yield* ask("GET", "/nowhere"),
          yield* ask("GET", "/api/auth/nowhere", { headers: { accept: "text/html" } }),
          yield* ask("POST", "/nowhere", { headers: { accept: "text/html" } }),
          yield* ask("GET", "/sign%2Din"),
        ]
        for (const { status, json } of asked) assert.deepStrictEqual([status, json.error.code], [404, "not_found"])
      }),
    )

    it.effect("password managers find the pages for passwords and passkeys", () =>
      Effect.gen(function* () {
        const password = yield* ask("GET", "/.well-known/change-password")
        assert.deepStrictEqual([password.status, password.headers.location], [303, "/account/password"])
        const passkeys = yield* ask("GET", "/.well-known/passkey-endpoints")
        const pages = { enroll: `${origin}/account/passkeys/add`, manage: `${origin}/account/security` }
        assert.deepStrictEqual([passkeys.status, passkeys.json], [200, pages])
      }),
    )

    it.effect("a body that is too large, and one of another type, are refused by a page", () =>
      Effect.gen(function* () {
        const her = browse()
        const { values } = her.formOf(yield* her.open("/sign-in"), "password")
        const large = yield* her.request("POST", "/sign-in", { ...values, identifier: "x".repeat(2_000_000) })
        assert.deepStrictEqual([large.status, large.headers["content-type"]], [413, "text/html; charset=utf-8"])
        const other = yield* her.request("POST", "/sign-in", values, { "content-type": "text/plain" })
        assert.strictEqual(other.status, 403)
      }),
    )
  })
})
