import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { OAuthStates } from "../../../../application/modules/social/flows.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import type { OpenedSession } from "../../../../domain/policies.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, endpoints, isSignedIn, mailedToken, onWire, password, rows, times } from "../../../world.ts"
import { began, configured, guest, including, makeProvider, rule, service, signedIn, signedUp, waysIn } from "./provider.ts"

const { signInSocial, oauthCallback, signInEmail, unlinkAccount } = service
const ada = { uid: "42", mail: "ADA@example.com", confirmed: true, nick: "Ada" }
const email = "ada@example.com"

describe("sign-in/social", () => {
  rule("redirects to the provider's page with all parameters that OAuth requires", function* () {
    const { url } = yield* guest().body(signInSocial, { provider: "acme" })
    const { origin, pathname, searchParams } = new URL(url)
    assert.strictEqual(`${origin}${pathname}`, "https://acme.example/authorize")
    const { state = "", code_challenge = "", ...rest } = Object.fromEntries(searchParams)
    assert.deepStrictEqual(rest, {
      response_type: "code",
      client_id: "our client",
      redirect_uri: "http://localhost:3000/api/auth/oauth/callback",
      scope: "profile mail",
      code_challenge_method: "S256",
    })
    assert.match(state, /^[\w-]{43}$/)
    assert.match(code_challenge, /^[\w-]{43}$/)
  })

  const opened: Array<OpenedSession["began"]> = []
  const log = Module.define({
    name: "log",
    settings: Module.NoSettings,
    parts: () => ({
      sessionOpened: ({ began }) =>
        Effect.as(
          Effect.sync(() => opened.push(began)),
          { writes: [] },
        ),
    }),
  }).build({})
  rule("passes the provider that a user came from to modules", function* (provider) {
    for (const _ of [1, 2]) {
      const their = browser(AuthOf.make([...service.modules, log]))
      yield* their.body(oauthCallback, yield* began(their, provider, ada))
    }
    assert.deepStrictEqual<ReadonlyArray<OpenedSession["began"]>>(
      opened,
      [true, false].map((is_sign_up) => ({ path: "/oauth/callback", provider_id: "acme", is_sign_up })),
    )
  })

  rule("stores the state hashed and the verifier encrypted; both are new each time", function* (provider) {
    const their = guest()
    const [one, two] = [yield* began(their, provider, ada), yield* began(their, provider, ada)]
    assert.notStrictEqual(one.state, two.state)
    const kept = JSON.stringify(yield* rows(OAuthStates))
    yield* their.body(oauthCallback, one)
    yield* their.body(oauthCallback, two)
    const verifiers = provider.requests.flatMap(({ form }) => form.getAll("code_verifier"))
    assert.lengthOf(new Set(verifiers), 2)
    for (const verifier of verifiers) assert.match(verifier, /^[\w-]{43}$/)
    for (const secret of [one.state, two.state, ...verifiers]) assert.notInclude(kept, secret)
  })

  rule("a preset brings its scopes, and may have parameters of its own", function* () {
    const { auth, signInSocial } = including({
      providers: [
        { preset: "idp_one", ...configured("x", { authorize_url: "https://x.example/?a=1&state=theirs" }), scopes: undefined },
      ].map(({ scopes, ...rest }) => rest),
    })
    const { url } = yield* browser(auth).body(signInSocial, { provider: "x" })
    const { searchParams } = new URL(url)
    assert.strictEqual(searchParams.get("scope"), "openid email profile")
    assert.strictEqual(searchParams.get("a"), "1")
    assert.lengthOf(searchParams.getAll("state"), 1)
    assert.notStrictEqual(searchParams.get("state"), "theirs")

    const two = yield* guest().body(service.signInSocial, { provider: "idp_two" })
    assert.strictEqual(new URL(two.url).searchParams.get("scope"), "read:user user:email")
  })

  rule("unknown_provider is the only error of the request", function* () {
    for (const input of [{}, { provider: null }, { provider: 1 }, { provider: ["acme"] }, { provider: "" }, { provider: "Acme" }]) {
      assert.strictEqual(yield* guest().code(signInSocial, input), "unknown_provider", JSON.stringify(input))
    }
    assert.strictEqual(yield* guest().code(signInSocial, { provider: "constructor" }), "unknown_provider")
    assert.lengthOf(yield* rows(OAuthStates), 0)
  })
})

