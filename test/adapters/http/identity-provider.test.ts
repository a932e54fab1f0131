import { createHash } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { modules as idp, presented, requests, web } from "../../application/modules/idp/provider.ts"
import { password, times } from "../../world.ts"
import type { Answer, Asked } from "./served.ts"
import { ask, base, cookieOf, get, Logged, post, refused, served } from "./served.ts"

const modules = [...idp, bearer.build({ redirects: [] })]
const elsewhere = "https://spa.example.com"
const listed = "https://app.example.net"

const form = (path: string, fields: object, headers: Asked["headers"] = {}) =>
  ask("POST", `${base}${path}`, {
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields as Record<string, string>).toString(),
  })
const query = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()
const authorize = (fields: object, headers: Asked["headers"] = {}) => get(`/oauth2/authorize?${query(fields)}`, { headers })
const responseIn = ({ headers }: Answer) => Object.fromEntries(new URL(headers.location ?? "").searchParams) as Record<string, string>

let users = 0
const signedInUser = Effect.gen(function* () {
  const answer = yield* post("/sign-up/email", { email: `user${users++}@example.com`, password })
  return { cookie: cookieOf(answer), id: answer.json.user.id as string }
})
const codeOf = (answer: Answer) => responseIn(answer)["code"] ?? assert.fail(answer.text)
const codeFor = (cookie: string, input: object = requests.spa) => Effect.map(authorize(input, { cookie }), codeOf)
const basic = `Basic ${Buffer.from(query({ [web.client_id]: web.client_secret }).replace("=", ":")).toString("base64")}`

/** Exactly the body of RFC 6749 section 5.2. */
const oauthError = ({ status, json }: Answer) => {
  assert.deepStrictEqual(Object.keys(json), ["error", "error_description"])
  assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  return `${status} ${json.error}`
}

const settings = { trusted_origins: [listed] }

