import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Jose from "jose"
import { presetNamed, presetNames } from "../../../../application/modules/social/presets.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, rows } from "../../../world.ts"
import { newKey } from "./openid.ts"
import { type OAuthRow, type OpenIdRow, oauth, openid } from "./preset-rows.ts"
import { callback, including, type ProviderRequest, requestOf } from "./provider.ts"

type Json = Readonly<Record<string, unknown>>
const secret = "hunter2&= and thirty-two bytes long"
const keys = { RS256: await newKey("rsa"), ES256: await newKey("ec", "ES256") }
const { privateKey } = await Jose.generateKeyPair("ES256", { extractable: true })
const pem = await Jose.exportPKCS8(privateKey)
const bearer = { access_token: "the-token", token_type: "Bearer" }

/** Endpoints of the metadata: only the issuer is the provider's. */
const op = "https://op.example"

const idTokenOf = ({ issuer, claims, alg = "RS256" }: OpenIdRow, nonce: string) => {
  const jwt = new Jose.SignJWT({ iss: issuer, sub: "ada", aud: "our client", iat: 0, exp: 600, nonce, ...claims })
  return alg === "HS256"
    ? jwt.setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
    : jwt.setProtectedHeader({ alg, kid: keys[alg].kid ?? "" }).sign(keys[alg].privateKey)
}

/** A provider that answers as a row says. `nonce` is that of the authorization request. */
const standIn = (row: OpenIdRow | OAuthRow) => {
  const requests: Array<ProviderRequest> = []
  const flow = { nonce: "" }
  const answered = async ({ method, url }: ProviderRequest): Promise<unknown> => {
    if (!("issuer" in row)) return url.split("?")[0] === row.tokenAt ? { ...bearer, ...row.token } : row.answers[`${method} ${url}`]
    const userinfo = row.userinfo === undefined ? {} : { userinfo_endpoint: `${op}/userinfo` }
    if (url.endsWith("/.well-known/openid-configuration")) {
      const base = (row.metadata ?? row.issuer).replace(/\/$/, "")
      if (url !== `${base}/.well-known/openid-configuration`) return undefined
      return {
        issuer: row.issuer,
        authorization_endpoint: `${op}/authorize`,
        token_endpoint: `${op}/token`,
        jwks_uri: `${op}/jwks`,
        ...userinfo,
      }
    }
    if (url === `${op}/jwks`) return { keys: [keys.RS256.jwk, keys.ES256.jwk] }
    if (url === `${op}/userinfo`) return row.userinfo
    return { ...bearer, id_token: await idTokenOf(row, flow.nonce), ...row.token }
  }
  const client = HttpClient.make((request, url) => {
    const call = requestOf(request, url)
    requests.push(call)
    const found = Effect.map(
      Effect.promise(() => answered(call)),
      (body) => (body === undefined ? new Response("", { status: 404 }) : Response.json(body)),
    )
    return Effect.map(found, (response) => HttpClientResponse.fromWeb(request, response))
  })
  return { requests, client, flow }
}

const settingsOf = (preset: string, row: OpenIdRow | OAuthRow, more: Json = {}) => ({
  preset,
  client_id: "our client",
  client_secret: secret,
  redirect_uri: callback,
  ...(row.auth === "apple" ? { private_key: pem } : {}),
  ...row.settings,
  ...more,
})

/** Signs in at the stand-in: the URL of the authorization request, the requests, and the outcome. */
const signedIn = Effect.fnUntraced(function* (service: ReturnType<typeof including>, preset: string, row: OpenIdRow | OAuthRow) {
  const { client, requests, flow } = standIn(row)
  const their = browser(service.auth)
  const outcome = Effect.gen(function* () {
    const { url } = yield* their.body(service.signInSocial, { provider: preset })
    const { searchParams } = new URL(url)
    flow.nonce = searchParams.get("nonce") ?? ""
    const back = { state: searchParams.get("state"), code: "the code", ...row.callback }
    if (searchParams.get("response_mode") !== "form_post") {
      yield* their.call(service.oauthCallback, back)
      return url
    }
    const { location = "" } = yield* their.call(service.oauthCallbackForm, back)
    yield* their.call(service.oauthCallback, Object.fromEntries(new URL(location).searchParams))
    return url
  })
  const url = yield* Effect.match(Effect.provideService(outcome, HttpClient.HttpClient, client), {
    onSuccess: (url) => url,
    onFailure: ({ _tag }) => _tag,
  })
  return { url, requests }
})

const inWorld = (
  name: string,
  preset: string,
  row: OpenIdRow | OAuthRow,
  shown: (run: Run) => Generator<Effect.Effect<any, any, any>>,
  more?: Json,
) => {
  const service = including({ providers: [settingsOf(preset, row, more)] })
  rulesOf(service.modules)(name, () => shown((other = row) => signedIn(service, preset, other)))
}
type Run = (other?: OpenIdRow | OAuthRow) => ReturnType<typeof signedIn>