describe("oauth/callback signs in", () => {
  rule("a new user is signed up with the name and a verified address", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    const { body, session } = yield* their.call(oauthCallback, back)
    const { id, created_at, updated_at, ...user } = (yield* onWire(oauthCallback, body)).user
    assert.deepStrictEqual(user, { email, email_verified: true, name: "Ada", image: null })
    assert.isObject(session)
    assert.isTrue(yield* isSignedIn(their))
    assert.deepStrictEqual(yield* waysIn(their), ["acme:42"])
    assert.lengthOf(yield* rows(OAuthStates), 0)
  })

  rule("sends the requests that OAuth and PKCE define", function* (provider) {
    const their = guest()
    const { url } = yield* their.body(signInSocial, { provider: "acme" })
    const { code, state } = provider.visit(url, ada)
    yield* their.body(oauthCallback, { code, state })
    const [token, userinfo, ...more] = provider.requests
    assert.lengthOf(more, 0)
    assert.deepStrictEqual([token?.method, token?.url], ["POST", "https://acme.example/token"])
    assert.strictEqual(token?.headers["content-type"], "application/x-www-form-urlencoded")
    const { code_verifier = "", ...form } = Object.fromEntries(token?.form ?? [])
    assert.deepStrictEqual(form, {
      grant_type: "authorization_code",
      code,
      redirect_uri: "http://localhost:3000/api/auth/oauth/callback",
      client_id: "our client",
      client_secret: "hunter2&=",
    })
    const challenge = createHash("sha256").update(code_verifier).digest("base64url")
    assert.strictEqual(new URL(url).searchParams.get("code_challenge"), challenge)
    assert.deepStrictEqual([userinfo?.method, userinfo?.url], ["GET", "https://acme.example/userinfo"])
    assert.match(userinfo?.headers["authorization"] ?? "", /^Bearer [\w-]{36}$/)
    for (const request of provider.requests) {
      assert.strictEqual(request.headers["accept"], "application/json")
      assert.strictEqual(request.headers["user-agent"], "sallyport")
    }
  })

  rule("an account signs in the same user from then on, whatever the profile contains", function* (provider) {
    const first = yield* signedIn(provider, ada)
    const other = yield* signedUp("other@example.com")
    for (const profile of [
      { uid: "42" },
      { ...ada, mail: "other@example.com", nick: "Eve" },
      { ...ada, uid: 42, mail: "new@example.com" },
    ]) {
      const again = yield* signedIn(provider, profile)
      assert.deepStrictEqual(again.user, first.user)
    }
    assert.notStrictEqual(other.user.id, first.user.id)
    assert.lengthOf(yield* rows(Users), 2)
    assert.lengthOf(yield* rows(Sessions), 5)
  })

  rule("equal account ids at two providers are two accounts", function* (provider) {
    const one = yield* signedIn(provider, { uid: "7" })
    const two = yield* signedIn(provider, { sub: "7" }, "idp_one")
    assert.notStrictEqual(one.user.id, two.user.id)
  })

  rule("joins the user with that verified address, and keeps their credentials", function* (provider) {
    const their = yield* signedUp(email)
    yield* their.body(endpoints.sendVerificationEmail, { email })
    yield* their.body(endpoints.verifyEmail, { token: yield* mailedToken })
    const { user } = yield* signedIn(provider, ada)
    assert.strictEqual(user.id, their.user.id)
    assert.strictEqual(user.name, null)
    assert.isTrue(yield* isSignedIn(their))
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
    yield* guest().body(signInEmail, { email, password })
  })

  rule("an unverified account returns to the owner of its address, and the attacker's credentials are removed", function* (provider) {
    const attacker = yield* signedUp(email)
    const their = yield* signedIn(provider, ada)
    assert.strictEqual(their.user.id, attacker.user.id)
    assert.isTrue(their.user.email_verified)
    assert.isFalse(yield* isSignedIn(attacker))
    assert.deepStrictEqual(yield* waysIn(their), ["acme:42"])
    assert.strictEqual(yield* guest().code(signInEmail, { email, password }), "invalid_credentials")
  })

  rule("a user who is signed in keeps their credentials", function* (provider) {
    const their = yield* signedUp(email)
    yield* signedIn(provider, ada, "acme", their)
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
    yield* guest().body(signInEmail, { email, password })
  })

  rule(
    "every user keeps them where so configured",
    function* (provider) {
      const attacker = yield* signedUp(email)
      yield* signedIn(provider, ada)
      assert.isTrue(yield* isSignedIn(attacker))
      yield* guest().body(signInEmail, { email, password })
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("without an address the user gets a synthetic one, unverified", function* (provider) {
    const { user } = yield* signedIn(provider, { uid: "AbC:1", nick: "Ada" })
    assert.deepStrictEqual([user.email, user.email_verified, user.name], ["acme:AbC:1", false, "Ada"])
    const { user: same } = yield* signedIn(provider, { uid: "AbC:1", mail: email })
    assert.deepStrictEqual(same, user)
    const { user: another } = yield* signedIn(provider, { uid: "abc:1" })
    assert.notStrictEqual(another.id, user.id)
  })

  rule("an unlinked account no longer signs in its former user", function* (provider) {
    const former = yield* signedIn(provider, { uid: "1" })
    yield* former
      .body(service.linkSocial, { provider: "idp_two" })
      .pipe(Effect.flatMap(({ url }) => former.body(oauthCallback, provider.visit(url, { id: 5 }))))
    yield* former.body(unlinkAccount, { provider_id: "acme" })
    const next = yield* signedIn(provider, { uid: "1" })
    assert.notStrictEqual(next.user.id, former.user.id)
    assert.strictEqual(next.user.email, "acme:1")
    const { user } = yield* former.body(endpoints.getSession)
    assert.deepStrictEqual([user?.id, user?.email], [former.user.id, `acme:${former.user.id}`])
  })

  rule("an address that the provider has not verified is ignored", function* (provider) {
    const attacker = yield* signedUp(email)
    for (const [index, confirmed] of [false, "false", 0, "no", {}, "true", 1, null, undefined].entries()) {
      const { user } = yield* signedIn(provider, { uid: `unsure${index}`, mail: email, confirmed })
      assert.strictEqual(user.email, `acme:unsure${index}`, JSON.stringify(confirmed))
    }
    const { user } = yield* signedIn(provider, { uid: "sure", mail: email, confirmed: true })
    assert.strictEqual(user.id, attacker.user.id)
  })

  rule("an address with the Kelvin sign is not the one with a k", function* (provider) {
    const kevin = yield* signedUp("kevin@example.com")
    const their = guest()
    const { user } = yield* their.body(oauthCallback, yield* began(their, provider, { ...ada, mail: "\u212aevin@example.com" })) as any
    assert.notStrictEqual(user.id, kevin.user.id)
    assert.strictEqual(user.email, "acme:42")
  })

  rule("so are malformed and synthetic addresses", function* (provider) {
    const all = ["ada", "", "a@b@c", " ", 5, ["ada@example.com"], "+15550001@phone.service", "0x1@siwe.local", "idp_one:1"]
    for (const [index, mail] of all.entries()) {
      const { user } = yield* signedIn(provider, { uid: index, mail })
      assert.deepStrictEqual([user.email, user.email_verified], [`acme:${index}`, false], String(mail))
    }
  })

  rule("a profile without a valid account id is refused", function* (provider) {
    const invalid = [undefined, null, "", "  ", true, {}, ["42"], 1.5, 2 ** 53, "a\0b", "\ud800", "x".repeat(256)]
    for (const uid of invalid) {
      const their = guest()
      const back = yield* began(their, provider, { uid, mail: email })
      assert.strictEqual(yield* their.code(oauthCallback, back), "oauth_userinfo_error", String(uid))
    }
    assert.lengthOf(yield* rows(Users), 0)
    assert.lengthOf(yield* rows(Sessions), 0)
    for (const uid of [0, 2 ** 53 - 1, "x".repeat(255)]) {
      const { user } = yield* signedIn(provider, { uid })
      assert.strictEqual(user.email, `acme:${uid}`)
    }
  })

  rule("presets and functions read their members of a profile", function* (provider) {
    const one = yield* signedIn(provider, { sub: "s", email: "one@example.com", name: "One", nick: "no" }, "idp_one")
    assert.deepStrictEqual([one.user.email, one.user.name], ["one@example.com", "One"])
    assert.deepStrictEqual(yield* waysIn(one), ["idp_one:s"])
    const unsure = yield* signedIn(provider, { sub: "t", email: "t@example.com", email_verified: false }, "idp_one")
    assert.strictEqual(unsure.user.email, "idp_one:t")

    const two = yield* signedIn(provider, { id: 583231, login: "octocat", name: null, email: null }, "idp_two")
    assert.deepStrictEqual([two.user.email, two.user.name], ["idp_two:583231", "octocat"])
    const named = yield* signedIn(provider, { id: 1, login: "octocat", name: "Two", email: "two@example.com" }, "idp_two")
    assert.deepStrictEqual([named.user.email, named.user.name], ["two@example.com", "Two"])

    const person = { number: 9, address: "nine@example.com", names: ["Nine", "Tailor"] }
    const mapped = yield* signedIn(provider, { person, email_verified: true }, "mapped")
    assert.deepStrictEqual([mapped.user.email, mapped.user.name], ["nine@example.com", "Nine Tailor"])
    const doubtful = { person: { ...person, number: 10 }, email_verified: false }
    assert.strictEqual((yield* signedIn(provider, doubtful, "mapped")).user.email, "mapped:10")

    const their = guest()
    const back = yield* began(their, provider, { person: null }, "mapped")
    assert.strictEqual(yield* their.code(oauthCallback, back), "oauth_userinfo_error")
  })

  rule("an invalid name is omitted", function* (provider) {
    for (const [index, nick] of [5, {}, "a\0b", "  ", "x".repeat(257)].entries()) {
      const { user } = yield* signedIn(provider, { uid: index, nick })
      assert.strictEqual(user.name, null, String(nick))
    }
  })

  rule("a gate refuses before the session, and the state is consumed", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, { ...ada, nick: "Mallory" })
    assert.strictEqual(yield* their.code(oauthCallback, back), "closed")
    assert.lengthOf(yield* rows(Sessions), 0)
    assert.lengthOf(yield* rows(Accounts), 0)
    assert.strictEqual(yield* their.code(oauthCallback, back), "invalid_state")
  })

  rule("redirects as configured, with the session", function* (provider) {
    const { auth, signInSocial, oauthCallback } = including({ providers: [configured("acme", { success_redirect: "/welcome" })] })
    const their = browser(auth)
    const { url } = yield* their.body(signInSocial, { provider: "acme" })
    const back = { ...provider.visit(url, ada), success_redirect: "https://evil.example", redirect: "https://evil.example" }
    const { body, location, session } = yield* their.call(oauthCallback, back)
    assert.deepStrictEqual(body, { redirect: "/welcome" })
    assert.strictEqual(location, "/welcome")
    assert.isObject(session)
    assert.isTrue(yield* isSignedIn(their))
  })
})

