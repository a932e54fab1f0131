import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { AccessTokens, AuthorizationCodes } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import { insert, remove, Store, update } from "../../../../domain/ports/store.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, endpoints, password, rows, times } from "../../../world.ts"
import {
  adminBanUser,
  adminRemoveUser,
  built,
  call,
  challengeOf,
  codeFor,
  email,
  exchanged,
  exchangeRefused,
  issuer,
  modules,
  narrow,
  oauth2Authorize,
  oauth2Token,
  presented,
  requests,
  root,
  rule,
  signedUp,
  subjectOf,
  verifier,
  web,
} from "./provider.ts"

const basic = (id: string, password: string) => `Basic ${Buffer.from(`${id}:${password}`).toString("base64")}`
const formEncoded = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
const ofWeb = basic(formEncoded(web.client_id), formEncoded(web.client_secret))

/** The result of a call: `ok`, or the error code and its status at this endpoint. */
const outcome = (input: object, authorization: string | null = null) =>
  Effect.match(call(oauth2Token, input, authorization), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

const keys = call(built.endpoints.oauth2Jwks, {})
const verified = Effect.fnUntraced(function* (id_token = "", audience: string, now: number) {
  const set = createLocalJWKSet({ keys: [...(yield* keys).keys] })
  const options = { issuer, audience, currentDate: new Date(now), algorithms: ["EdDSA"] }
  return (yield* Effect.promise(() => jwtVerify(id_token, set, options))).payload
})

describe("oauth2/token", () => {
  rule("issues tokens to a public client for a code and its verifier", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("10500 millis")
    const code = yield* codeFor(ada, { ...requests.spa, scope: "openid email profile", nonce: "a nonce ü" })
    yield* TestClock.adjust("2 seconds")
    const { access_token, id_token, ...rest } = yield* exchanged(code)
    assert.match(access_token, /^[\w-]{43}$/)
    assert.deepStrictEqual(rest, { token_type: "Bearer", expires_in: 604_787, scope: "openid email profile" })

    const { kid, ...header } = decodeProtectedHeader(id_token ?? "")
    assert.deepStrictEqual(header, { alg: "EdDSA", typ: "JWT" })
    assert.strictEqual(kid, (yield* keys).keys[0]?.kid)
    assert.deepStrictEqual(yield* verified(id_token, "spa", 12_500), {
      ...{ iss: issuer, sub: ada.user.id, aud: "spa", iat: 12, exp: 3612, auth_time: 0, nonce: "a nonce ü" },
      ...{ at_hash: createHash("sha512").update(access_token).digest().subarray(0, 32).toString("base64url") },
      ...{ email, email_verified: false, updated_at: 0 },
      ...{ acr: "1", amr: ["pwd"] },
      sid: decodeJwt(id_token ?? "")["sid"],
    })
    assert.strictEqual(yield* subjectOf(access_token), ada.user.id)
    assert.notInclude(JSON.stringify(yield* rows(AccessTokens)), access_token)
    assert.lengthOf(yield* rows(AuthorizationCodes), 0)
  })

  rule("issues an id_token with the requested claims, and only with the scope `openid`", function* () {
    const ada = yield* signedUp()
    yield* ada.body(endpoints.updateUser, { name: "Ada", image: "https://example.com/ada.png" })
    const claimsFor = Effect.fnUntraced(function* (scope: string) {
      const { id_token } = yield* exchanged(yield* codeFor(ada, { ...requests.spa, scope }))
      const claims = yield* verified(id_token, "spa", 0)
      return Object.keys(claims).filter(
        (name) => !["iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash", "sid", "acr", "amr"].includes(name),
      )
    })
    assert.deepStrictEqual(yield* claimsFor("openid"), [])
    assert.deepStrictEqual(yield* claimsFor("openid email"), ["email", "email_verified"])
    assert.deepStrictEqual(yield* claimsFor("openid profile"), ["name", "picture", "updated_at"])
    assert.notProperty(yield* exchanged(yield* codeFor(ada, { ...requests.spa, scope: "email" })), "id_token")
  })

  rule("accepts a code for its lifetime", function* () {
    const ada = yield* signedUp()
    const [first, second, third] = [yield* codeFor(ada), yield* codeFor(ada), yield* codeFor(ada)]
    yield* TestClock.adjust("59 seconds")
    yield* exchanged(first)
    yield* TestClock.adjust("999 millis")
    yield* exchanged(second)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* exchangeRefused(third), "invalid_grant")
    assert.lengthOf(yield* rows(AuthorizationCodes), 0)
  })

  rule("accepts a code once: a replay revokes the token that was issued for it", function* () {
    const ada = yield* signedUp()
    const [code, other] = [yield* codeFor(ada), yield* codeFor(ada)]
    const [{ access_token }, { access_token: further }] = [yield* exchanged(code), yield* exchanged(other)]
    assert.strictEqual(yield* subjectOf(access_token), ada.user.id)
    yield* TestClock.adjust("86400 seconds")
    assert.strictEqual(yield* outcome(presented.web(code)), "invalid_grant")
    assert.strictEqual(yield* subjectOf(access_token), "invalid_token")
    assert.strictEqual(yield* subjectOf(further), ada.user.id)
    assert.strictEqual(yield* exchangeRefused(code), "invalid_grant")
  })

  rule("consumes a code that is presented with a wrong verifier, redirect_uri or client", function* () {
    const ada = yield* signedUp()
    const { code_verifier: _, ...withoutVerifier } = presented.spa("")
    const wrongs: ReadonlyArray<(code: string) => object> = [
      (code) => ({ ...presented.spa(code), code_verifier: verifier.toLowerCase() }),
      (code) => ({ ...presented.spa(code), code_verifier: requests.spa.code_challenge }),
      (code) => ({ ...withoutVerifier, code }),
      (code) => ({ ...presented.spa(code), redirect_uri: "https://spa.example.com/callback/" }),
      (code) => ({ ...presented.spa(code), redirect_uri: "http://127.0.0.1/callback" }),
      (code) => presented.web(code),
      (code) => ({ ...presented.web(code), redirect_uri: requests.spa.redirect_uri, code_verifier: verifier }),
    ]
    for (const wrong of wrongs) {
      const code = yield* codeFor(ada)
      assert.strictEqual(yield* outcome(wrong(code)), "invalid_grant")
      assert.lengthOf(yield* rows(AuthorizationCodes), 0)
      assert.strictEqual(yield* exchangeRefused(code), "invalid_grant")
    }
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })

  rule("requires the exact redirect_uri, with its port", function* () {
    const ada = yield* signedUp()
    const redirect_uri = "http://127.0.0.1:49152/callback"
    const code = () => codeFor(ada, { ...requests.spa, redirect_uri })
    assert.strictEqual(yield* exchangeRefused(yield* code(), { redirect_uri: "http://127.0.0.1:49153/callback" }), "invalid_grant")
    assert.strictEqual(yield* exchangeRefused(yield* code(), { redirect_uri: "http://127.0.0.1/callback" }), "invalid_grant")
    yield* exchanged(yield* code(), { redirect_uri })
  })

  rule("refuses unknown codes", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada)
    for (const guess of ["x", `${code}x`, code.slice(1), `${code} `, "a\0b", "\ud800", ada.jar.credential, "é".repeat(4096)]) {
      assert.strictEqual(yield* exchangeRefused(String(guess)), "invalid_grant")
    }
    yield* exchanged(code)
  })

  rule("reports a malformed request, and keeps the code", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada)
    const good = presented.spa(code)
    for (const [changes, error] of [
      [{ grant_type: "" }, "invalid_request"],
      [{ grant_type: "refresh_token" }, "unsupported_grant_type"],
      [{ grant_type: "client_credentials" }, "unsupported_grant_type"],
      [{ grant_type: "Authorization_code" }, "unsupported_grant_type"],
      [{ code: "" }, "invalid_request"],
      [{ redirect_uri: "" }, "invalid_request"],
      [{ code_verifier: verifier.slice(1) }, "invalid_request"],
      [{ code_verifier: "x".repeat(129) }, "invalid_request"],
      [{ code_verifier: `${verifier.slice(1)} ` }, "invalid_request"],
      [{ client_id: "" }, "invalid_client"],
      [{ client_id: "unknown" }, "invalid_client"],
      [{ client_secret: "x" }, "invalid_client"],
      ...Object.entries(good).map(([name, value]) => [{ [name]: [value, value] }, "invalid_request"] as const),
      ...Object.keys(good).flatMap((name) => [null, 1, {}, true].map((value) => [{ [name]: value }, "invalid_request"] as const)),
    ] as const) {
      assert.strictEqual(yield* exchangeRefused(code, changes), error, JSON.stringify(changes))
    }
    for (const name of Object.keys(good).filter((name) => name !== "code_verifier")) {
      const { [name]: _, ...rest } = good as Record<string, string>
      assert.strictEqual(yield* outcome(rest), name === "client_id" ? "invalid_client" : "invalid_request", name)
    }
    yield* exchanged(code, { further: "x", client_secret: "" })
  })
})