const checkAuthentication = ({ headers, form, url }: ProviderRequest, { auth, request = {} }: OpenIdRow | OAuthRow, isQuery: boolean) => {
  const basic = `Basic ${Buffer.from(`our+client:${new URLSearchParams({ s: secret }).toString().slice(2)}`).toString("base64")}`
  assert.strictEqual(headers["authorization"], auth === "basic" ? basic : undefined)
  const sent = isQuery ? new URL(url).searchParams : form
  const secretMember = isQuery ? "secret" : "client_secret"
  if (auth === "post") assert.strictEqual(sent.get(secretMember), secret)
  if (auth === "apple") assert.strictEqual(Jose.decodeJwt(sent.get("client_secret") ?? "").iss, "TEAM")
  const idMember = Object.keys(request).find((name) => request[name] === "our client") ?? "client_id"
  assert.strictEqual(sent.get(idMember), auth === "basic" ? null : "our client")
}

describe("a preset signs in as the provider's documentation shows", () => {
  for (const [preset, row] of Object.entries<OpenIdRow | OAuthRow>({ ...openid, ...oauth })) {
    inWorld(preset, preset, row, function* (run) {
      const { url, requests } = yield* run()
      const page = URL.parse(url) ?? assert.fail(url)
      assert.strictEqual(`${page.origin}${page.pathname}`, "authorize" in row ? row.authorize : `${op}/authorize`)
      for (const [name, value] of Object.entries(row.request ?? {})) {
        assert.strictEqual(page.searchParams.get(name), value, name)
      }
      const tokenRequest = requests.find((each) => each.url.split("?")[0] === ("tokenAt" in row ? row.tokenAt : `${op}/token`))
      checkAuthentication(tokenRequest ?? assert.fail("no token request"), row, preset === "wechat")

      const [account] = yield* rows(Accounts)
      const [user] = yield* rows(Users)
      assert.deepStrictEqual([account?.provider_id, account?.account_id], [preset, row.account])
      assert.deepStrictEqual(
        [user?.email, user?.email_verified, user?.name],
        [row.email ?? `${preset}:${row.account}`, row.email !== null, row.name],
      )
    })
  }

  it("and none is left out", () => {
    const contract = ["idp_one", "idp_two"]
    assert.deepStrictEqual(
      Object.keys({ ...openid, ...oauth }).toSorted(),
      presetNames.filter((name) => !contract.includes(name)).toSorted(),
    )
  })
})

/** The result of a sign-in with a changed row: the error, or the user's address. */
const afterChange = (what: string, preset: string, row: OpenIdRow | OAuthRow, expected: string, more?: Json) =>
  inWorld(
    `${preset}: ${what}`,
    preset,
    row,
    function* (run) {
      const { url } = yield* run()
      const [user] = yield* rows(Users)
      assert.strictEqual(user?.email ?? url, expected)
    },
    more,
  )