describe("return_to and error_return_to", () => {
  const app = "https://app.example.com"
  const { auth, signInSocial, oauthCallback, linkSocial } = including({
    providers: [configured("acme", { success_redirect: "/welcome", error_redirect: "/sorry?from=acme" })],
  })
  const trusting = { trusted_origins: [app] }
  const ended = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, back: Record<string, unknown>) {
    const error = yield* Effect.flip(their.call(oauthCallback, back))
    return [error._tag, error.location]
  })
  const targets = { return_to: `${app}/home?a=1`, error_return_to: `${app}/problem?a=1` }

  rule(
    "lead back to a page of a trusted origin, or of the service",
    function* (provider) {
      for (const [given, location] of [
        [{}, "/welcome"],
        [targets, targets.return_to],
        [{ return_to: "/own" }, "/own"],
        [{ return_to: "http://localhost:3000/own" }, "/own"],
      ] as const) {
        const their = browser(auth)
        const { url } = yield* their.body(signInSocial, { provider: "acme", ...given })
        const reply = yield* their.call(oauthCallback, provider.visit(url, ada))
        assert.strictEqual(reply.location, location)
        assert.isTrue(yield* isSignedIn(their))
      }
    },
    trusting,
  )

  rule(
    "refuse other origins, and store nothing",
    function* () {
      for (const target of [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        `${app}@evil.example`,
        "",
      ]) {
        for (const member of ["return_to", "error_return_to"])
          assert.strictEqual(yield* browser(auth).code(signInSocial, { provider: "acme", [member]: target }), "invalid_request")
      }
      assert.lengthOf(yield* rows(OAuthStates), 0)
    },
    trusting,
  )

  rule(
    "lead a failed flow to its page, with nothing but the code",
    function* (provider) {
      const their = browser(auth)
      const started = Effect.fnUntraced(function* (given: object) {
        const { url } = yield* their.body(signInSocial, { provider: "acme", ...given })
        return provider.visit(url, { ...ada, nick: "Mallory" })
      })
      assert.deepStrictEqual(yield* ended(their, yield* started(targets)), ["closed", `${app}/problem?a=1&error=closed`])
      assert.deepStrictEqual(yield* ended(their, yield* started({})), ["closed", "/sorry?from=acme&error=closed"])
      const { state } = yield* started(targets)
      const denied = { state, error: "access_denied", error_description: "Click https://evil.example" }
      assert.deepStrictEqual(yield* ended(their, denied), ["invalid_request", `${app}/problem?a=1&error=access_denied`])
      const other = yield* started(targets)
      assert.deepStrictEqual(yield* ended(their, { state: other.state, error: "<script>" }), [
        "invalid_request",
        `${app}/problem?a=1&error=invalid_request`,
      ])
      assert.deepStrictEqual(yield* ended(their, { state: "unknown", code: "c" }), ["invalid_state", undefined])
      assert.lengthOf(yield* rows(Sessions), 0)
    },
    trusting,
  )

  rule(
    "lead back after a link, too",
    function* (provider) {
      const their = browser(auth)
      yield* their.body(endpoints.signUpEmail, { email, password })
      const { url } = yield* their.body(linkSocial, { provider: "acme", ...targets })
      assert.strictEqual((yield* their.call(oauthCallback, provider.visit(url, ada))).location, targets.return_to)
    },
    trusting,
  )
})

