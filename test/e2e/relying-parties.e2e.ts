import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from "jose"
import * as oauth from "oauth4webapi"
import * as client from "openid-client"
import { beforeAll, describe, expect, it } from "vitest"
import { atEnd } from "./endings.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"
import { until } from "./waiting.ts"

// What libraries of relying parties do after a sign-in: refresh, introspection, revocation and logout. Both are certified by the OpenID
// Foundation.

const password = "correct horse battery staple"
const email = "ada@example.com"
const redirect_uri = "https://app.example.com/callback"
const everything = "openid email offline_access"
const secret = randomBytes(24).toString("base64url")
const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true })
const registered = { client_secret: "", redirect_uris: [redirect_uri], scopes: everything.split(" "), refresh_tokens: true }
const post_logout_redirect_uri = "https://app.example.com/signed-out"
/** The logout tokens that the client `shop` got. */
const logoutTokens: Array<string> = []
const shop = createServer(async (request, response) => {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
  logoutTokens.push(form.get("logout_token") ?? "")
  response.end()
}).listen(0, "127.0.0.1")
await once(shop, "listening")
atEnd(() => void shop.close())
const clients = [
  { ...registered, client_id: "app" },
  { ...registered, client_id: "site", client_secret: secret },
  {
    ...{ ...registered, client_id: "shop", client_secret: secret, post_logout_redirect_uris: [post_logout_redirect_uri] },
    backchannel_logout_uri: `http://localhost:${(shop.address() as AddressInfo).port}/logout`,
  },
  {
    ...registered,
    ...{ client_id: "bank", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [await exportJWK(publicKey)] } },
    ...{ require_pushed_authorization_requests: true, access_token_format: "jwt", userinfo_signed_response_alg: "ES256" },
  },
]

let program: Program
let issuer: URL
/** The session cookie of the user's browser. */
let cookie: string
let userId: string

beforeAll(async () => {
  program = await start({ store: { kind: "memory" }, modules: { idp: { clients } } })
  issuer = new URL(`http://localhost:${program.port}/api/auth`)
  const signedUp = await program.call("/sign-up/email", { email, password })
  cookie = signedUp.cookie ?? ""
  userId = signedUp.body.user?.id ?? ""
})

/** Opens the link in the browser with this session, and returns the URL of the redirect to the client. */
const visited = async (link: URL, session = cookie) => {
  const answer = await fetch(link, { redirect: "manual", headers: { cookie: session } })
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get("location") ?? "")
}

describe("openid-client", () => {
  const discovered = async (id: string, auth: client.ClientAuth) => {
    const config = await client.discovery(issuer, id, undefined, auth, { execute: [client.allowInsecureRequests] })
    client.enableNonRepudiationChecks(config)
    return config
  }

  const signedIn = async (config: client.Configuration, { isPushed = false, session = cookie, scope = everything } = {}) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
    const request = {
      ...{ redirect_uri, scope, state: expectedState, nonce: expectedNonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: "S256" },
    }
    const link = isPushed ? await client.buildAuthorizationUrlWithPAR(config, request) : client.buildAuthorizationUrl(config, request)
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
    return client.authorizationCodeGrant(config, await visited(link, session), checks)
  }

  it("refreshes the tokens of a public client, whose refresh token is replaced", async () => {
    const config = await discovered("app", client.None())
    const first = await signedIn(config)
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? "")
    expect(second.claims()).toMatchObject({ sub: userId, auth_time: first.claims()?.auth_time })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await client.fetchUserInfo(config, second.access_token, userId)).toMatchObject({ sub: userId, email })
    const repeated = await client.refreshTokenGrant(config, first.refresh_token ?? "")
    expect(repeated.refresh_token).toBe(second.refresh_token)
    const third = await client.refreshTokenGrant(config, second.refresh_token ?? "")
    await expect(client.refreshTokenGrant(config, first.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" })
    await expect(client.refreshTokenGrant(config, third.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" })
  })

  const ways: ReadonlyArray<readonly [string, client.ClientAuth, isPushed: boolean]> = [
    ["site", client.ClientSecretBasic(secret), false],
    ["site", client.ClientSecretPost(secret), false],
    ["bank", client.PrivateKeyJwt(privateKey), true],
  ]

  it.each(ways)("introspects and revokes the tokens of %s (%#)", async (id, auth, isPushed) => {
    const config = await discovered(id, auth)
    const { access_token, refresh_token = "" } = await signedIn(config, { isPushed })
    expect(await client.tokenIntrospection(config, access_token)).toMatchObject({ active: true, sub: userId, client_id: id })
    expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true, client_id: id })

    await client.tokenRevocation(config, refresh_token)
    for (const token of [access_token, refresh_token]) expect(await client.tokenIntrospection(config, token)).toEqual({ active: false })
    await expect(client.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({ error: "invalid_grant" })
    await client.tokenRevocation(config, refresh_token)
  })

  it("reads a signed userinfo response, and sends only what was pushed", async () => {
    const config = await discovered("bank", client.PrivateKeyJwt(privateKey))
    const tokens = await signedIn(config, { isPushed: true })
    expect(await client.fetchUserInfo(config, tokens.access_token, userId)).toMatchObject({ sub: userId, email })
    const direct = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: everything,
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    })
    expect((await visited(direct)).searchParams.get("error")).toBe("invalid_request")
  })

  it("signs out, back to a registered page, and the client is notified", async () => {
    const config = await discovered("shop", client.ClientSecretBasic(secret))
    const other = (await program.call("/sign-in/email", { email, password })).cookie ?? ""
    const tokens = await signedIn(config, { session: other, scope: "openid email" })
    const leave = (post_logout_redirect_uri: string) =>
      client.buildEndSessionUrl(config, { post_logout_redirect_uri, id_token_hint: tokens.id_token ?? "", state: "s 1" })
    const elsewhere = await fetch(leave(`${post_logout_redirect_uri}/`), { redirect: "manual", headers: { cookie: other } })
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([400, null])
    expect(await client.fetchUserInfo(config, tokens.access_token, userId)).toMatchObject({ sub: userId })

    expect((await visited(leave(post_logout_redirect_uri), other)).href).toBe(`${post_logout_redirect_uri}?state=s+1`)
    await expect(client.fetchUserInfo(config, tokens.access_token, userId)).rejects.toMatchObject({ status: 401 })
    expect((await program.call("/get-session", undefined, { cookie: other })).body.session ?? null).toBeNull()

    const logoutToken = await until("the logout token", async () => logoutTokens[0], 30)
    const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ""))
    const { payload } = await jwtVerify(logoutToken, keys, { issuer: issuer.href, audience: "shop", typ: "logout+jwt" })
    expect(payload).toMatchObject({ sid: tokens.claims()?.["sid"], events: { "http://schemas.openid.net/event/backchannel-logout": {} } })
    expect(payload).not.toHaveProperty("nonce")
  })
})

