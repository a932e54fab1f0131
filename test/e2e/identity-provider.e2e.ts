import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import * as client from "openid-client"
import { beforeAll, expect, it } from "vitest"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

// The relying party is openid-client, which is certified by the OpenID Foundation.

const password = "correct horse battery staple"
const email = "ada@example.com"
const callback = "https://app.example.com/callback"
const native = "http://127.0.0.1/callback"
const clients = [
  { client_id: "app", client_secret: "", redirect_uris: [callback, native] },
  { client_id: "site: a & b", client_secret: "100% of a + secret: ~", redirect_uris: [callback], scopes: ["openid", "email"] },
]
const [app, site] = [clients[0]!, clients[1]!]

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

const discovered = async (id: string, auth: client.ClientAuth, algorithm: "oidc" | "oauth2" = "oidc") => {
  // Over http, since this is loopback.
  const config = await client.discovery(issuer, id, undefined, auth, { algorithm, execute: [client.allowInsecureRequests] })
  // The library then verifies the id_token from the published keys, too.
  client.enableNonRepudiationChecks(config)
  return config
}

/** Opens the link in a browser with this session cookie, and returns the URL of the redirect. */
const visited = async (link: URL, session = cookie) => {
  const answer = await fetch(link, { redirect: "manual", headers: { cookie: session } })
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get("location") ?? "")
}

/** Runs one sign-in of a relying party. */
const signedIn = async (config: client.Configuration, parameters: Record<string, string> = {}, session = cookie) => {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const link = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: callback, scope: "openid email", state, nonce },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    ...parameters,
  })
  const back = await visited(link, session)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  const grant = (further: { readonly maxAge?: number } = {}) => client.authorizationCodeGrant(config, back, { ...checks, ...further })
  return { back, grant }
}

const ways: ReadonlyArray<readonly [string, string, client.ClientAuth]> = [
  ["a public client", app.client_id, client.None()],
  ["a client with its secret in the header", site.client_id, client.ClientSecretBasic(site.client_secret)],
  ["a client with its secret in the body", site.client_id, client.ClientSecretPost(site.client_secret)],
]

it.each(ways)("%s signs a user in: discovery, code with PKCE, id_token, userinfo", async (_, id, auth) => {
  const config = await discovered(id, auth)
  const { grant } = await signedIn(config, { max_age: "3600" })
  const tokens = await grant({ maxAge: 3600 })
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "openid email" })
  expect(tokens.expiresIn()).toBeGreaterThan(604_000)
  expect(tokens.claims()).toMatchObject({ iss: issuer.href, sub: userId, aud: id, email, email_verified: false })

  const info = await client.fetchUserInfo(config, tokens.access_token, userId)
  expect(info).toEqual({ sub: userId, email, email_verified: false })

  const { jwks_uri = "" } = config.serverMetadata()
  const { payload } = await jwtVerify(tokens.id_token ?? "", createRemoteJWKSet(new URL(jwks_uri)), {
    ...{ issuer: issuer.href, audience: id, algorithms: ["EdDSA"], typ: "JWT" },
  })
  expect(payload.sub).toBe(userId)
  expect(decodeProtectedHeader(tokens.id_token ?? "").kid).toMatch(/^[\w-]{43}$/)
  const noKeys = createLocalJWKSet({ keys: [] })
  await expect(jwtVerify(tokens.id_token ?? "", noKeys)).rejects.toThrow("no applicable key")
})

it("a native app listens on any port", async () => {
  const config = await discovered(app.client_id, client.None())
  const { back, grant } = await signedIn(config, { redirect_uri: "http://127.0.0.1:49152/callback" })
  expect(back.host).toBe("127.0.0.1:49152")
  expect((await grant()).access_token).toMatch(/^[\w-]{43}$/)
})

it("the same is found where RFC 8414 has it", async () => {
  const [oidc, oauth2] = [await discovered(app.client_id, client.None()), await discovered(app.client_id, client.None(), "oauth2")]
  expect(oauth2.serverMetadata()).toEqual(oidc.serverMetadata())
})

it("refusals are the library's own errors", async () => {
  const config = await discovered(app.client_id, client.None())
  const stranger = await signedIn(config, { prompt: "none" }, "")
  await expect(stranger.grant()).rejects.toMatchObject({ error: "login_required", cause: expect.any(URLSearchParams) })

  const once = await signedIn(config)
  const { access_token } = await once.grant()
  await expect(once.grant()).rejects.toMatchObject({ error: "invalid_grant", status: 400 })
  await expect(client.fetchUserInfo(config, access_token, userId)).rejects.toMatchObject({ status: 401 })

  const guess = (auth: client.ClientAuth) => discovered(site.client_id, auth).then(signedIn)
  const inBody = await guess(client.ClientSecretPost("a guess"))
  await expect(inBody.grant()).rejects.toMatchObject({ error: "invalid_client", status: 401 })
  const inHeader = await guess(client.ClientSecretBasic("a guess"))
  await expect(inHeader.grant()).rejects.toMatchObject({
    status: 401,
    cause: [{ scheme: "basic", parameters: { realm: expect.any(String) } }],
  })
})

it("a sign-out ends the access token", async () => {
  const other = (await program.call("/sign-in/email", { email, password })).cookie ?? ""
  const config = await discovered(app.client_id, client.None())
  const [pending, done] = [await signedIn(config, {}, other), await signedIn(config, {}, other)]
  const { access_token } = await done.grant()
  await client.fetchUserInfo(config, access_token, userId)
  await program.call("/sign-out", {}, { cookie: other })
  await expect(client.fetchUserInfo(config, access_token, userId)).rejects.toMatchObject({ status: 401 })
  await expect(pending.grant()).rejects.toMatchObject({ error: "invalid_grant" })
})