describe("the state", () => {
  rule("is valid once", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    yield* their.body(oauthCallback, back)
    assert.strictEqual(yield* their.code(oauthCallback, back), "invalid_state")
    assert.lengthOf(provider.requests, 2)
  })

  rule("is valid for ten minutes", function* (provider) {
    const their = guest()
    const [one, two] = [yield* began(their, provider, ada), yield* began(their, provider, ada)]
    yield* TestClock.adjust("599 seconds")
    yield* their.body(oauthCallback, one)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* their.code(oauthCallback, two), "invalid_state")
    assert.lengthOf(provider.requests, 2)
  })

  rule("is refused when forged", function* (provider) {
    const their = guest()
    const { code, state } = yield* began(their, provider, ada)
    for (const other of ["x", `${state}x`, state.toLowerCase(), "\0", "\ud800", "%00"]) {
      assert.strictEqual(yield* their.code(oauthCallback, { code, state: other }), "invalid_state", other)
    }
    const [row] = yield* rows(OAuthStates)
    assert.strictEqual(yield* their.code(oauthCallback, { code, state: row?.hash }), "invalid_state")
    assert.lengthOf(provider.requests, 0)
  })

  rule("is refused by other endpoints, and their tokens are refused here", function* (provider) {
    const their = yield* signedUp(email)
    const { code, state } = yield* began(their, provider, ada)
    assert.strictEqual(yield* their.code(endpoints.verifyEmail, { token: state }), "invalid_token")
    yield* their.body(endpoints.sendVerificationEmail, { email })
    const token = yield* mailedToken
    assert.strictEqual(yield* their.code(oauthCallback, { code, state: token }), "invalid_state")
    yield* their.body(endpoints.verifyEmail, { token })
    yield* their.body(oauthCallback, { code, state })
  })

  rule("without it or without a code: invalid_request, and the flow can continue", function* (provider) {
    const their = guest()
    const { code, state } = yield* began(their, provider, ada)
    for (const input of [
      {},
      { code },
      { state },
      { code: "", state },
      { code, state: "" },
      { code: [code, code], state },
      { code, state: [state] },
    ]) {
      assert.strictEqual(yield* their.code(oauthCallback, input), "invalid_request", JSON.stringify(input))
    }
    yield* their.body(oauthCallback, { code, state })
  })

  rule("a refusal of the provider ends the flow: invalid_request", function* (provider) {
    const their = guest()
    for (const [error, message] of [
      ["access_denied", "The provider answered access_denied."],
      ["<script>", "The provider answered with an error."],
    ]) {
      const { code, state } = yield* began(their, provider, ada)
      const refusal = yield* Effect.flip(their.call(oauthCallback, { error, error_description: "No.", state }))
      assert.deepStrictEqual([refusal._tag, refusal.message], ["invalid_request", message])
      assert.strictEqual(yield* their.code(oauthCallback, { code, state }), "invalid_state")
    }
    assert.strictEqual(yield* their.code(oauthCallback, { error: "access_denied", state: "unknown" }), "invalid_request")
    assert.strictEqual(yield* their.code(oauthCallback, { error: "access_denied" }), "invalid_request")
    assert.lengthOf(provider.requests, 0)
  })

  rule("is consumed by every result", function* (provider) {
    const their = guest()
    const { code, state } = yield* began(their, provider, ada)
    assert.strictEqual(yield* their.code(oauthCallback, { code: "wrong", state }), "oauth_token_error")
    assert.strictEqual(yield* their.code(oauthCallback, { code, state }), "invalid_state")
  })

  rule("is invalid when its provider is removed from the configuration", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    const without = including({ providers: [configured("other")] })
    assert.strictEqual(yield* browser(without.auth).code(without.oauthCallback, back), "invalid_state")
  })
})

