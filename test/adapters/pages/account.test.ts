import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { accountPages, accountResources } from "../../../adapters/pages/account/index.ts"
import { modules } from "../../everything.ts"
import { password, withoutPassword } from "../../world.ts"
import type { Shown } from "./browse.ts"
import { browse, signedUp, withPages } from "./browse.ts"
import { states } from "./states/index.ts"
import { rendered } from "./states/rendered.ts"

const isServed = (needs: ReadonlyArray<string>) => {
  const names = modules.flatMap(({ endpoints }) => Object.keys(endpoints))
  return needs.every((name) => names.includes(name))
}

describe("every page of the account", () => {
  layer(withPages())((it) => {
    it("has its endpoints", () => {
      for (const { path, needs } of [...accountPages, ...accountResources]) assert.isTrue(isServed(needs), path)
    })

    it.effect("leads visitors without a session to the sign-in page, and back", () =>
      Effect.gen(function* () {
        const theirs = browse()
        for (const { path } of accountPages) {
          const answer = yield* theirs.request("GET", `${path}?id=1`)
          assert.deepStrictEqual(
            [answer.status, answer.headers.location],
            [303, `/sign-in?return_to=${encodeURIComponent(`${path}?id=1`)}`],
          )
        }
      }),
    )

    it.effect("refuses a form without the token of the browse, and from another site", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("csrf@example.com")
        yield* ada.open("/account")
        const attempts = accountPages.flatMap(({ path, actions = {} }) => Object.keys(actions).map((action) => [path, action] as const))
        assert.isAbove(attempts.length, 30)
        for (const [path, action] of attempts) {
          const stale = yield* ada.request("POST", path, { action, form_token: "x" })
          assert.include([403, 303, 404], stale.status, `${path} ${action}`)
          if (stale.status === 303) assert.notInclude(stale.headers.location, "/step-up", `${path} ${action}`)
          assert.strictEqual((yield* ada.open("/account")).status, 200, `${path} ${action}`)
        }
        const [form] = (yield* ada.open("/account")).forms
        const foreign = yield* ada.request(
          "POST",
          "/account",
          { ...form?.values, name: "Eve", action: "save" },
          { origin: "https://evil.example" },
        )
        assert.deepStrictEqual([foreign.status, foreign.headers["content-type"]], [403, "text/html; charset=utf-8"])
        for (const { path } of accountResources)
          assert.strictEqual((yield* ada.request("POST", path, { form_token: "x" })).status, 403, path)
        const { user } = yield* ada.api("/get-session")
        assert.deepStrictEqual([user.email, user.name], ["csrf@example.com", null])
      }),
    )

    it.effect("sends no page to a cache, and loads nothing from elsewhere", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("cache@example.com")
        for (const path of ["/account", "/account/security", "/account/sessions"]) {
          const { answer, html } = yield* ada.open(path)
          assert.strictEqual(answer.headers["cache-control"], "no-store")
          assert.notMatch(html, /(src|href)="(?!\/)[a-z]+:/)
          assert.notMatch(html, / style=| on[a-z]+=/)
        }
      }),
    )
  })
})