describe("the identity provider over HTTP", () => {
  layer(served({ modules, settings }), { excludeTestServices: true })((it) => {
    it.effect("refuses forms with too many fields, with an OAuth error", () =>
      Effect.gen(function* () {
        const fields = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, "1"]))
        assert.strictEqual(oauthError(yield* form("/oauth2/token", fields)), "400 invalid_request")
      }),
    )

    it.effect("goes from the authorization request to claims, with forms and with JSON", () =>
      Effect.gen(function* () {
        const { cookie, id } = yield* signedInUser
        const sent = yield* authorize(requests.spa, { cookie })
        assert.strictEqual(sent.status, 302)
        assert.deepStrictEqual(sent.json, { redirect: sent.headers.location })
        assert.strictEqual(sent.headers["cache-control"], "no-store")
        assert.strictEqual(sent.headers["referrer-policy"], "no-referrer")
        assert.isUndefined(sent.headers["set-cookie"])

        const posted = yield* form("/oauth2/authorize", requests.spa, { cookie })
        assert.strictEqual(posted.status, 302)
        for (const answer of [
          yield* form("/oauth2/token", presented.spa(codeOf(sent))),
          yield* post("/oauth2/token", presented.spa(codeOf(posted))),
        ]) {
          assert.strictEqual(answer.status, 200, answer.text)
          assert.deepStrictEqual(Object.keys(answer.json).sort(), ["access_token", "expires_in", "id_token", "scope", "token_type"])
          assert.strictEqual(answer.headers["cache-control"], "no-store")
          assert.strictEqual(answer.headers["pragma"], "no-cache")
          const authorization = `Bearer ${answer.json.access_token}`
          const { access_token } = answer.json
          for (const claims of [
            yield* get("/oauth2/userinfo", { headers: { authorization } }),
            yield* post("/oauth2/userinfo", {}, { headers: { authorization } }),
            yield* ask("POST", `${base}/oauth2/userinfo`, { headers: { authorization } }),
            yield* form("/oauth2/userinfo", { access_token }),
          ]) {
            assert.deepStrictEqual([claims.status, claims.json], [200, { sub: id }])
          }
          for (const headers of [{ authorization }, { cookie: `__Host-session=${access_token}` }, { "x-auth": "none" }]) {
            assert.strictEqual(refused(yield* get("/list-sessions", { headers })), "401 unauthorized")
          }
        }
      }),
    )

    it.effect("accepts the client's secret in the header", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        const { client_id: _, client_secret: __, ...unproven } = presented.web(yield* codeFor(cookie, requests.web))
        const answer = yield* form("/oauth2/token", unproven, { authorization: basic })
        assert.strictEqual(answer.status, 200, answer.text)
      }),
    )

    it.effect("does not redirect when the client or redirect_uri is unknown", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        for (const [input, code] of [
          [{ ...requests.spa, client_id: "x" }, "400 invalid_client"],
          [{ ...requests.spa, redirect_uri: "https://evil.example" }, "400 invalid_redirect_uri"],
        ] as const) {
          for (const answer of [yield* authorize(input, { cookie }), yield* form("/oauth2/authorize", input, { cookie })]) {
            assert.strictEqual(refused(answer), code)
            assert.isUndefined(answer.headers.location)
            assert.isUndefined(answer.headers["www-authenticate"])
          }
        }
        const twice = yield* get(`/oauth2/authorize?${query(requests.spa)}&redirect_uri=https://evil.example`, { headers: { cookie } })
        assert.strictEqual(refused(twice), "400 invalid_redirect_uri")
        assert.strictEqual(
          refused(yield* post("/oauth2/authorize", { ...requests.spa, scope: 1 }, { headers: { cookie } })),
          "400 invalid_request",
        )
      }),
    )

    it.effect("redirects with every other error, also one of a repeated parameter", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        const path = `/oauth2/authorize?${query(requests.spa)}&scope=openid`
        for (const answer of [
          yield* get(path, { headers: { cookie } }),
          yield* ask("POST", `${base}/oauth2/authorize`, {
            headers: { cookie, "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
            body: `${query(requests.spa)}&scope=openid`,
          }),
        ]) {
          assert.strictEqual(answer.status, 302)
          const { error_description, ...rest } = responseIn(answer)
          assert.include(error_description, "scope")
          assert.deepStrictEqual(rest, { error: "invalid_request", state: "xyz", iss: "http://localhost:3000/api/auth" })
        }
        assert.strictEqual(responseIn(yield* authorize(requests.spa))["error"], "login_required")
      }),
    )

    it.effect("answers errors at the token endpoint as OAuth or as JSON, as the request was", () =>
      Effect.gen(function* () {
        const good = presented.spa("x")
        for (const [fields, code] of [
          [good, "400 invalid_grant"],
          [{ ...good, grant_type: "password" }, "400 unsupported_grant_type"],
          [{ ...good, grant_type: "" }, "400 invalid_request"],
          [{ ...good, client_id: 'x"\\ü' }, "401 invalid_client"],
          [{ ...good, code_verifier: 'x"' }, "400 invalid_request"],
        ] as const) {
          const [asForm, asJson] = [yield* form("/oauth2/token", fields), yield* post("/oauth2/token", fields)]
          assert.strictEqual(oauthError(asForm), code)
          assert.strictEqual(refused(asJson), code)
          for (const { headers } of [asForm, asJson]) {
            assert.isUndefined(headers["www-authenticate"])
            assert.strictEqual(headers["pragma"], "no-cache")
          }
        }
        const headers = { authorization: "Basic eDp5" }
        const nameless = { ...good, client_id: "" }
        const challenged = yield* form("/oauth2/token", nameless, headers)
        assert.strictEqual(oauthError(challenged), "401 invalid_client")
        assert.strictEqual(challenged.headers["www-authenticate"], 'Basic realm="OAuth clients"')
        const inJson = yield* post("/oauth2/token", nameless, { headers })
        assert.strictEqual(refused(inJson), "401 invalid_client")
        assert.match(inJson.headers["www-authenticate"] ?? "", /^Basic /)

        const twice = yield* ask("POST", `${base}/oauth2/token`, {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: `${query(good)}&code=y`,
        })
        assert.strictEqual(oauthError(twice), "400 invalid_request")
        const headersOfForm = { "content-type": "application/x-www-form-urlencoded" }
        const notText = yield* ask("POST", `${base}/oauth2/token`, { headers: headersOfForm, body: Uint8Array.of(0x61, 0x3d, 0xff) })
        assert.strictEqual(oauthError(notText), "400 invalid_request")
        const long = yield* ask("POST", `${base}/oauth2/token`, { headers: headersOfForm, body: `code=${"x".repeat(1_048_577)}` })
        assert.strictEqual(oauthError(long), "413 payload_too_large")
        assert.strictEqual(refused(yield* ask("POST", `${base}/oauth2/token`, { body: "{" })), "400 invalid_json")
        assert.strictEqual(refused(yield* post("/oauth2/token", { ...good, code: 1 })), "400 invalid_request")
        assert.strictEqual(refused(yield* get(`/oauth2/token?${query(good)}`)), "404 not_found")
      }),
    )

    it.effect("challenges requests without a valid access token", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        const cases = [
          [{}, "401 unauthorized", "Bearer"],
          [{ cookie }, "401 unauthorized", "Bearer"],
          [{ authorization: basic }, "401 unauthorized", "Bearer"],
          [{ authorization: "Bearer x" }, "401 invalid_token", 'Bearer error="invalid_token"'],
          [{ authorization: `Bearer ${cookie.split("=")[1]}` }, "401 invalid_token", 'Bearer error="invalid_token"'],
        ] as const
        for (const [headers, code, challenge] of cases) {
          for (const answer of [yield* get("/oauth2/userinfo", { headers }), yield* post("/oauth2/userinfo", {}, { headers })]) {
            assert.strictEqual(refused(answer), code)
            assert.strictEqual(answer.headers["www-authenticate"], challenge)
          }
        }
        const both = yield* form("/oauth2/userinfo", { access_token: "x" }, { authorization: "Bearer x" })
        assert.strictEqual(refused(both), "400 invalid_request")
        assert.strictEqual(both.headers["www-authenticate"], 'Bearer error="invalid_request"')
        assert.strictEqual(refused(yield* get("/oauth2/userinfo?access_token=x")), "401 unauthorized")
      }),
    )

    it.effect("allows pages of any origin without credentials, where they need it", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        for (const [method, path] of [
          ["POST", "/oauth2/token"],
          ["GET", "/oauth2/userinfo"],
          ["POST", "/oauth2/userinfo"],
          ["GET", "/oauth2/jwks"],
          ["GET", "/.well-known/openid-configuration"],
        ] as const) {
          for (const origin of [elsewhere, listed, "null", "http://localhost:3000"]) {
            const answer = yield* ask(method, `${base}${path}`, { headers: { origin, cookie } })
            assert.notStrictEqual(answer.status, 403)
            assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
            assert.isUndefined(answer.headers["access-control-allow-credentials"])
            assert.isUndefined(answer.headers["set-cookie"])
            assert.include(answer.headers["access-control-expose-headers"], "www-authenticate")

            const asking = { origin, "access-control-request-method": method, "access-control-request-headers": "authorization" }
            const preflight = yield* ask("OPTIONS", `${base}${path}`, { headers: asking })
            assert.strictEqual(preflight.status, 204, path)
            assert.strictEqual(preflight.headers["access-control-allow-origin"], "*")
            assert.include(preflight.headers["access-control-allow-headers"], "authorization")
          }
        }
      }),
    )

    it.effect("lets a page of any origin navigate to authorize, but not read its answer", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        for (const origin of [elsewhere, "null"]) {
          for (const answer of [
            yield* form("/oauth2/authorize", requests.spa, { cookie, origin }),
            yield* authorize(requests.spa, { cookie, origin }),
          ]) {
            assert.strictEqual(answer.status, 302)
            assert.isUndefined(answer.headers["access-control-allow-origin"])
          }
          const preflight = yield* ask("OPTIONS", `${base}/oauth2/authorize`, { headers: { origin } })
          assert.strictEqual(refused(preflight), "403 untrusted_origin")
          assert.strictEqual(refused(yield* post("/sign-out", {}, { headers: { origin } })), "403 untrusted_origin")
        }
        const trusted = yield* authorize(requests.spa, { cookie, origin: listed })
        assert.strictEqual(trusted.headers["access-control-allow-origin"], listed)
      }),
    )

    it.effect("answers with a page for response_mode=form_post, whose only script is allowed by its hash", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        const answer = yield* authorize({ ...requests.spa, response_mode: "form_post" }, { cookie })
        assert.deepStrictEqual([answer.status, answer.headers["content-type"]], [200, "text/html; charset=utf-8"])
        assert.isUndefined(answer.headers.location)
        const [, script = ""] = /<script>(.*)<\/script>/.exec(answer.text) ?? []
        const hash = createHash("sha256").update(script).digest("base64")
        assert.include(answer.headers["content-security-policy"], `script-src 'sha256-${hash}'`)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
      }),
    )

    it.effect("answers a pushed request with 201", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedInUser
        const pushed = yield* form("/oauth2/par", requests.spa)
        assert.strictEqual(pushed.status, 201, pushed.text)
        const sent = yield* authorize({ client_id: "spa", request_uri: pushed.json.request_uri }, { cookie })
        assert.strictEqual((yield* form("/oauth2/token", presented.spa(codeOf(sent)))).status, 200)
        assert.strictEqual(oauthError(yield* form("/oauth2/par", { ...requests.spa, scope: "unknown" })), "400 invalid_scope")
      }),
    )

    it.effect("is discovered where OpenID Connect and where RFC 8414 expect it", () =>
      Effect.gen(function* () {
        const found = yield* get("/.well-known/openid-configuration")
        const further = yield* ask("GET", "/.well-known/oauth-authorization-server/api/auth")
        assert.deepStrictEqual([found.status, further.status], [200, 200])
        assert.deepStrictEqual(further.json, found.json)
        assert.strictEqual(found.json.issuer, "http://localhost:3000/api/auth")
        assert.strictEqual((yield* ask("OPTIONS", "/.well-known/oauth-authorization-server/api/auth")).status, 204)
        for (const path of ["", "/", "/api", "/api/auth/"]) {
          assert.strictEqual(refused(yield* ask("GET", `/.well-known/oauth-authorization-server${path}`)), "404 not_found")
        }
        assert.strictEqual(found.headers["cache-control"], "no-store")
        const { headers, json } = yield* get("/oauth2/jwks")
        assert.strictEqual(headers["cache-control"], "public, max-age=3600")
        const { keys } = json
        assert.deepStrictEqual(Object.keys(keys[0]), ["kty", "crv", "x", "use", "alg", "kid"])
      }),
    )
  })

  layer(served({ modules, settings: { base_path: "" } }), { excludeTestServices: true })("without a base path", (it) => {
    it.effect("is discovered at the root", () =>
      Effect.gen(function* () {
        for (const name of ["openid-configuration", "oauth-authorization-server"]) {
          const { status, json } = yield* ask("GET", `/.well-known/${name}`)
          assert.deepStrictEqual([status, json.issuer], [200, "http://localhost:3000"])
        }
      }),
    )
  })

  layer(served({ modules, rest: false }), { excludeTestServices: true })("where the REST shell is off", (it) => {
    it.effect("is still served", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* get("/oauth2/jwks")).status, 200)
        assert.strictEqual(responseIn(yield* authorize(requests.spa))["error"], "login_required")
      }),
    )
  })
})