describe("the browser that began the flow", () => {
  const here = () => {
    const their = guest()
    their.jar.from_browser = true
    return their
  }

  rule("is the only one that can finish it", function* (provider) {
    const [their, attacker] = [here(), here()]
    yield* began(attacker, provider, { uid: "2" })
    assert.strictEqual(yield* attacker.code(oauthCallback, yield* began(their, provider, ada)), "invalid_state")
    assert.strictEqual(yield* here().code(oauthCallback, yield* began(their, provider, ada)), "invalid_state")
    assert.lengthOf(provider.requests, 0)
    yield* their.body(oauthCallback, yield* began(their, provider, ada))
  })

  rule("may have several tabs", function* (provider) {
    const their = here()
    const [one, two] = [yield* began(their, provider, ada), yield* began(their, provider, ada)]
    yield* their.body(oauthCallback, two)
    yield* their.body(oauthCallback, one)
  })

  rule("has a signed cookie for ten minutes, which it also sends when it comes from the provider's page", function* (provider) {
    const their = here()
    const { cookies } = yield* their.call(signInSocial, { provider: "acme" })
    assert.deepStrictEqual(
      cookies?.map(({ value, ...rest }) => rest),
      [{ name: "__Host-oauth_flow", max_age: 600, from_elsewhere: true }],
    )
    const back = yield* began(their, provider, ada)
    const [value = "", signature = ""] = their.jar.cookies["__Host-oauth_flow"]?.split(".") ?? []
    their.jar.cookies = { "__Host-oauth_flow": `${value}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}` }
    assert.strictEqual(yield* their.code(oauthCallback, back), "invalid_state")
  })

  rule(
    "has a cookie without a prefix over http",
    function* (provider) {
      const their = here()
      const back = yield* began(their, provider, ada)
      assert.deepStrictEqual(Object.keys(their.jar.cookies), ["oauth_flow"])
      yield* their.body(oauthCallback, back)
    },
    { cookie: { host_prefix: false } },
  )

  rule("is not checked for other clients", function* (provider) {
    yield* guest().body(oauthCallback, yield* began(here(), provider, ada))
  })

  rule("is not checked where so configured", function* (provider) {
    const back = yield* began(here(), provider, ada)
    const { auth, oauthCallback } = including({ browser_binding: "off" })
    const their = browser(auth)
    their.jar.from_browser = true
    yield* their.body(oauthCallback, back)
  })
})