describe("the profile", () => {
  layer(withPages(modules, { trusted_origins: ["https://cdn.example.com"] }))((it) => {
    it.effect("changes the name and the picture, and shows a refused picture at its field", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com", "Ada")
        const saved = yield* ada.press(yield* ada.open("/account"), "save", { name: "عائشة <b>", image: "https://example.com/a.png" })
        assert.strictEqual(saved.at, "/account")
        assert.include(saved.text, "Your changes were saved.")
        assert.include(saved.html, "عائشة &lt;b&gt;")
        const { user } = yield* ada.api("/get-session")
        assert.deepStrictEqual([user.name, user.image], ["عائشة <b>", "https://example.com/a.png"])

        const refused = yield* ada.press(saved, "save", { image: "javascript:alert(1)" })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.html, '<a href="#image">')
        assert.include(refused.html, "<title>Error: Profile")
        assert.include(refused.html, 'aria-invalid="true"')
        assert.notInclude((yield* ada.open("/account")).text, "Your changes were saved.")
      }),
    )

    it.effect("shows the picture of a trusted origin only, and the first letter of the name otherwise", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("picture@example.com", "éva")
        const policyOf = ({ answer }: Shown) => answer.headers["content-security-policy"]
        for (const image of ["https://elsewhere.example/a.png", "https://cdn.example.com.evil.example/a.png"]) {
          yield* ada.api("/update-user", { image })
          const page = yield* ada.open("/account")
          assert.notInclude(page.html, "<img")
          assert.include(page.html, '<span class="avatar" aria-hidden="true">É</span>')
          assert.include(policyOf(page), "img-src 'self';")
        }
        yield* ada.api("/update-user", { image: "https://cdn.example.com/a.png?size=2&x=<" })
        const page = yield* ada.open("/account")
        assert.include(page.html, '<img class="avatar" src="https://cdn.example.com/a.png?size=2&amp;x=%3C" alt=""')
        assert.include(policyOf(page), "img-src 'self' https://cdn.example.com;")
        assert.include(policyOf(yield* ada.open("/account/security")), "img-src 'self';")
      }),
    )

    it.effect("shows a picture of its own origin, and removes what the user empties", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("own@example.com", "Ada")
        const saved = yield* ada.press(yield* ada.open("/account"), "save", { image: "/uploads/ädä.png?size=2" })
        assert.include(saved.html, '<img class="avatar" src="/uploads/%C3%A4d%C3%A4.png?size=2" alt=""')
        assert.include(saved.answer.headers["content-security-policy"], "img-src 'self';")
        assert.notMatch(saved.html, /<input[^>]*name="image"[^>]*type="url"/)
        const emptied = yield* ada.press(saved, "save", { name: "", image: "" })
        assert.notInclude(emptied.html, "<img")
        const { user } = yield* ada.api("/get-session")
        assert.deepStrictEqual([user.name, user.image], [null, null])
      }),
    )

    it.effect("changes the address at once where addresses need no proof", () =>
      Effect.gen(function* () {
        const [ada] = [yield* signedUp("old@example.com"), yield* signedUp("taken@example.com")]
        const form = yield* ada.open("/account/email")
        assert.include(form.text, "old@example.com")
        const taken = yield* ada.press(form, "change", { email: "taken@example.com" })
        assert.deepStrictEqual([taken.status, taken.at], [409, "/account/email"])
        assert.include(taken.html, '<a href="#email">')
        assert.strictEqual((yield* ada.press(form, "change", { email: "no address" })).status, 400)
        assert.include((yield* ada.press(form, "change", { email: "old@example.com" })).text, "This is your email address already.")
        const changed = yield* ada.press(form, "change", { email: "new@example.com" })
        assert.include(changed.text, "Your email address was changed.")
        assert.include(changed.text, "Not verified")
        assert.include(changed.html, "data-passkey-signals")
        assert.include((yield* ada.press(changed, "verify")).text, "Open it to verify the address.")
      }),
    )

    it.effect("sets a user name, and says why it is refused", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* signedUp("name@example.com"), yield* signedUp("name2@example.com")]
        const form = yield* ada.open("/account/username")
        assert.include((yield* ada.press(form, "save", { username: "Ada_L" })).text, "Your user name was saved.")
        const taken = yield* eve.press(yield* eve.open("/account/username"), "save", { username: "ada_l" })
        assert.deepStrictEqual([taken.status, taken.forms[0]?.values["username"]], [409, "ada_l"])
        assert.strictEqual((yield* ada.press(form, "save", { username: "a b" })).status, 400)
      }),
    )

    it.effect("deletes the account with its password only", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("gone@example.com")
        const form = yield* ada.open("/account/delete")
        const refused = yield* ada.press(form, "delete", { password: "a wrong one" })
        assert.deepStrictEqual([refused.status, refused.at], [401, "/account/delete"])
        assert.include(refused.text, "The password is wrong.")
        assert.notInclude(refused.html, "a wrong one")
        const done = yield* ada.press(refused, "delete", { password })
        assert.strictEqual(done.at, "/sign-in")
        assert.include(done.text, "Your account was deleted.")
        assert.strictEqual((yield* ada.open("/account")).at, "/sign-in?return_to=%2Faccount")
      }),
    )
  })
})

describe("where addresses must be verified", () => {
  const settings = { email_password: { enabled: true, require_email_verification: true } }
  layer(withPages(modules, settings))((it) => {
    it.effect("a change of address waits for the click in the new mailbox", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const sent = yield* ada.press(yield* ada.open("/account/email"), "change", { email: "new@example.com" })
        assert.strictEqual(sent.at, "/account/email/sent")
        assert.include(sent.text, "new@example.com")
        assert.strictEqual((yield* ada.press(sent, "again")).status, 429)
        yield* TestClock.adjust("30 seconds")
        const again = yield* ada.press(sent, "again")
        assert.deepStrictEqual([again.at, again.status], ["/account/email/sent", 200])
        assert.include(again.html, 'class="notice"')
        assert.include((yield* ada.open("/account")).text, "ada@example.com")
      }),
    )
  })
})

