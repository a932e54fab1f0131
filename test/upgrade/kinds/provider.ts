import { createHash } from "node:crypto"
import { createLocalJWKSet, jwtVerify } from "jose"
import { type Answer, type Call, kind, origin } from "../calls.ts"

// What clients of the identity provider hold. The clients are in configuration.ts.

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const challenge = createHash("sha256").update(verifier).digest("base64url")
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
const siteCallback = "https://site.example.com/callback"
const initialToken = "an-initial-access-token-of-forty-characters"
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })

const request = (client_id: string, more: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    ...{ client_id, redirect_uri: `https://${client_id}.example.com/callback`, response_type: "code", scope: "openid email", state: "xyz" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
    ...more,
  })
const authorize = (call: Call, as: string, parameters: URLSearchParams) => call(`/oauth2/authorize?${parameters}`, undefined, as)
const token = (call: Call, parameters: Readonly<Record<string, string>>, as = {}): Promise<Answer> =>
  call("/oauth2/token", new URLSearchParams(parameters), as)
const redeem = (call: Call, client_id: string, code: string) =>
  token(call, {
    grant_type: "authorization_code",
    code,
    client_id,
    redirect_uri: `https://${client_id}.example.com/callback`,
    code_verifier: verifier,
  })
const refresh = (call: Call, refresh_token: string) => token(call, { grant_type: "refresh_token", refresh_token, client_id: "app" })
const device = (call: Call, device_code: string) => token(call, { grant_type: deviceGrant, device_code, client_id: "tv" })
const allow = async (call: Call, as: string, { redirect }: Answer) => {
  const answer = await call("/oauth2/consent/allow", { request_uri: redirect["request_uri"] }, as)
  return authorize(call, as, new URL(answer.body["redirect"] ?? "/", origin).searchParams)
}