describe("the faults of providers", () => {
  const { google, apple, microsoft, slack, twitch, line, cognito } = openid as Readonly<Record<string, OpenIdRow>>
  const { github, bitbucket, x, discord, kakao, wechat, naver, zoom } = oauth as Readonly<Record<string, OAuthRow>>
  const changed = <R extends OpenIdRow | OAuthRow>(row: R | undefined, change: Partial<R>): R => ({ ...row!, ...change })
  const answering = (row: OAuthRow | undefined, url: string, body: unknown) => changed(row, { answers: { ...row!.answers, [url]: body } })

  afterChange(
    "the issuer without https://",
    "google",
    changed(google, { claims: { ...google!.claims, iss: "accounts.google.com" } }),
    "ada@example.com",
  )
  afterChange(
    "the issuer of another service",
    "google",
    changed(google, { claims: { iss: "https://accounts.google.com.evil.example" } }),
    "oauth_token_error",
  )
  afterChange(
    "the former issuer",
    "apple",
    changed(apple, { claims: { ...apple!.claims, iss: "https://account.apple.com" } }),
    "x7@privaterelay.appleid.com",
  )
  afterChange(
    "a flag that is false as a text",
    "apple",
    changed(apple, { claims: { email: "a@example.com", email_verified: "false" } }),
    "apple:ada",
  )
  afterChange(
    "a flag that is a text where none is documented",
    "google",
    changed(google, { claims: { email: "a@example.com", email_verified: "true" } }),
    "google:ada",
  )
  afterChange(
    "a flag that is false as a text",
    "cognito",
    changed(cognito, { userinfo: { sub: "ada", email: "a@example.com", email_verified: "false" } }),
    "cognito:ada",
  )
  afterChange(
    "the issuer of another tenant than tid",
    "microsoft",
    changed(microsoft, { claims: { ...microsoft!.claims, tid: tidOf("9") } }),
    "oauth_token_error",
  )
  afterChange("no tenant", "microsoft", changed(microsoft, { claims: { ...microsoft!.claims, tid: undefined } }), "oauth_token_error")
  afterChange(
    "a tenant that is a path",
    "microsoft",
    changed(microsoft, { claims: { iss: "https://login.microsoftonline.com/../v2.0", tid: "..", oid: "o" } }),
    "oauth_token_error",
  )
  afterChange("no oid", "microsoft", changed(microsoft, { claims: { ...microsoft!.claims, oid: undefined } }), "oauth_userinfo_error")
  afterChange(
    "an error with the status 200",
    "slack",
    changed(slack, { token: { ok: false, error: "invalid_code", access_token: undefined } }),
    "oauth_token_error",
  )
  afterChange(
    "an error with the status 200 at the profile",
    "slack",
    changed(slack, { userinfo: { ok: false, error: "invalid_auth" } }),
    "oauth_userinfo_error",
  )
  afterChange("no address", "twitch", changed(twitch, { claims: { preferred_username: "Ada" } }), "twitch:ada")
  afterChange("a key where the secret signs", "line", changed(line, { alg: "ES256" }), "line:ada")
  afterChange(
    "a nonce that is wrong, although it may be missing",
    "linkedin",
    changed(openid["linkedin"], { claims: { nonce: "another" } }),
    "oauth_token_error",
  )

  const emails = "GET https://api.github.com/user/emails"
  afterChange(
    "an error with the status 200",
    "github",
    changed(github, { token: { access_token: undefined, error: "bad_verification_code" } }),
    "oauth_token_error",
  )
  afterChange(
    "a primary address that is not verified",
    "github",
    answering(github, emails, [{ email: "a@example.com", primary: true, verified: false }]),
    "github:583231",
  )
  afterChange(
    "a flag that is no boolean",
    "github",
    answering(github, emails, [{ email: "a@example.com", primary: true, verified: "true" }]),
    "github:583231",
  )
  afterChange("no addresses", "github", answering(github, emails, []), "github:583231")
  afterChange("no list of addresses", "github", answering(github, emails, { message: "Not Found" }), "oauth_userinfo_error")
  afterChange("no addresses", "bitbucket", answering(bitbucket, "GET https://api.bitbucket.org/2.0/user/emails", {}), "bitbucket:{a1}")
  afterChange("no address", "x", answering(x, "GET https://api.x.com/2/users/me?user.fields=confirmed_email", { data: { id: "1" } }), "x:1")
  afterChange(
    "no user",
    "x",
    answering(x, "GET https://api.x.com/2/users/me?user.fields=confirmed_email", { errors: [{}] }),
    "oauth_userinfo_error",
  )
  afterChange(
    "a null address",
    "discord",
    answering(discord, "GET https://discord.com/api/users/@me", { id: "1", email: null, verified: false }),
    "discord:1",
  )
  const me = "GET https://kapi.kakao.com/v2/user/me"
  afterChange(
    "an address that is no longer valid",
    "kakao",
    answering(kakao, me, { id: 1, kakao_account: { email: "a@example.com", is_email_valid: false, is_email_verified: true } }),
    "kakao:1",
  )
  afterChange("no permission for the address", "kakao", answering(kakao, me, { id: 1 }), "kakao:1")
  afterChange(
    "an error with the status 200",
    "wechat",
    changed(wechat, { token: { access_token: undefined, errcode: 40029, errmsg: "invalid code" } }),
    "oauth_token_error",
  )
  afterChange(
    "no unionid",
    "wechat",
    answering(wechat, "GET https://api.weixin.qq.com/sns/userinfo?access_token=the-token&openid=o6_bm", { openid: "o6_bm" }),
    "wechat:o6_bm",
  )
  afterChange(
    "an error with the status 200",
    "naver",
    answering(naver, "GET https://openapi.naver.com/v1/nid/me", { resultcode: "024", message: "Authentication failed" }),
    "oauth_userinfo_error",
  )
  const paypalAt = "GET https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1"
  afterChange(
    "an address that is not confirmed",
    "paypal",
    answering(oauth["paypal"], paypalAt, { user_id: "u", emails: [{ value: "a@example.com", primary: true, confirmed: false }] }),
    "paypal:u",
  )
  afterChange(
    "the members of OpenID Connect",
    "paypal",
    answering(oauth["paypal"], paypalAt, { user_id: "u", email: "a@example.com", email_verified: true }),
    "a@example.com",
  )
  afterChange("an operator who trusts the flag still needs true", "zoom", zoom!, "zoom:KDcuGI", { trust_email: "when_verified" })
})

const tidOf = (digit: string) => `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`

describe("docs/providers.md", () => {
  const docs = readFileSync(new URL("../../../../docs/providers.md", import.meta.url), "utf8")
  const rowsOf = new Map([...docs.matchAll(/^\| `([a-z0-9_]+)` \|(.*)$/gm)].map(([, name, rest]) => [name!, rest!]))

  it.each(presetNames.filter((name) => !name.startsWith("idp_")))("has a row of %s with its source and trust", (name) => {
    const { source = "", settings = {} } = presetNamed(name) ?? {}
    const row = rowsOf.get(name) ?? ""
    assert.include(row, `](${source})`)
    assert.include(row, `\`${settings["trust_email"] ?? "when_verified"}\``)
  })
})