describe("a confidential client", () => {
  rule("authenticates in the body or in the header, form-encoded", function* () {
    const ada = yield* signedUp()
    const { client_secret: _, ...unproven } = presented.web("")
    const { client_id: __, ...nameless } = unproven
    yield* call(oauth2Token, presented.web(yield* codeFor(ada, requests.web)))
    yield* call(oauth2Token, { ...unproven, code: yield* codeFor(ada, requests.web) }, ofWeb)
    yield* call(oauth2Token, { ...nameless, code: yield* codeFor(ada, requests.web) }, ofWeb.replace("Basic", "bAsIc "))
    const everything = Buffer.from(web.client_secret).reduce((text, byte) => `${text}%${byte.toString(16)}`, "")
    yield* call(oauth2Token, { ...nameless, code: yield* codeFor(ada, requests.web) }, basic(formEncoded(web.client_id), everything))
  })

  rule("is refused with a wrong secret, before its code is read", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada, requests.web)
    const good = presented.web(code)
    for (const client_secret of [
      "",
      "x",
      web.client_secret.toUpperCase(),
      `${web.client_secret} `,
      web.client_secret.slice(1),
      narrow.client_secret,
    ]) {
      assert.strictEqual(yield* outcome({ ...good, client_secret }), "invalid_client", client_secret)
    }
    const { client_secret: _, client_id: __, ...bare } = good
    const id = formEncoded(web.client_id)
    for (const header of [
      ...["", "Basic", "Basic ", "Basic !", `Basic ${Buffer.from(id).toString("base64")}`, "Bearer x", "Digest x", "Basic YQ=a"],
      ...[basic(id, ""), basic(id, "x"), basic(web.client_id, web.client_secret), basic(id, "%"), basic(id, "%zz"), basic(id, "%ff")],
      ...[basic("", ""), basic("unknown", "x"), basic("narrow", formEncoded(web.client_secret)), `${ofWeb}, Basic x`, `x ${ofWeb}`],
    ]) {
      assert.strictEqual(yield* outcome(bare, header), "invalid_client", header)
    }
    assert.strictEqual(yield* outcome({ ...good, client_id: "spa" }), "invalid_client")
    yield* call(oauth2Token, good)
  })

  rule("must not authenticate in two ways", function* () {
    const code = yield* codeFor(yield* signedUp(), requests.web)
    const good = presented.web(code)
    assert.strictEqual(yield* outcome(good, ofWeb), "invalid_request")
    const { client_secret: _, ...unproven } = good
    assert.strictEqual(yield* outcome({ ...unproven, client_id: "spa" }, ofWeb), "invalid_request")
    yield* call(oauth2Token, unproven, ofWeb)
  })

  rule("may use PKCE, which is then verified", function* () {
    const ada = yield* signedUp()
    const challenged = { ...requests.web, code_challenge: challengeOf(verifier), code_challenge_method: "S256" }
    const code = () => codeFor(ada, challenged)
    yield* call(oauth2Token, { ...presented.web(yield* code()), code_verifier: verifier })
    assert.strictEqual(yield* outcome({ ...presented.web(yield* code()), code_verifier: "x".repeat(43) }), "invalid_grant")
    assert.strictEqual(yield* outcome(presented.web(yield* code())), "invalid_grant")
    const unchallenged = yield* codeFor(ada, requests.web)
    assert.strictEqual(yield* outcome({ ...presented.web(unchallenged), code_verifier: verifier }), "invalid_grant")
  })

  rule("cannot be impersonated by a public one with an empty secret", function* () {
    const ada = yield* signedUp()
    const code = () => codeFor(ada)
    const { client_id: _, ...nameless } = presented.spa("")
    yield* call(oauth2Token, { ...nameless, code: yield* code() }, basic("spa", ""))
    assert.strictEqual(yield* outcome({ ...nameless, code: yield* code() }, basic("spa", "x")), "invalid_client")
    assert.strictEqual(yield* outcome({ ...presented.spa(yield* code()), client_id: "narrow" }), "invalid_client")
  })
})