describe("the password", () => {
  layer(withPages())((it) => {
    it.effect("is changed with the current one, and signs out other devices unless the user wants otherwise", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const other = browse()
        yield* other.api("/sign-in/email", { email: "ada@example.com", password })
        const form = yield* ada.open("/account/password")
        assert.match(form.html, /autocomplete="username" value="ada@example.com" readonly/)
        const wrong = yield* ada.press(form, "change", { password: "a wrong one", new_password: "another good one" })
        assert.deepStrictEqual([wrong.status, wrong.html.includes('<a href="#password">')], [401, true])
        const short = yield* ada.press(form, "change", { password, new_password: "short" })
        assert.deepStrictEqual([short.status, short.html.includes('<a href="#new_password">')], [400, true])

        const unticked = { password, new_password: "another good one", sign_out_others: "" }
        const kept = yield* ada.press(form, "change", unticked)
        assert.deepStrictEqual([kept.at, (yield* other.open("/account")).at], ["/account/security", "/account"])
        const alone = { password: "another good one", new_password: "a third good one" }
        const done = yield* ada.press(yield* ada.open("/account/password"), "change", alone)
        assert.include(done.text, "All your other devices were signed out.")
        assert.strictEqual((yield* other.open("/account")).at, "/sign-in?return_to=%2Faccount")
        assert.strictEqual((yield* ada.open("/account")).at, "/account")
      }),
    )

    it.effect("is set by a mail where there is none", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("none@example.com")
        yield* withoutPassword(ada.user.id)
        const page = yield* ada.open("/account/password")
        assert.deepStrictEqual(
          page.forms.map(({ buttons }) => Object.keys(buttons)),
          [["set"]],
        )
        assert.include((yield* ada.press(page, "set")).text, "We have sent you a link")
        assert.notInclude((yield* ada.open("/account/delete")).html, 'name="password"')
      }),
    )
  })
})

describe("sessions", () => {
  layer(withPages())((it) => {
    it.effect("are listed with this one first, and end one by one or all at once", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* signedUp("ada@example.com"), yield* signedUp("eve@example.com")]
        const others = [browse(), browse(), browse()] as const
        for (const each of others) yield* each.api("/sign-in/email", { email: "ada@example.com", password })
        const [page, tab] = [yield* ada.open("/account/sessions"), yield* ada.open("/account/sessions")]
        assert.include(page.text, "This browser")
        const ends = page.forms.filter(({ buttons }) => "revoke" in buttons)
        assert.lengthOf(ends, 3)

        const ids = (yield* others[0].api("/get-session")).session.id
        const ended = yield* ada.press(page, "revoke", {}, { session_id: ids })
        assert.include(ended.text, "The device was signed out.")
        assert.strictEqual((yield* others[0].open("/account")).at, "/sign-in?return_to=%2Faccount")
        assert.include((yield* ada.press(tab, "revoke", {}, { session_id: ids })).text, "was signed out before")

        const stranger = (yield* eve.api("/get-session")).session.id
        assert.include((yield* ada.press(page, "revoke", { session_id: stranger })).text, "was signed out before")
        assert.strictEqual((yield* eve.open("/account")).at, "/account")

        assert.include((yield* ada.press(page, "others")).text, "All other devices were signed out.")
        assert.strictEqual((yield* others[1].open("/account")).at, "/sign-in?return_to=%2Faccount")
        assert.strictEqual((yield* ada.open("/account")).at, "/account")
        assert.notInclude((yield* ada.open("/account/sessions")).html, 'value="others"')
      }),
    )

    it.effect("were last active before a use would have been stored", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("seen@example.com")
        yield* browse().api("/sign-in/email", { email: "seen@example.com", password })
        const lastUses = Effect.map(ada.open("/account/sessions"), ({ text }) => text.match(/Last active [^U]*UTC(?: and [^U]*UTC)?/g))
        assert.deepStrictEqual(yield* lastUses, ["Last active on Jan 1, 1970, 12:00 AM UTC"])
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(yield* lastUses, ["Last active between Jan 1, 1970, 12:00 AM UTC and Jan 1, 1970, 1:00 AM UTC"])
        yield* TestClock.adjust("2 days")
        assert.deepStrictEqual(yield* lastUses, ["Last active between Jan 1, 1970, 12:00 AM UTC and Jan 2, 1970, 12:00 AM UTC"])
      }),
    )

    it.effect("are bounded by pages", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("many@example.com")
        for (let n = 0; n < 24; n++) yield* browse().api("/sign-in/email", { email: "many@example.com", password })
        const count = (html: string) => html.match(/value="revoke"/g)?.length
        const first = yield* ada.open("/account/sessions")
        const second = yield* ada.open("/account/sessions?page=2")
        assert.deepStrictEqual([count(first.html), count(second.html)], [19, 5])
        assert.include(first.html, 'href="/account/sessions?page=2"')
        assert.include(second.html, "First page")
        assert.include((yield* ada.open("/account/sessions?page=99")).text, "There are no devices on this page.")
        assert.strictEqual(count((yield* ada.open("/account/sessions?page=-1")).html), 19)
      }),
    )
  })
})