export const provider = kind({
  fill: async ({ ok, verified }) => {
    const grace = await verified("grace")
    const code = async (client: string, more = {}): Promise<string> => {
      const { redirect } = await authorize(ok, grace, request(client, more))
      if (redirect["code"] === undefined) throw new Error(JSON.stringify(redirect))
      return redirect["code"]
    }
    const tokens = async (client: string, more = {}) => (await redeem(ok, client, await code(client, more))).body
    const app = await tokens("app")
    const rotated = await tokens("app")
    const revoked = await tokens("app")
    await ok("/oauth2/revoke", new URLSearchParams({ client_id: "app", token: revoked["access_token"] }))
    await ok("/oauth2/profile/update", { nickname: "Amazing Grace" }, grace)

    const leaving = (await ok("/sign-in/email", { email: "grace@example.com", password: "correct horse battery staple" })).token
    const offline = await authorize(ok, leaving, request("app", { scope: "openid offline_access" }))
    const { refresh_token } = (await redeem(ok, "app", offline.redirect["code"])).body
    await ok("/sign-out", {}, leaving)

    await allow(ok, grace, await authorize(ok, grace, request("careful")))
    const metadata = { redirect_uris: ["https://wiki.example.com/callback"], client_name: "The Wiki" }
    const registered = (await ok("/oauth2/register", metadata, initialToken)).body
    const root = (await ok("/sign-in/email", { email: "root@example.com", password: "correct horse battery staple" })).token
    const service = { token_endpoint_auth_method: "client_secret_basic", grant_types: ["client_credentials"], scopes: ["read"] }
    const stored = (await ok("/admin/clients/create", service, root)).body
    const begun = async () => (await ok("/oauth2/device-authorization", new URLSearchParams({ client_id: "tv" }))).body
    const [waiting, allowed] = [await begun(), await begun()]
    await ok("/oauth2/device/allow", { user_code: allowed["user_code"] }, grace)
    const other = await verified("hugo")
    const pushed = new URLSearchParams([...request("site", { redirect_uri: siteCallback })])
    return {
      grace,
      access: app["access_token"] as string,
      id: app["id_token"] as string,
      refresh: app["refresh_token"] as string,
      rotated: [rotated["refresh_token"], (await refresh(ok, rotated["refresh_token"])).body["refresh_token"]] as ReadonlyArray<string>,
      revoked: revoked["access_token"] as string,
      offline: refresh_token as string,
      jwt: (await tokens("api"))["access_token"] as string,
      pairwise: (await tokens("pair"))["id_token"] as string,
      registered,
      stored,
      waiting,
      allowed,
      hugo: other,
      question: await authorize(ok, other, request("careful")),
      // The shortest lifetime, of one minute.
      code: await code("app"),
      pushed: (await ok("/oauth2/par", pushed, basic("site", "a secret of the site"))).body["request_uri"] as string,
    }
  },
  checks: ({ call, now }, held) => {
    const verified = async (jwt: string) => {
      const keys = createLocalJWKSet((await call("/oauth2/jwks")).body as never)
      return (await jwtVerify(jwt, keys, { issuer: `${origin}/api/auth`, currentDate: new Date(now()) })).payload
    }
    const codeOf = async (as: string, parameters: URLSearchParams) => (await authorize(call, as, parameters)).redirect["code"]
    const userinfo = async (access: string) => (await call("/oauth2/userinfo", undefined, access)).status
    const claimed = { client_id: held.stored["client"]?.client_id, secret: held.stored["client_secret"] }
    return {
      "an authorization code": async () => (await redeem(call, "app", held.code)).status,
      "an authorization code that was used": async () => (await redeem(call, "app", held.code)).status === 400,
      "an access token": () => userinfo(held.access),
      "an access token that was revoked": async () => (await userinfo(held.revoked)) === 401,
      "the introspection of an access token": async () =>
        (await call("/oauth2/introspect", new URLSearchParams({ token: held.access }), basic("site", "a secret of the site"))).body[
          "active"
        ],
      "an access token as JWT": async () => (await verified(held.jwt)).iss === `${origin}/api/auth`,
      "an ID token": async () => (await verified(held.id)).aud === "app",
      "an ID token as hint": async () =>
        (await codeOf(held.grace, request("app", { prompt: "none", id_token_hint: held.id }))) !== undefined,
      "a refresh token": async () => (await refresh(call, held.refresh)).status,
      "a refresh token that outlives its session": async () => (await refresh(call, held.offline)).status,
      "a refresh token that was used, and its successor": async () =>
        (await refresh(call, held.rotated[0] ?? "")).status === 400 && (await refresh(call, held.rotated[1] ?? "")).status === 400,
      "a pairwise subject": async () => {
        const again = await redeem(call, "pair", await codeOf(held.grace, request("pair")))
        return (await verified(again.body["id_token"])).sub === (await verified(held.pairwise)).sub
      },
      "the claims of a profile": async () =>
        (await call("/oauth2/profile", undefined, held.grace)).body["profile"]?.nickname === "Amazing Grace",
      "a consent": async () => (await codeOf(held.grace, request("careful", { prompt: "none" }))) !== undefined,
      "a list of consents": async () => (await call("/oauth2/grants", undefined, held.grace)).body["grants"].length > 0,
      "a request that waits for a consent": async () => (await allow(call, held.hugo, held.question)).redirect["code"] !== undefined,
      "a device code": async () => {
        await call("/oauth2/device/allow", { user_code: held.waiting["user_code"] }, held.grace)
        return (await device(call, held.waiting["device_code"])).status
      },
      "a device code that was allowed": async () => (await device(call, held.allowed["device_code"])).status,
      "a pushed request": async () =>
        (await codeOf(held.grace, new URLSearchParams({ client_id: "site", request_uri: held.pushed }))) !== undefined,
      "a client that registered itself": async () =>
        (await call(`/oauth2/register?client_id=${held.registered["client_id"]}`, undefined, held.registered["registration_access_token"]))
          .status,
      "a client of an administrator": async () =>
        (await token(call, { grant_type: "client_credentials" }, basic(claimed.client_id, claimed.secret))).status,
    }
  },
})