describe("between a code and its exchange", () => {
  rule("every way to end the session invalidates the code", function* () {
    const administrator = yield* signedUp(root)
    const endings: ReadonlyArray<(their: ReturnType<typeof browser>, user_id: string) => Effect.Effect<unknown, any, any>> = [
      (their) => their.body(endpoints.signOut),
      (their) => their.body(endpoints.revokeSessions),
      (their) =>
        Effect.flatMap(their.body(endpoints.getSession), ({ session }) => their.body(endpoints.revokeSession, { session_id: session?.id })),
      (their) => their.body(endpoints.changePassword, { current_password: password, new_password: password, revoke_other_sessions: true }),
      (their) => their.body(endpoints.deleteUser, { password }),
      (_, user_id) => administrator.body(adminBanUser, { user_id }),
      (_, user_id) => administrator.body(adminRemoveUser, { user_id }),
    ]
    for (const [index, end] of endings.entries()) {
      const their = yield* signedUp(`user${index}@example.com`)
      const [code, { access_token }] = [yield* codeFor(their), yield* exchanged(yield* codeFor(their))]
      assert.strictEqual(yield* subjectOf(access_token), their.user.id)
      yield* end(their, their.user.id) as Effect.Effect<unknown>
      assert.strictEqual(yield* exchangeRefused(code), "invalid_grant", String(index))
      assert.strictEqual(yield* subjectOf(access_token), "invalid_token", String(index))
    }
    for (const table of [AuthorizationCodes, AccessTokens]) assert.lengthOf(yield* rows(table), 0)
  })

  rule(
    "an expired session invalidates the code",
    function* () {
      const ada = yield* signedUp()
      yield* TestClock.adjust("20 seconds")
      const { access_token, expires_in } = yield* exchanged(yield* codeFor(ada))
      assert.strictEqual(expires_in, 10)
      const code = yield* codeFor(ada)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* subjectOf(access_token), ada.user.id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* subjectOf(access_token), "invalid_token")
      assert.strictEqual(yield* exchangeRefused(code), "invalid_grant")
    },
    { session: { expires_in: 30, update_age: 30 } },
  )

  rule("every gate is checked again, and a refusal consumes the code", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada)
    const store = yield* Store
    const ban = { ...defaultMetadata, user_id: ada.user.id, banned: true, updated_at: ada.user.updated_at }
    yield* Effect.orDie(store.commit([insert(AdminMetadatas, ban)]))
    const refusal = yield* Effect.flip(exchanged(code))
    assert.deepStrictEqual([refusal._tag, refusal.status, refusal.session], ["invalid_grant", 400, "keep"])
    yield* Effect.orDie(store.commit([remove(AdminMetadatas, ada.user.id)]))
    assert.strictEqual(yield* exchangeRefused(code), "invalid_grant")
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })
})

