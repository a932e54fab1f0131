import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { modules as everything } from "../../everything.ts"
import { password } from "../../world.ts"
import { ask, base } from "../http/served.ts"
import { browse, signedUp, withPages } from "./browse.ts"

const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const request = {
  redirect_uri: "com.example.app:/auth",
  state: "a&b",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
}
const pathOf = (more: object = {}) => `/native?${new URLSearchParams({ ...request, ...more })}`
/** Where the page after the form leads. */
const targetOf = (html: string) => new URL((/http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&"))
/** A link or a redirect to another site. */
const leads = /http-equiv="refresh"|(href|action)="[^/#]/
const exchanged = (code: string | null) => ask("POST", `${base}/native/exchange`, { body: JSON.stringify({ code, code_verifier }) })

describe("the page for apps", () => {
  it.layer(withPages())((it) => {
    it.effect("shows the app and the account, and leads back with a code, which the app exchanges for a token", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const page = yield* ada.open(pathOf())
        assert.strictEqual(page.heading, "Go back to your app")
        for (const part of ["com.example.app", "ada@example.com", "only if you have just started"]) assert.include(page.text, part)
        const left = yield* ada.press(page, "continue")
        assert.strictEqual(left.heading, "One moment")
        assert.include(left.text, "com.example.app")
        const to = targetOf(left.html)
        assert.deepStrictEqual([`${to.protocol}${to.pathname}`, to.searchParams.get("state")], ["com.example.app:/auth", "a&b"])
        const { status, json, headers } = yield* exchanged(to.searchParams.get("code"))
        assert.deepStrictEqual([status, json.user.email], [200, "ada@example.com"])
        const authorization = `Bearer ${headers["set-auth-token"]}`
        const own = (yield* ask("GET", `${base}/get-session`, { headers: { authorization } })).json
        assert.strictEqual(own.user.email, "ada@example.com")
      }),
    )

    it.effect("sends visitors to the sign-in and back, with its address", () =>
      Effect.gen(function* () {
        yield* signedUp("grace@example.com")
        const their = browse()
        const signIn = yield* their.open(pathOf())
        assert.match(signIn.at, /^\/sign-in\?return_to=%2Fnative%3Fredirect_uri%3D/)
        const page = yield* their.press(signIn, "password", { identifier: "grace@example.com", password })
        assert.deepStrictEqual([page.at, page.heading], [pathOf(), "Go back to your app"])
      }),
    )

    it.effect("never leads to an address that is not listed, and asks no one to sign in for a request with a fault", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("mary@example.com")
        const without = (name: string) => pathOf().replace(new RegExp(`${name}=[^&]*&?`), "")
        for (const path of [
          ...[
            "https://evil.example.com/",
            "com.example.app:/auth/x",
            "javascript:alert(1)",
            "//evil.example.com",
            "http://localhost/auth",
          ].map((redirect_uri) => pathOf({ redirect_uri })),
          pathOf({ code_challenge_method: "plain" }),
          pathOf({ code_challenge: "x" }),
          pathOf({ state: "x".repeat(513) }),
          ...["redirect_uri", "code_challenge", "code_challenge_method"].map(without),
        ])
          for (const their of [ada, browse()]) {
            const page = yield* their.open(path)
            assert.deepStrictEqual([page.status, page.heading, page.forms.length], [400, "This link is not valid", 0], path)
            assert.notMatch(page.html, leads)
          }
        // The form of a valid request, sent to the address of another.
        const page = yield* ada.open(pathOf())
        const fields = { ...ada.formOf(page, "continue").values, action: "continue" }
        const forged = yield* ada.request("POST", pathOf({ redirect_uri: "https://evil.example.com/" }), fields)
        assert.strictEqual(forged.status, 400)
        assert.notMatch(forged.text, leads)
      }),
    )

    it.effect("issues no code without a form of this browser", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("alan@example.com")
        const { status, text } = yield* ada.request("POST", pathOf(), { action: "continue" })
        assert.strictEqual(status, 403)
        assert.notInclude(text, "code=")
      }),
    )
  })

  it.layer(withPages(everything.filter(({ name }) => name !== "bearer")))((it) => {
    it.effect("does not exist without the module", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* (yield* signedUp("ada@example.com")).open(pathOf())).status, 404)
      }),
    )
  })
})
