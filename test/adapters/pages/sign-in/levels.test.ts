import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { load } from "../../../../adapters/config/load.ts"
import { levelsOf } from "../../../../adapters/pages/sign-in/methods.ts"
import { optional } from "../../../../application/modules/index.ts"
import { modules } from "../../../everything.ts"
import { core, emails, password } from "../../../world.ts"
import type { Served } from "../../http/served.ts"
import { served } from "../../http/served.ts"
import { browse, lastUsedBy, lastUsedName, type Shown, signIn, signUp } from "../browse.ts"

const four = ["google", "github", "apple", "idp_one"]
const three = four.slice(0, 3)
const withSignIn = (sign_in: object, more: Served = {}) => served({ modules, pages: { sign_in }, providers: three, ...more })

/** The labels of the buttons of both levels, as they follow each other. */
const levelsIn = ({ html }: Shown) => {
  const [, main = ""] = /<h1>([\s\S]*)<\/main>/.exec(html) ?? []
  const [first = "", others] = main.split('<details class="others"')
  const labels = (part: string) =>
    [...part.matchAll(/<button type="submit"[^>]*>([\s\S]*?)<\/button>/g)].map(([, label = ""]) =>
      label
        .replace(/<span class="icon initial"[^>]*>.*?<\/span>/, "")
        .replace(/<[^>]*>/g, " ")
        .trim(),
    )
  return { first: labels(first), others: others === undefined ? null : labels(others) }
}
const shownBy = Effect.map(browse().open("/sign-in"), levelsIn)
const codes: [string, ...Array<string>] = ["Send me a code by email", "Send me a sign-in link", "Send me a code by SMS"]
const wallet = "Sign in with a wallet"
const passkey = "Sign in with a passkey"
const linked = ["Continue with Google", "Continue with GitHub", "Continue with Apple"]

describe("the levels of the sign-in page", () => {
  it.layer(withSignIn({}))((it) => {
    it.effect("the main ways and few providers are seen, the others open", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* shownBy, { first: ["Sign in", passkey, ...linked], others: [...codes, wallet] })
        const page = yield* browse().open("/sign-in")
        assert.match(page.html, /<details class="others"><summary>Other ways to sign in<\/summary>/)
        for (const icon of ["google", "github", "apple"]) assert.include(page.html, `icon-${icon}"`)
      }),
    )

    it.effect("a button of the others sends the entered name, and they stay open after a refusal", () =>
      Effect.gen(function* () {
        const her = browse()
        const refused = yield* her.press(yield* her.open("/sign-in"), "phone_code", { identifier: "no number" })
        assert.match(refused.html, /<details class="others" open>/)
        const sent = yield* her.press(refused, "email_code", { identifier: "ada@example.com" })
        assert.strictEqual(sent.at, "/sign-in/code")
        assert.deepStrictEqual(
          (yield* emails).map(({ to }) => to),
          ["ada@example.com"],
        )
        assert.notMatch((yield* signIn(browse(), "ada@example.com", "wrong")).html, /<details class="others" open>/)
      }),
    )
  })

  it.layer(withSignIn({}, { providers: four }))((it) => {
    it.effect("many providers are among the others", () =>
      Effect.gen(function* () {
        const { first, others } = yield* shownBy
        assert.deepStrictEqual(first, ["Sign in", passkey])
        assert.includeMembers(others ?? [], linked)
      }),
    )
  })

  it.layer(served({ modules: core, pages: {}, providers: ["google"] }))((it) => {
    it.effect("two ways are both seen", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* shownBy, { first: ["Sign in", "Continue with Google"], others: null })
      }),
    )
  })

  it.layer(withSignIn({}, { settings: { email_password: { enabled: false } } }))((it) => {
    it.effect("without passwords, the first way with a name leads", () =>
      Effect.gen(function* () {
        const [code, ...rest] = codes
        assert.deepStrictEqual(yield* shownBy, { first: [code, passkey, ...linked], others: [...rest, wallet] })
        const page = yield* browse().open("/sign-in")
        assert.notInclude(page.html, 'type="password"')
      }),
    )
  })
})

