import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as Jose from "jose"
import { OAuthStates } from "../../../../application/modules/social/flows.ts"
import { atOnce, browser, rows, times } from "../../../world.ts"
import { discovered, issuer, newKey, outcome, rule, type World } from "./openid.ts"
import { callback, including } from "./provider.ts"

const pair = async (alg: string) => {
  const { publicKey, privateKey } = await Jose.generateKeyPair(alg, { extractable: true })
  return { alg, publicKey, pem: await Jose.exportPKCS8(privateKey) }
}
const pairs = await Promise.all(["RS256", "ES256", "EdDSA"].map(pair))
const apple = await pair("ES256")
const key = await newKey("by hand")

const started = ({ auth, signInSocial }: World) => browser(auth).body(signInSocial, { provider: "op" })

describe("a provider of which only the issuer is known", () => {
  rule("gets an authorization request with state, PKCE and nonce", function* (world) {
    const { url } = yield* started(world)
    const { origin, pathname, search, searchParams } = new URL(url)
    assert.strictEqual(`${origin}${pathname}`, `${issuer}/authorize`)
    const { state = "", code_challenge = "", nonce = "", ...rest } = Object.fromEntries(searchParams)
    assert.deepStrictEqual(rest, {
      response_type: "code",
      client_id: "our client",
      redirect_uri: callback,
      scope: "openid profile email",
      code_challenge_method: "S256",
    })
    assert.include(search, "scope=openid%20profile%20email")
    for (const random of [state, code_challenge, nonce]) assert.match(random, /^[\w-]{43}$/)
    assert.lengthOf(new Set([state, code_challenge, nonce]), 3)
    assert.notInclude(JSON.stringify(yield* rows(OAuthStates)), nonce)
  })

  rule("gets one request for twenty concurrent sign-ins", function* (world) {
    assert.deepStrictEqual(yield* atOnce(times(20, () => browser(world.auth).call(world.signInSocial, { provider: "op" }))), { ok: 20 })
    assert.lengthOf(world.requests, 1)
  })

  rule("gets an error that does not speak of a confirmation if it cannot be used: the user was not asked", function* (world) {
    world.op.metadata["issuer"] = "https://evil.example"
    const { _tag, message } = yield* Effect.flip(browser(world.auth).call(world.signInSocial, { provider: "op" }))
    assert.deepStrictEqual(
      [_tag, message],
      ["oauth_token_error", "The provider cannot be reached, or its metadata is not valid. Try again later."],
    )
  })

  rule("must be the issuer of its metadata", function* (world) {
    for (const wrong of ["https://evil.example", `${issuer}/`, undefined, [issuer]]) {
      world.op.metadata["issuer"] = wrong
      assert.strictEqual(yield* outcome(world), "oauth_token_error")
    }
    assert.lengthOf(yield* rows(OAuthStates), 0)
    assert.notInclude(world.paths(), "/authorize")
  })

  const unusable: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["without a token endpoint", { token_endpoint: undefined }],
    ["without keys", { jwks_uri: undefined }],
    ["without encryption", { token_endpoint: "http://op.example/token" }],
    ["on this machine", { jwks_uri: "https://localhost/jwks" }],
    ["on this machine, by its address", { jwks_uri: "http://127.0.0.1:9200/" }],
    ["at the address of a cloud's metadata service", { jwks_uri: "https://169.254.169.254/latest" }],
    ["at another spelling of an address", { userinfo_endpoint: "https://2852039166/" }],
    ["at an IPv6 address", { userinfo_endpoint: "https://[fd00::1]/" }],
    ["with credentials", { token_endpoint: "https://user:pass@op.example/token" }],
    ["that is no URL", { authorization_endpoint: "javascript:alert(1)" }],
  ]
  for (const [what, change] of unusable) {
    rule(`must not have an endpoint ${what}`, function* (world) {
      Object.assign(world.op.metadata, change)
      assert.strictEqual(yield* outcome(world), "oauth_token_error")
      assert.deepStrictEqual(world.paths(), ["/.well-known/openid-configuration"])
    })
  }

  rule("must name itself in its callbacks where its metadata declares it", function* (world) {
    world.op.metadata["authorization_response_iss_parameter_supported"] = true
    assert.strictEqual(yield* outcome(world), "invalid_state")
    assert.strictEqual(yield* outcome(world, { iss: "https://evil.example" }), "invalid_state")
    assert.notInclude(world.paths(), "/token")
    assert.strictEqual(yield* outcome(world, { iss: issuer }), "ok")
  })
})

