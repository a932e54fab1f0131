import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { AuthorizationCodes } from "../../../../application/modules/idp/tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { browser, endpoints, password, rows, withSettings } from "../../../world.ts"
import {
  auth,
  codeFor,
  errorFor,
  exchanged,
  issuer,
  narrow,
  oauth2AuthorizeForm,
  requests,
  rule,
  sentTo,
  signedUp,
  web,
} from "./provider.ts"

const anonymous = () => browser()

describe("oauth2/authorize", () => {
  rule("redirects a signed-in user with a code, the state and the issuer", function* () {
    const ada = yield* signedUp()
    const state = "a b+c%20&=#ü\u{1f600}"
    const { url, received, reply } = yield* sentTo(ada, { ...requests.spa, state, login_hint: "x", unheard_of: "y" })
    assert.strictEqual(`${url.origin}${url.pathname}`, requests.spa.redirect_uri)
    const { code, ...rest } = received
    assert.match(code ?? "", /^[\w-]{43}$/)
    assert.deepStrictEqual(rest, { state, iss: issuer })
    assert.deepStrictEqual(Object.keys(reply), ["redirect"])
    const stored = yield* rows(AuthorizationCodes)
    assert.lengthOf(stored, 1)
    assert.notInclude(JSON.stringify(stored), code ?? "")
    assert.notStrictEqual(yield* codeFor(ada), code)
  })

  rule("accepts the same as a form", function* () {
    const ada = yield* signedUp()
    const { location } = yield* ada.call(oauth2AuthorizeForm, requests.spa)
    assert.isTrue(new URL(location ?? "").searchParams.has("code"))
  })

  rule("keeps the query of a redirect_uri", function* () {
    const { reply } = yield* sentTo(yield* signedUp(), requests.web)
    assert.isTrue(reply.redirect.startsWith(`${web.redirect_uris[0]}&code=`), reply.redirect)
  })

  rule("answers login_required without a session or with an expired one", function* () {
    const { received } = yield* sentTo(anonymous(), requests.spa)
    const { error_description, ...rest } = received
    assert.isString(error_description)
    assert.deepStrictEqual(rest, { error: "login_required", state: "xyz", iss: issuer })
    const { state: _, ...stateless } = requests.spa
    assert.notProperty((yield* sentTo(anonymous(), stateless)).received, "state")

    const ada = yield* signedUp()
    const { credential } = ada.jar
    yield* ada.body(endpoints.signOut)
    ada.jar.credential = credential
    assert.strictEqual(yield* errorFor(ada, requests.spa), "login_required")
    assert.lengthOf(yield* rows(AuthorizationCodes), 0)
  })

  rule("reports errors of the request to the client, whether or not the user is signed in", function* () {
    const ada = yield* signedUp()
    const { response_type: _, ...untyped } = requests.spa
    const { code_challenge: __, ...methodAlone } = requests.spa
    const { code_challenge_method: ___, ...challengeAlone } = requests.spa
    const { code_challenge: ____, code_challenge_method: _____, ...unproven } = requests.spa
    const cases: ReadonlyArray<readonly [object, string]> = [
      [untyped, "invalid_request"],
      [{ ...requests.spa, response_type: "" }, "invalid_request"],
      ...["token", "id_token", "code id_token", "none", "CODE", "code "].map(
        (response_type) => [{ ...requests.spa, response_type }, "unsupported_response_type"] as const,
      ),
      ...["fragment", "web_message", "QUERY", "form_post "].map(
        (response_mode) => [{ ...requests.spa, response_mode }, "invalid_request"] as const,
      ),
      [methodAlone, "invalid_request"],
      [challengeAlone, "invalid_request"],
      [unproven, "invalid_request"],
      [{ ...requests.web, code_challenge_method: "S256" }, "invalid_request"],
      [{ ...requests.spa, code_challenge_method: "plain" }, "invalid_request"],
      [{ ...requests.spa, code_challenge_method: "s256" }, "invalid_request"],
      ...[
        "x",
        `${requests.spa.code_challenge}x`,
        `${requests.spa.code_challenge.slice(1)}=`,
        `${requests.spa.code_challenge.slice(1)}+`,
      ].map((code_challenge) => [{ ...requests.spa, code_challenge }, "invalid_request"] as const),
      [{ ...requests.spa, request: "e30." }, "request_not_supported"],
      [{ ...requests.spa, request_uri: "https://spa.example.com/request" }, "request_uri_not_supported"],
      [{ ...requests.spa, registration: "{}" }, "registration_not_supported"],
      [{ ...requests.spa, prompt: "none login" }, "invalid_request"],
      [{ ...requests.spa, prompt: "consent none" }, "invalid_request"],
      [{ ...requests.spa, prompt: "create" }, "invalid_request"],
      [{ ...requests.spa, prompt: "NONE" }, "invalid_request"],
      ...["-1", "1.5", "x", "1e3", " 1"].map((max_age) => [{ ...requests.spa, max_age }, "invalid_request"] as const),
      [{ ...requests.spa, nonce: "a\0b" }, "invalid_request"],
      [{ ...requests.spa, scope: "read:all" }, "invalid_scope"],
      [{ ...requests.spa, scope: "openid read:all" }, "invalid_scope"],
      [{ ...requests.spa, scope: "unheard of" }, "invalid_scope"],
      [{ ...requests.narrow, scope: "openid email" }, "invalid_scope"],
    ]
    for (const [input, error] of cases) {
      for (const their of [ada, anonymous()]) {
        const { received } = yield* sentTo(their, input)
        assert.strictEqual(received["error"], error, JSON.stringify(input))
        assert.match(received["error_description"] ?? "", /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
        assert.deepStrictEqual([received["state"], received["iss"], received["code"]], ["xyz", issuer, undefined])
      }
    }
    assert.lengthOf(yield* rows(AuthorizationCodes), 0)
  })

  rule("refuses every repeated parameter, and never chooses between two states", function* () {
    const ada = yield* signedUp()
    const {
      client_id: _,
      redirect_uri: __,
      ...rest
    } = {
      ...requests.spa,
      ...{ response_mode: "query", nonce: "n", prompt: "consent", max_age: "9", id_token_hint: "x", request: "x", request_uri: "x" },
      ...{ registration: "x", acr_values: "x", claims: "x", display: "page", login_hint: "x", ui_locales: "en" },
    }
    for (const [name, value] of Object.entries(rest)) {
      const { received } = yield* sentTo(ada, { ...requests.spa, [name]: [value, value] })
      assert.strictEqual(received["error"], "invalid_request", name)
      assert.strictEqual(received["state"], name === "state" ? undefined : "xyz")
    }
  })

  rule("treats a parameter without a value as omitted", function* () {
    const ada = yield* signedUp()
    const empty = {
      response_mode: "",
      nonce: "",
      prompt: "",
      max_age: "",
      id_token_hint: "",
      request: "",
      request_uri: "",
      registration: "",
    }
    assert.match(yield* codeFor(ada, { ...requests.spa, ...empty, scope: "" }), /^[\w-]{43}$/)
    const { received } = yield* sentTo(ada, { ...requests.spa, state: "" })
    assert.notProperty(received, "state")
    assert.strictEqual(yield* errorFor(ada, { ...requests.spa, code_challenge: "" }), "invalid_request")
  })

  rule("grants the known scopes of the request, and all of the client's if it requests none", function* () {
    const ada = yield* signedUp()
    for (const [scope, granted] of [
      ["email openid", "email openid"],
      ["openid openid profile offline_access address", "openid profile"],
      ["profile", "profile"],
      [" openid  email ", "openid email"],
      [undefined, "openid profile email"],
    ] as const) {
      const { scope: _, ...request } = requests.spa
      const code = yield* codeFor(ada, scope === undefined ? request : { ...request, scope })
      assert.strictEqual((yield* exchanged(code)).scope, granted)
    }
    yield* codeFor(ada, { ...requests.narrow, scope: "read:all" })
    assert.deepStrictEqual(narrow.scopes, ["openid", "read:all"])
  })
})

describe("oauth2/authorize with prompt, max_age and id_token_hint", () => {
  rule("none is the default; consent comes from the configuration; an account cannot be selected", function* () {
    const ada = yield* signedUp()
    for (const prompt of ["none", "consent", "login", "login consent"]) yield* codeFor(ada, { ...requests.spa, prompt })
    for (const prompt of ["select_account", "select_account consent", "login select_account"]) {
      assert.strictEqual(yield* errorFor(ada, { ...requests.spa, prompt }), "account_selection_required")
    }
    for (const prompt of ["none", "consent", "login", "select_account"]) {
      assert.strictEqual(yield* errorFor(anonymous(), { ...requests.spa, prompt }), "login_required")
    }
  })

  rule("login requires a sign-in within the last minute", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("60 seconds")
    yield* codeFor(ada, { ...requests.spa, prompt: "login" })
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* errorFor(ada, { ...requests.spa, prompt: "login" }), "login_required")
    assert.strictEqual(yield* errorFor(ada, { ...requests.spa, prompt: "login", max_age: "1000" }), "login_required")
    yield* codeFor(ada, { ...requests.spa, prompt: "none" })
  })

  rule("max_age counts from the sign-in, not from the last use", function* () {
    const ada = yield* signedUp()
    yield* codeFor(ada, { ...requests.spa, max_age: "0" })
    yield* TestClock.adjust("100000 seconds")
    yield* ada.body(endpoints.getSession)
    yield* codeFor(ada, { ...requests.spa, max_age: "100000" })
    yield* codeFor(ada, { ...requests.spa, max_age: "9".repeat(400) })
    yield* TestClock.adjust("1 millis")
    for (const max_age of ["0", "1", "100000"]) assert.strictEqual(yield* errorFor(ada, { ...requests.spa, max_age }), "login_required")
    yield* codeFor(ada, { ...requests.spa, max_age: "100001" })
  })

  rule("a code that a stolen copy of the session requested before the step-up gives the client no later auth_time", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1000 seconds")
    const requested = yield* codeFor(browser(auth, { ...ada.jar }))
    yield* ada.body(endpoints.stepUp, { password })
    const { id_token = "" } = yield* exchanged(requested)
    assert.strictEqual(decodeJwt(id_token)["auth_time"], 0)

    // Rows of earlier versions only have the time of the sign-in.
    const old = yield* codeFor(ada)
    const store = yield* Store
    const [row] = yield* rows(AuthorizationCodes)
    const held = Option.getOrThrow(yield* store.read(AuthorizationCodes, { hash: row?.hash ?? "" }))
    yield* Effect.orDie(store.commit([update(AuthorizationCodes, held, { auth_time: null })]))
    assert.strictEqual(decodeJwt((yield* exchanged(old)).id_token ?? "")["auth_time"], 0)
  })

  rule("login and max_age accept a step-up as a sign-in, and auth_time is its time", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1000 seconds")
    assert.strictEqual(yield* errorFor(ada, { ...requests.spa, prompt: "login" }), "login_required")
    yield* ada.body(endpoints.stepUp, { password })
    const { id_token = "" } = yield* exchanged(yield* codeFor(ada, { ...requests.spa, prompt: "login", max_age: "0" }))
    assert.strictEqual(decodeJwt(id_token)["auth_time"], 1000)
  })

  rule("id_token_hint must be of this user and this issuer, of any age", function* () {
    const ada = yield* signedUp()
    const { id_token: hint = "" } = yield* exchanged(yield* codeFor(ada))
    yield* TestClock.adjust("7200 seconds")
    yield* codeFor(ada, { ...requests.spa, id_token_hint: hint })
    yield* codeFor(ada, { ...requests.spa, id_token_hint: hint, prompt: "none" })
    const bob = yield* signedUp("bob@example.com")
    assert.strictEqual(yield* errorFor(bob, { ...requests.spa, id_token_hint: hint }), "login_required")
    assert.strictEqual(yield* errorFor(anonymous(), { ...requests.spa, id_token_hint: hint }), "login_required")
    const [header, payload, signature] = hint.split(".")
    const forged = Buffer.from(JSON.stringify({ iss: issuer, sub: ada.user.id })).toString("base64url")
    for (const id_token_hint of ["x", `${header}.${forged}.${signature}`, `${header}.${payload}.`, `${hint}.`, ada.jar.credential]) {
      assert.strictEqual(yield* errorFor(ada, { ...requests.spa, id_token_hint }), "invalid_request")
    }
  })

  rule("id_token_hint of a former issuer is refused", function* () {
    const ada = yield* signedUp()
    const { id_token: hint = "" } = yield* exchanged(yield* codeFor(ada))
    const moved = withSettings({ public_url: "https://app.example.com" })
    assert.strictEqual(yield* moved(errorFor(ada, { ...requests.spa, id_token_hint: hint })), "invalid_request")
  })

  rule("a session is refreshed when due, as everywhere", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* ada.call(oauth2AuthorizeForm, requests.spa)).session, "keep")
    yield* TestClock.adjust("86400 seconds")
    const { session } = yield* ada.call(oauth2AuthorizeForm, requests.spa)
    assert.isObject(session)
    assert.strictEqual((yield* ada.call(oauth2AuthorizeForm, requests.spa)).session, "keep")
  })
})