describe("concurrently", () => {
  rule("twenty callbacks with one state: one signs in", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    assert.deepStrictEqual(yield* atOnce(times(20, () => guest().call(oauthCallback, back))), { ok: 1, invalid_state: 19 })
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  for (const [what, profile] of [
    ["with an address", ada],
    ["without one", { uid: "42" }],
  ] as const) {
    rule(`first sign-ins of one account ${what} are of one user`, function* (provider) {
      const backs = yield* Effect.forEach(times(8, String), () => began(guest(), provider, profile))
      assert.deepStrictEqual(yield* atOnce(backs.map((back) => guest().call(oauthCallback, back))), { ok: 8 })
      assert.lengthOf(yield* rows(Users), 1)
      assert.lengthOf(yield* rows(Accounts), 1)
      assert.lengthOf(yield* rows(Sessions), 8)
    })
  }

  rule("two accounts with one address belong to one user", function* (provider) {
    const one = yield* began(guest(), provider, ada)
    const two = yield* began(guest(), provider, { sub: "1", email }, "idp_one")
    assert.deepStrictEqual(yield* atOnce([one, two].map((back) => guest().call(oauthCallback, back))), { ok: 2 })
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Accounts), 2)
  })

  rule("an attacker's concurrent sign-up with the same address is removed", function* (provider) {
    const back = yield* began(guest(), provider, ada)
    const attacker = guest()
    yield* atOnce([attacker.call(endpoints.signUpEmail, { email, password }), guest().call(oauthCallback, back)])
    const held = yield* (yield* Store).read(Users, { email })
    assert.isTrue(Option.getOrThrow(held).row.email_verified)
    assert.isFalse(yield* isSignedIn(attacker))
    assert.strictEqual(yield* guest().code(signInEmail, { email, password }), "invalid_credentials")
  })

  rule("a concurrently unlinked account signs in no user afterwards", function* (provider) {
    const their = yield* signedUp(email)
    const { url } = yield* their.body(service.linkSocial, { provider: "acme" })
    yield* their.body(oauthCallback, provider.visit(url, { uid: "1" }))
    const backs = yield* Effect.forEach(times(5, String), () => began(guest(), provider, { uid: "1" }))
    yield* atOnce([their.call(unlinkAccount, { provider_id: "acme" }), ...backs.map((back) => guest().call(oauthCallback, back))])
    assert.deepStrictEqual(yield* waysIn(their), ["credential"])
    const later = yield* signedIn(provider, { uid: "1" })
    assert.notStrictEqual(later.user.id, their.user.id)
  })
})

describe("without a provider in the configuration", () => {
  const none = including({ providers: [] })
  rulesOf(none.modules)("every provider is unknown", function* () {
    const { client } = makeProvider()
    const code = browser(none.auth).code(none.signInSocial, { provider: "acme" })
    assert.strictEqual(yield* Effect.provideService(code, HttpClient.HttpClient, client), "unknown_provider")
  })
})