// A fixed seed, so that a failing mix can be repeated.

let seed = 20_261_121
const below = (limit: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % limit
}
const oneOf = <A>(values: ReadonlyArray<A>): A => values[below(values.length)]!

const strange = [
  "",
  " ",
  "\0",
  "%00",
  "%",
  "%zz",
  "\ud83d\ude00",
  "ü",
  "\r\nset-cookie: a=b",
  "[]",
  "{}",
  "null",
  "__proto__",
  "x".repeat(3000),
  "'\"<>",
]
const close = [
  "none",
  "login",
  "none login",
  "0",
  "-1",
  "1e999",
  "code",
  "token",
  "S256",
  "plain",
  "query",
  "openid",
  "authorization_code",
  "e30.e30.",
]
const names = [...new Set([...Object.keys(requests.spa), ...Object.keys(presented.web("")), "code_verifier"])]
const rarer = ["nonce", "prompt", "max_age", "id_token_hint", "request", "request_uri", "registration", "response_mode", "access_token"]
const odd = ["__proto__", "constructor", "toString", "", "code[]", "a\0b", "claims"]

/** Valid fields, some of them removed, changed or repeated, with further ones. */
const mixed = (good: object): ReadonlyArray<readonly [string, string]> => {
  const fields = Object.entries(good as Record<string, string>).filter(() => below(12) !== 0)
  const changed = fields.map(([name, value]) => [name, below(10) === 0 ? oneOf([...strange, ...close, `${value}x`]) : value] as const)
  const more = times(below(4), () => [oneOf([...names, ...rarer, ...rarer, ...odd]), oneOf([...strange, ...close])] as const)
  return below(3) === 0 ? changed : [...changed, ...more]
}
const encoded = (fields: ReadonlyArray<readonly [string, string]>) =>
  oneOf([
    () => new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
    // Without percent-encoding.
    () => fields.map(([name, value]) => `${name}=${value}`.replace(/[^\x21-\x7e]/g, "+")).join("&"),
  ])()