describe("oauth4webapi", () => {
  // Over http, since this is loopback.
  const insecure = { [oauth.allowInsecureRequests]: true }
  const discovered = async () => oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))

  const signedIn = async (as: oauth.AuthorizationServer, own: oauth.Client, auth: oauth.ClientAuth) => {
    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const request = {
      ...{ response_type: "code", redirect_uri, scope: everything, state, nonce },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    }
    const pushed = await oauth.pushedAuthorizationRequest(as, own, auth, request, insecure)
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, own, pushed)
    const link = new URL(as.authorization_endpoint ?? "")
    link.search = new URLSearchParams({ client_id: own.client_id, request_uri }).toString()
    const parameters = oauth.validateAuthResponse(as, own, await visited(link), state)
    const answer = await oauth.authorizationCodeGrantRequest(as, own, auth, parameters, redirect_uri, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(as, own, answer, { expectedNonce: nonce, requireIdToken: true })
    await oauth.validateApplicationLevelSignature(as, answer, insecure)
    return { tokens, parameters, verifier }
  }

  const ways: ReadonlyArray<readonly [string, oauth.ClientAuth]> = [
    ["app", oauth.None()],
    ["site", oauth.ClientSecretBasic(secret)],
    ["bank", oauth.PrivateKeyJwt(privateKey)],
  ]

  it.each(ways)("signs in, refreshes, introspects and revokes as %s", async (client_id, auth) => {
    const [as, own] = [await discovered(), { client_id }]
    const { tokens } = await signedIn(as, own, auth)
    const { sub, auth_time } = oauth.getValidatedIdTokenClaims(tokens) ?? {}
    expect(sub).toBe(userId)

    const refreshed = await oauth.refreshTokenGrantRequest(as, own, auth, tokens.refresh_token ?? "", insecure)
    const later = await oauth.processRefreshTokenResponse(as, own, refreshed)
    expect(oauth.getValidatedIdTokenClaims(later)).toMatchObject({ sub, auth_time })
    const isKept = later.refresh_token === undefined || later.refresh_token === tokens.refresh_token
    expect(isKept).toBe(client_id !== "app")
    const refresh_token = later.refresh_token ?? tokens.refresh_token ?? ""

    const isActive = async (token: string) => {
      const answer = await oauth.introspectionRequest(as, own, auth, token, insecure)
      return (await oauth.processIntrospectionResponse(as, own, answer)).active
    }
    // A public client cannot prove who it is.
    if (client_id !== "app") expect(await isActive(later.access_token)).toBe(true)
    else await expect(isActive(later.access_token)).rejects.toMatchObject({ error: "invalid_client", status: 401 })

    await oauth.processRevocationResponse(await oauth.revocationRequest(as, own, auth, refresh_token, insecure))
    const userinfo = await oauth.userInfoRequest(as, own, later.access_token, insecure)
    expect(userinfo.status).toBe(401)
    const again = await oauth.refreshTokenGrantRequest(as, own, auth, refresh_token, insecure)
    await expect(oauth.processRefreshTokenResponse(as, own, again)).rejects.toMatchObject({ error: "invalid_grant" })
  })

  it("verifies an access token in the form of a JWT as a resource server (RFC 9068)", async () => {
    const as = await discovered()
    const { tokens } = await signedIn(as, { client_id: "bank" }, oauth.PrivateKeyJwt(privateKey))
    const request = new Request("http://api.example.com/", { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const claims = await oauth.validateJwtAccessToken(as, request, issuer.href, { ...insecure, signingAlgorithms: ["EdDSA"] })
    expect(claims).toMatchObject({ sub: userId, client_id: "bank", scope: everything })
  })

  it("is refused when a code is exchanged twice, and its tokens end", async () => {
    const [as, own, auth] = [await discovered(), { client_id: "app" }, oauth.None()]
    const { tokens, parameters, verifier } = await signedIn(as, own, auth)
    const again = await oauth.authorizationCodeGrantRequest(as, own, auth, parameters, redirect_uri, verifier, insecure)
    await expect(oauth.processAuthorizationCodeResponse(as, own, again)).rejects.toMatchObject({ error: "invalid_grant" })
    expect((await oauth.userInfoRequest(as, own, tokens.access_token, insecure)).status).toBe(401)
  })
})