describe("a gate that closes during the exchange of a code", () => {
  const shutting = Module.define({
    name: "shutting",
    settings: Module.NoSettings,
    parts: () => ({
      gates: [
        (user) =>
          Effect.gen(function* () {
            const store = yield* Store
            const held = Option.getOrThrow(yield* store.read(Users, { id: user.id }))
            const ban = { ...defaultMetadata, user_id: user.id, banned: true, updated_at: user.updated_at }
            if ((yield* rows(AccessTokens)).length === 0 && user.name === "Ada") {
              yield* Effect.orDie(store.commit([update(Users, held, { name: "banned" }), insert(AdminMetadatas, ban)]))
            }
          }),
      ],
    }),
  }).build({})

  rulesOf([...modules, shutting])("wins, since it writes the user", function* () {
    const ada = yield* signedUp()
    yield* ada.body(endpoints.updateUser, { name: "Ada" })
    const code = yield* codeFor(ada)
    const service = AuthOf.make([...modules, shutting])
    assert.strictEqual((yield* Effect.flip(call(oauth2Token, presented.spa(code), null, service)))._tag, "invalid_grant")
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })
})

describe("concurrent codes", () => {
  rule("twenty exchanges of one code issue one token, which the others revoke", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada)
    const tokens: Array<string> = []
    const exchanges = times(20, () => Effect.tap(exchanged(code), ({ access_token }) => Effect.sync(() => tokens.push(access_token))))
    assert.deepStrictEqual(yield* atOnce(exchanges), { ok: 1, invalid_grant: 19 })
    assert.lengthOf(tokens, 1)
    assert.strictEqual(yield* subjectOf(tokens[0] ?? ""), "invalid_token")
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })

  rule("at most one exchange succeeds while another has a wrong verifier", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada)
    const wrong = times(10, () => exchanged(code, { code_verifier: "x".repeat(43) }))
    const { ok = 0, invalid_grant = 0 } = yield* atOnce([...wrong.slice(5), exchanged(code), ...wrong.slice(0, 5)])
    assert.include([0, 1], ok)
    assert.strictEqual(ok + invalid_grant, 11)
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })

  rule("twenty codes of one session are all exchanged", function* () {
    const ada = yield* signedUp()
    const codes = yield* Effect.all(
      times(20, () => codeFor(ada)),
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(yield* atOnce(codes.map((code) => exchanged(code))), { ok: 20 })
    assert.lengthOf(yield* rows(AccessTokens), 20)
  })

  rule("a session has at most a hundred tokens of a client, and the newest is valid", function* () {
    const ada = yield* signedUp()
    let newest = ""
    for (const _ of times(120, String)) newest = (yield* exchanged(yield* codeFor(ada))).access_token
    assert.lengthOf(yield* rows(AccessTokens), 100)
    assert.strictEqual(yield* subjectOf(newest), ada.user.id)
  })

  for (const [name, end] of [
    ["a sign-out", (their: ReturnType<typeof browser>) => their.call(endpoints.signOut)],
    ["the end of all sessions", (their: ReturnType<typeof browser>) => their.call(endpoints.revokeSessions)],
  ] as const) {
    rule(`${name} leaves no code and no token`, function* () {
      const ada = yield* signedUp()
      const codes = yield* Effect.forEach(times(10, String), () => codeFor(ada))
      const exchanges = codes.map((code) => exchanged(code))
      const more = times(10, () => ada.call(oauth2Authorize, requests.spa))
      yield* atOnce([...exchanges.slice(5), end(ada), ...more, ...exchanges.slice(0, 5)])
      for (const table of [AuthorizationCodes, AccessTokens]) assert.lengthOf(yield* rows(table), 0, table.name)
    })
  }

  rule("a ban leaves no code and no token, and wins over a concurrent exchange", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    const codes = yield* Effect.forEach(times(10, String), () => codeFor(ada))
    const exchanges = codes.map((code) => exchanged(code))
    yield* atOnce([...exchanges.slice(5), administrator.call(adminBanUser, { user_id: ada.user.id }), ...exchanges.slice(0, 5)])
    for (const table of [AuthorizationCodes, AccessTokens]) assert.lengthOf(yield* rows(table), 0, table.name)
    assert.lengthOf(yield* rows(Users), 2)
  })
})

describe("RFC 7636 appendix B", () => {
  it("the tests compute the challenge of its verifier", () => {
    assert.strictEqual(challengeOf(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  })

  rule("accepts its verifier for its challenge", function* () {
    const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    const code = yield* codeFor(yield* signedUp(), { ...requests.spa, code_challenge })
    yield* exchanged(code, { code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" })
  })
})

describe("an authorization code", () => {
  rule("is no session credential", function* () {
    const anonymous = browser()
    const code = yield* codeFor(yield* signedUp())
    anonymous.jar.credential = code
    assert.isNull((yield* anonymous.body(endpoints.getSession)).session)
  })
})