describe("parameters mixed at random", () => {
  const quiet = { settings: { rate_limit: { enabled: false }, session: { max_lifetime: 1_000_000_000, expires_in: 1_000_000_000 } } }
  layer(served({ modules, ...quiet }), { excludeTestServices: true })((it) => {
    const count = process.env["STORE"] === "memory" ? 1500 : 250

    /** As many responses as mixes, and no defect. */
    const all = Effect.fnUntraced(function* (send: (index: number) => Effect.Effect<Answer, never, any>) {
      const tally: Record<string, number> = {}
      const answers = times(count, (index) =>
        Effect.map(send(index), (answer) => {
          const [, error = "none"] = /[?&]error=(\w+)/.exec(answer.headers.location ?? "") ?? []
          const code = answer.status === 302 ? error : (answer.json?.error?.code ?? answer.json?.error ?? "ok")
          const key = `${answer.status} ${code}`
          tally[key] = (tally[key] ?? 0) + 1
          assert.include([200, 302, 400, 401], answer.status, answer.text.slice(0, 300))
          const place = answer.headers.location
          const ours = [requests.spa, requests.web].some(({ redirect_uri }) => place?.startsWith(redirect_uri))
          assert.isTrue(place === undefined || ours, place)
        }),
      )
      yield* Effect.all(answers, { concurrency: 16, discard: true })
      assert.deepStrictEqual(yield* Logged.useSync((lines) => lines.filter((line) => line.includes("ERROR"))), [])
      return tally
    })

    it.effect(
      "cause no defect at authorize",
      () =>
        Effect.gen(function* () {
          const { cookie } = yield* signedInUser
          const tally = yield* all(() => {
            const text = encoded(mixed(oneOf([requests.spa, requests.spa, requests.web])))
            const headers = below(8) === 0 ? {} : { cookie }
            if (below(2) === 0) return get(`/oauth2/authorize?${text}`, { headers }) as Effect.Effect<Answer>
            const form = { ...headers, "content-type": "application/x-www-form-urlencoded" }
            return ask("POST", `${base}/oauth2/authorize`, { headers: form, body: text }) as Effect.Effect<Answer>
          })
          for (const kind of ["302 none", "302 login_required", "302 invalid_request", "400 invalid_client", "400 invalid_redirect_uri"]) {
            assert.isAbove(tally[kind] ?? 0, 0, JSON.stringify(tally))
          }
        }),
      120_000,
    )

    it.effect(
      "cause no defect at token",
      () =>
        Effect.gen(function* () {
          const { cookie } = yield* signedInUser
          const codes = yield* Effect.forEach(times(200, String), () => codeFor(cookie))
          const tally = yield* all(() => {
            const fields = mixed(oneOf([presented.spa(oneOf(codes)), presented.spa(oneOf(codes)), presented.web("x")]))
            const authorization = below(10) === 0 ? { authorization: oneOf([basic, "Basic", "Basic eDp5", "Bearer x", "Basic %"]) } : {}
            if (below(3) === 0) {
              const body = JSON.stringify(Object.fromEntries(fields))
              return ask("POST", `${base}/oauth2/token`, { headers: authorization, body }) as Effect.Effect<Answer>
            }
            const headers = { ...authorization, "content-type": "application/x-www-form-urlencoded" }
            return ask("POST", `${base}/oauth2/token`, { headers, body: encoded(fields) }) as Effect.Effect<Answer>
          })
          for (const kind of ["200 ok", "400 invalid_grant", "400 invalid_request", "401 invalid_client", "400 unsupported_grant_type"]) {
            assert.isAbove(tally[kind] ?? 0, 0, JSON.stringify(tally))
          }
        }),
      120_000,
    )
  })
})