describe("pages.sign_in", () => {
  it.layer(withSignIn({ order: ["provider:github", "wallet", "email_code"], hidden: ["passkey", "provider:apple"] }))((it) => {
    it.effect("order brings ways to the front, and hidden leaves them out of the pages", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* shownBy, {
          first: ["Continue with GitHub", wallet, "Sign in", codes[0], "Continue with Google"],
          others: codes.slice(1),
        })
        const page = yield* browse().open("/sign-in")
        assert.notInclude(page.html, "webauthn")
        assert.notInclude(page.html, "/passkey.")
        const { first } = levelsIn(yield* browse().open("/sign-up"))
        assert.deepStrictEqual(first, ["Sign up", "Continue with GitHub", "Continue with Google"])
      }),
    )
  })

  it.layer(withSignIn({ hidden: ["password"] }))((it) => {
    it.effect("a hidden password leaves its field, its links and user names out; its endpoint stays", () =>
      Effect.gen(function* () {
        const her = browse()
        const { html } = yield* her.open("/sign-in")
        for (const absent of ['type="password"', "/forgot-password", "/sign-up", "user name"]) assert.notInclude(html, absent)
        yield* her.api("/sign-up/email", { email: "ada@example.com", password: "correct horse battery" })
      }),
    )
  })

  const faultOf = (sign_in: object) =>
    Effect.map(Effect.exit(Effect.scoped(Layer.build(withSignIn(sign_in)))), (exit) =>
      Exit.isFailure(exit) ? JSON.stringify(Cause.squash(exit.cause)) : "none",
    )

  it.effect.each([
    [{ order: ["provider:gitlab"] }, /pages\.sign_in\.order\.0: found ..provider:gitlab..?, wanted one of password, .*provider:google/],
    [{ hidden: ["passkey", "page:/sign-in/ldap"] }, /pages\.sign_in\.hidden\.1: found ..page:\/sign-in\/ldap/],
    [
      { hidden: ["password", "email_code", "magic_link", "phone_code", "passkey", "wallet", ...three.map((id) => `provider:${id}`)] },
      /pages\.sign_in\.hidden: found all ways to sign in/,
    ],
  ] as const)("%j stops the start", ([sign_in, fault]) => Effect.map(faultOf(sign_in), (found) => assert.match(found, fault)))

  const folder = mkdtempSync(join(tmpdir(), "sallyport-sign-in-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  it.effect.each(["passwords", "google", "provider:", "page:ldap", "magic-link", ""])("%j is no name of a way to sign in", (name) =>
    Effect.gen(function* () {
      const config = {
        secret: "a secret of thirty-two bytes or more",
        public_url: "https://id.example.com",
        pages: { sign_in: { order: [name] } },
      }
      writeFileSync(join(folder, "config.json"), JSON.stringify(config))
      const { faults } = yield* Effect.flip(load({ file: "config.json", directory: folder, environment: {} }, optional))
      assert.match(faults.join(), /^pages\.sign_in\.order\.0: found .*, wanted password, .*, passkey, wallet, .* or page:<path>$/)
    }),
  )
})

describe("the way that was used last", () => {
  const none = { order: [], hidden: [] }
  it("leads, and is on the first level", () => {
    const methods = ["password", ...["email_code", "magic_link", "phone_code"], "passkey", ...four.map((id) => `provider:${id}`)]
    const { first, others, last } = levelsOf(methods, { ...none, order: ["passkey"] }, "provider:github")
    assert.deepStrictEqual([first, last], [["provider:github", "passkey", "password"], "provider:github"])
    assert.lengthOf(others, 6)
  })

  it.each(["provider:gone", "wallet", "ada@example.com", "__proto__", "", "passkey"])(
    "%j has no effect where it is not offered",
    (used) => {
      const methods = ["password", "passkey", "provider:google"]
      const settings = { ...none, hidden: ["passkey"] }
      assert.deepStrictEqual(levelsOf(methods, settings, used), levelsOf(methods, settings, null))
    },
  )

  const markedIn = ({ html }: Shown) => /<button[^>]*value="([^"]*)"[^>]*aria-describedby="mark"/.exec(html)?.[1]
  it.layer(withSignIn({}))((it) => {
    it.effect("is remembered by a cookie with its name only, which lasts after signing out", () =>
      Effect.gen(function* () {
        yield* signUp(browse())
        const her = browse()
        yield* signIn(her, "ada@example.com", "wrong")
        assert.isNull(lastUsedBy(her))
        const form = her.formOf(yield* her.open("/sign-in"), "password")
        const entered = { identifier: "ada@example.com", password, action: "password" }
        const { headers } = yield* her.request("POST", form.to, { ...form.values, ...entered })
        const cookie = headers["set-cookie"]?.find((each) => each.startsWith(lastUsedName)) ?? ""
        for (const attribute of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=31536000"]) assert.include(cookie, attribute)
        assert.strictEqual(lastUsedBy(her), "password")

        yield* her.press(yield* her.open("/sign-out"), "sign_out")
        const page = yield* her.open("/sign-in")
        assert.strictEqual(markedIn(page), "password")
        assert.match(page.html, /<span class="mark" id="mark" aria-hidden="true">Last used<\/span>/)
        yield* her.press(page, "email_code", { identifier: "ada@example.com" })
        assert.strictEqual(markedIn(yield* her.open("/sign-in")), "password")
      }),
    )

    it.effect("is nothing where the cookie is forged", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "grace@example.com")
        assert.strictEqual(lastUsedBy(her), "password")
        const [, signature = ""] = her.cookies.get(lastUsedName)?.split(".") ?? []
        const passkey = Buffer.from(JSON.stringify({ method: "passkey" })).toString("base64url")
        for (const forged of [`${passkey}.${signature}`, passkey, "passkey", `.${signature}`, "%"]) {
          her.cookies.set(lastUsedName, forged)
          const page = yield* her.open("/sign-in?another=yes")
          assert.deepStrictEqual([page.status, markedIn(page)], [200, undefined], forged)
        }
      }),
    )
  })
})