describe("activity", () => {
  layer(withPages())((it) => {
    it.effect("tells what happened in words, once for each sign-in", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("activity@example.com")
        yield* TestClock.adjust("1 second")
        yield* browse().api("/sign-in/email", { email: "activity@example.com", password })
        const { text, html } = yield* ada.open("/account/activity")
        assert.match(text, /Signed in .*Firefox on Linux.* IP address: .* Method: Password Signed in .*Added: Password .*Account created/)
        assert.notInclude(text, "Session started")
        assert.include(html, '<time datetime="1970-01-01T00:00:01.000Z">')
        assert.include(html, 'href="/account/password"')
        assert.include(html, '<a href="/account/activity" aria-current="page">Activity</a>')
      }),
    )

    it("tells refused sign-ins apart, and shows a type without a text by its name", async () => {
      const html = await rendered(states.find(({ page, name }) => page === "/account/activity" && name === "list")!, "en")
      assert.match(html, /Failed sign-in <bdi>×&nbsp;12<\/bdi> <span class="tag">Refused/)
      assert.include(html, "<bdi>a_module_of_your_own.something_with_a_long_name_happened</bdi>")
      assert.notInclude(html, "Session started")
    })

    it.effect("is bounded by pages, which another text than a place leads to the end of", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("busy@example.com")
        for (let n = 0; n < 12; n++) yield* browse().api("/sign-in/email", { email: "busy@example.com", password })
        const first = yield* ada.open("/account/activity")
        const [, next = ""] = /href="(\/account\/activity\?cursor=[^"]+)"/.exec(first.html) ?? []
        const second = yield* ada.open(next)
        assert.include(first.text, "Next page")
        assert.include(second.text, "Account created")
        assert.include(second.text, "First page")
        const none = yield* ada.open("/account/activity?cursor=x")
        assert.deepStrictEqual([none.status, none.text.includes("There is no activity on this page.")], [200, true])
      }),
    )

    it.effect("is of the user alone", () =>
      Effect.gen(function* () {
        const eve = yield* signedUp("other@example.com")
        assert.strictEqual((yield* eve.open("/account/activity")).html.match(/<li><div class="grow">/g)?.length, 3)
      }),
    )
  })

  layer(withPages(modules.filter(({ name }) => name !== "audit")))((it) => {
    it.effect("is missing without the module", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("none@example.com")
        assert.notInclude((yield* ada.open("/account")).html, "/account/activity")
        assert.strictEqual((yield* ada.open("/account/activity")).status, 404)
      }),
    )
  })
})

describe("connections", () => {
  layer(withPages())((it) => {
    it.effect("lead to the provider, and end unless they are the last way to sign in", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const page = yield* ada.open("/account/connections")
        assert.include(page.text, "No account is connected.")
        const away = yield* ada.press(page, "link", {}, { provider: "idp_one" })
        assert.match(away.html, /http-equiv="refresh" content="0; url=https:\/\/idp\.example\/authorize\?/)
        assert.strictEqual((yield* ada.press(page, "link", { provider: "unknown" })).status, 400)

        yield* withoutPassword(ada.user.id)
        const only = yield* ada.open("/account/connections")
        const refused = yield* ada.press(only, "unlink", {}, { provider: "idp_one" })
        assert.deepStrictEqual([refused.status, refused.text.includes("This is your only way to sign in.")], [400, true])
        assert.strictEqual((yield* ada.press(only, "unlink", { provider: "siwe" })).status, 404)
      }),
    )
  })
})

describe("a session without a recent proof", () => {
  layer(withPages())((it) => {
    it.effect("is led to the step-up page and back", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        yield* TestClock.adjust("2 days")
        const page = yield* ada.open("/account/email")
        const stepUp = yield* ada.press(page, "change", { email: "new@example.com" })
        assert.strictEqual(stepUp.at, "/step-up?return_to=%2Faccount%2Femail")
        const back = yield* ada.press(stepUp, "password", { password })
        assert.strictEqual(back.at, "/account/email")
        assert.include((yield* ada.press(back, "change", { email: "new@example.com" })).text, "Your email address was changed.")
      }),
    )
  })
})