describe("client authentication", () => {
  const tokenRequest = ({ requests }: World) => requests.find(({ url }) => url.endsWith("/token")) ?? assert.fail("no token request")
  const encoded = Buffer.from("our+client:hunter2%26%3D+and+thirty-two+bytes+long").toString("base64")

  rule("is basic by default (OpenID Connect Discovery section 3)", function* (world) {
    assert.strictEqual(yield* outcome(world), "ok")
    const { headers, form } = tokenRequest(world)
    assert.strictEqual(headers["authorization"], `Basic ${encoded}`)
    assert.isFalse(form.has("client_secret"))
    assert.isFalse(form.has("client_id"))
  })

  rule("is in the body where the provider offers nothing else", function* (world) {
    world.op.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post", "private_key_jwt"]
    assert.strictEqual(yield* outcome(world), "ok")
    assert.strictEqual(tokenRequest(world).form.get("client_secret"), "hunter2&= and thirty-two bytes long")
    assert.isUndefined(tokenRequest(world).headers["authorization"])
  })

  rule(
    "is in the body where so configured",
    function* (world) {
      assert.strictEqual(yield* outcome(world), "ok")
      assert.strictEqual(tokenRequest(world).form.get("client_id"), "our client")
    },
    { client_auth: "client_secret_post" },
  )

  rule(
    "is absent for a public client",
    function* (world) {
      assert.strictEqual(yield* outcome(world), "ok")
      const { form, headers } = tokenRequest(world)
      assert.strictEqual(form.get("client_id"), "our client")
      assert.isFalse(form.has("client_secret") || "authorization" in headers)
    },
    { client_auth: "none", client_secret: null },
  )

  for (const { alg, publicKey, pem } of pairs) {
    rule(
      `is an assertion signed with a private key (${alg})`,
      function* (world) {
        assert.strictEqual(yield* outcome(world), "ok")
        const { form } = tokenRequest(world)
        assert.strictEqual(form.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        assert.isFalse(form.has("client_secret"))
        const { payload, protectedHeader } = yield* Effect.promise(() =>
          Jose.jwtVerify(form.get("client_assertion") ?? "", publicKey, { currentDate: new Date(0) }),
        )
        assert.deepStrictEqual(protectedHeader, { alg, kid: "k1" })
        const { jti, ...claims } = payload
        assert.deepStrictEqual(claims, { iss: "our client", sub: "our client", aud: issuer, iat: 0, exp: 60 })
        assert.match(String(jti), /^[\w-]{43}$/)
      },
      { client_secret: null, private_key: pem, key_id: "k1" },
    )
  }

  rule(
    "is Apple's secret: a JWT of the team",
    function* (world) {
      assert.strictEqual(yield* outcome(world), "ok")
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        Jose.jwtVerify(tokenRequest(world).form.get("client_secret") ?? "", apple.publicKey, { currentDate: new Date(0) }),
      )
      assert.deepStrictEqual(protectedHeader, { alg: "ES256", kid: "ABC" })
      assert.deepStrictEqual(payload, { iss: "TEAM", sub: "our client", aud: "https://appleid.apple.com", iat: 0, exp: 60 })
    },
    { client_secret: null, client_auth: "apple_client_secret", private_key: apple.pem, key_id: "ABC", team_id: "TEAM" },
  )

  rule(
    "with a private key that cannot be read fails the sign-in",
    function* (world) {
      assert.strictEqual(yield* outcome(world), "oauth_token_error")
      assert.notInclude(world.paths(), "/token")
    },
    { client_secret: null, private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" },
  )
})

describe("a provider by hand", () => {
  const urls = { authorize_url: `${issuer}/authorize`, token_url: `${issuer}/token` }
  const map_user = { account_id: "sub" }

  rule(
    "with jwks_url has its ID tokens checked, without a look at its metadata",
    function* (world) {
      Object.assign(world.op, { key, keys: [key.jwk] })
      assert.strictEqual(yield* outcome(world, { iss: issuer }), "ok")
      assert.deepStrictEqual(world.paths(), ["/token", "/jwks"])
      world.op.claims = (claims) => ({ ...claims, nonce: "another" })
      assert.strictEqual(yield* outcome(world, { iss: issuer }), "oauth_token_error")
    },
    { ...urls, jwks_url: `${issuer}/jwks`, scopes: ["openid"], map_user },
  )

  rule(
    "without jwks_url has no nonce, and its ID tokens are not read",
    function* (world) {
      const { url } = yield* started(world)
      assert.isFalse(new URL(url).searchParams.has("nonce"))
      world.op.token = (answer) => ({ ...answer, id_token: "not read" })
      assert.strictEqual(yield* outcome(world, { iss: issuer }), "ok")
      assert.deepStrictEqual(world.paths(), ["/token", "/userinfo"])
    },
    { ...urls, userinfo_url: `${issuer}/userinfo`, scopes: ["openid"], map_user },
  )
})

describe("the request for the profile", () => {
  for (const [userinfo_request, method, isInBody] of [
    ["get", "GET", false],
    ["post", "POST", false],
    ["form", "POST", true],
  ] as const) {
    rule(
      `is as ${userinfo_request} says`,
      function* (world) {
        assert.strictEqual(yield* outcome(world), "ok")
        const request = world.requests.find(({ url }) => url.endsWith("/userinfo")) ?? assert.fail("no request")
        assert.strictEqual(request.method, method)
        assert.strictEqual(request.form.has("access_token"), isInBody)
        assert.strictEqual("authorization" in request.headers, !isInBody)
      },
      { userinfo_request },
    )
  }
})

describe("two providers", () => {
  rule("have metadata of their own, even with one issuer", function* (world) {
    const { auth, signInSocial } = including({ providers: [discovered(), discovered({ id: "again" })] })
    for (const provider of ["op", "again", "op"]) yield* browser(auth).body(signInSocial, { provider })
    assert.lengthOf(world.requests, 2)
  })
})
