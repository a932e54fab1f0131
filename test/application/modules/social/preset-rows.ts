// What each provider's documentation shows: its answers, and what follows from them.

type Json = Readonly<Record<string, unknown>>

interface Common {
  /** Members of the provider's settings that the operator has to name. */
  readonly settings?: Json
  /** Parameters that the authorization request must have, or must not have (null). */
  readonly request?: Readonly<Record<string, string | null>>
  readonly auth: "basic" | "post" | "apple"
  /** Further members of the token response. */
  readonly token?: Json
  /** Further parameters of the callback, in addition to `code` and `state`. */
  readonly callback?: Readonly<Record<string, string>>
  /** The account, the address if it is proved, and the name. */
  readonly account: string
  readonly email: string | null
  readonly name: string | null
}

/** A provider with an issuer. */
export interface OpenIdRow extends Common {
  /** The issuer in its metadata. */
  readonly issuer: string
  /** Where the metadata is, if not below the issuer. */
  readonly metadata?: string
  readonly claims: Json
  readonly userinfo?: Json
  readonly alg?: "RS256" | "ES256" | "HS256"
}

/** A provider of OAuth 2.0 with endpoints of its own. */
export interface OAuthRow extends Common {
  readonly authorize: string
  readonly tokenAt: string
  /** Answers by method and URL. */
  readonly answers: Readonly<Record<string, unknown>>
}

const verified = { email: "ada@example.com", email_verified: true }
const unverified = { email: "ada@example.com", email_verified: false }
const ada = { account: "ada", email: "ada@example.com", name: "Ada" } as const
const noPkce = { code_challenge: null, code_challenge_method: null }
const pkce = { code_challenge_method: "S256" }
const tid = "11111111-2222-4333-8444-555555555555"

export const openid: Readonly<Record<string, OpenIdRow>> = {
  google: {
    issuer: "https://accounts.google.com",
    request: { scope: "openid profile email", ...pkce },
    auth: "post",
    claims: { ...verified, name: "Ada", hd: "example.com", azp: "our client" },
    ...ada,
  },
  apple: {
    issuer: "https://appleid.apple.com",
    settings: { client_secret: null, team_id: "TEAM", key_id: "KEY" },
    request: { scope: "name email", response_mode: "form_post", ...noPkce },
    auth: "apple",
    callback: { user: '{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"ada@example.com"}' },
    claims: { email: "x7@privaterelay.appleid.com", email_verified: "true", is_private_email: "true" },
    account: "ada",
    email: "x7@privaterelay.appleid.com",
    name: "Ada Lovelace",
  },
  microsoft: {
    issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
    metadata: "https://login.microsoftonline.com/common/v2.0",
    request: pkce,
    auth: "post",
    claims: { iss: `https://login.microsoftonline.com/${tid}/v2.0`, tid, oid: "o1", email: "ceo@victim.example", name: "Ada" },
    userinfo: { sub: "ada", email: "ceo@victim.example", email_verified: true },
    account: `${tid}:o1`,
    email: null,
    name: "Ada",
  },
  entra: {
    settings: { issuer: `https://login.microsoftonline.com/${tid}/v2.0` },
    issuer: `https://login.microsoftonline.com/${tid}/v2.0`,
    request: pkce,
    auth: "post",
    claims: { tid, oid: "o1", email: "ada@example.com", xms_edov: true, name: "Ada" },
    account: "o1",
    email: null,
    name: "Ada",
  },
  gitlab: {
    issuer: "https://gitlab.com",
    request: pkce,
    auth: "post",
    claims: {},
    userinfo: { sub: "ada", ...verified, name: "Ada", nickname: "ada", groups: [] },
    ...ada,
  },
  slack: {
    issuer: "https://slack.com",
    request: noPkce,
    auth: "post",
    token: { ok: true, team_id: "T1" },
    claims: { ...verified, name: "Ada", "https://slack.com/team_id": "T1", "https://slack.com/user_id": "U1" },
    userinfo: { ok: true, sub: "ada", ...verified, name: "Ada" },
    ...ada,
  },
  linkedin: {
    issuer: "https://www.linkedin.com/oauth",
    request: noPkce,
    auth: "post",
    // LinkedIn may return no nonce, and email claims are optional.
    claims: { nonce: undefined },
    userinfo: { sub: "ada", name: "Ada", locale: { country: "GB", language: "en" } },
    account: "ada",
    email: null,
    name: "Ada",
  },
  twitch: {
    issuer: "https://id.twitch.tv/oauth2",
    request: { scope: "openid user:read:email", ...noPkce },
    auth: "post",
    token: { scope: ["openid", "user:read:email"], token_type: "bearer" },
    claims: { ...verified, preferred_username: "Ada" },
    ...ada,
  },
  yahoo: {
    issuer: "https://api.login.yahoo.com",
    request: { response_mode: null, ...noPkce },
    auth: "basic",
    alg: "ES256",
    claims: { ...verified, name: "Ada" },
    ...ada,
  },
  line: {
    issuer: "https://access.line.me",
    request: pkce,
    auth: "post",
    alg: "HS256",
    claims: { name: "Ada", email: "ada@example.com", amr: ["linesso"] },
    account: "ada",
    email: null,
    name: "Ada",
  },
  salesforce: {
    issuer: "https://login.salesforce.com",
    request: pkce,
    auth: "post",
    claims: { sub: "https://login.salesforce.com/id/00D000/005000", ...verified, name: "Ada" },
    account: "https://login.salesforce.com/id/00D000/005000",
    email: "ada@example.com",
    name: "Ada",
  },
  okta: {
    settings: { issuer: "https://acme.okta.com/oauth2/default" },
    issuer: "https://acme.okta.com/oauth2/default",
    request: pkce,
    auth: "basic",
    claims: { ...verified, name: "Ada" },
    ...ada,
  },
  auth0: {
    settings: { issuer: "https://acme.eu.auth0.com/" },
    issuer: "https://acme.eu.auth0.com/",
    request: pkce,
    auth: "post",
    // Some social connections of Auth0 say that no address is verified.
    claims: { ...unverified, name: "Ada" },
    account: "ada",
    email: null,
    name: "Ada",
  },
  keycloak: {
    settings: { issuer: "https://login.example.com/realms/acme" },
    issuer: "https://login.example.com/realms/acme",
    request: pkce,
    auth: "basic",
    claims: { ...verified, name: "Ada" },
    ...ada,
  },
  cognito: {
    settings: { issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool" },
    issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool",
    request: pkce,
    auth: "basic",
    claims: {},
    userinfo: { sub: "ada", email: "ada@example.com", email_verified: "true", name: "Ada" },
    ...ada,
  },
}

export const oauth: Readonly<Record<string, OAuthRow>> = {
  github: {
    authorize: "https://github.com/login/oauth/authorize",
    tokenAt: "https://github.com/login/oauth/access_token",
    request: { scope: "read:user user:email", ...pkce },
    auth: "post",
    callback: { iss: "https://github.com/login/oauth" },
    answers: {
      "GET https://api.github.com/user": { id: 583231, login: "ada", name: "Ada", email: "public@example.com" },
      "GET https://api.github.com/user/emails": [
        { email: "old@example.com", primary: false, verified: true },
        { email: "ada@example.com", primary: true, verified: true },
      ],
    },
    account: "583231",
    email: "ada@example.com",
    name: "Ada",
  },
  facebook: {
    authorize: "https://www.facebook.com/v24.0/dialog/oauth",
    tokenAt: "https://graph.facebook.com/v24.0/oauth/access_token",
    request: noPkce,
    auth: "post",
    answers: {
      "GET https://graph.facebook.com/v24.0/me?fields=id,name,email": { id: "10150", name: "Ada", email: "ada@example.com" },
    },
    account: "10150",
    email: null,
    name: "Ada",
  },
  x: {
    authorize: "https://x.com/i/oauth2/authorize",
    tokenAt: "https://api.x.com/2/oauth2/token",
    request: { scope: "users.read tweet.read users.email", ...pkce },
    auth: "basic",
    answers: {
      "GET https://api.x.com/2/users/me?user.fields=confirmed_email": {
        data: { id: "2244994945", name: "Ada", username: "ada", confirmed_email: "ada@example.com" },
      },
    },
    account: "2244994945",
    email: "ada@example.com",
    name: "Ada",
  },
  discord: {
    authorize: "https://discord.com/oauth2/authorize",
    tokenAt: "https://discord.com/api/oauth2/token",
    request: { scope: "identify email", ...pkce },
    auth: "post",
    callback: { iss: "https://discord.com" },
    answers: {
      "GET https://discord.com/api/users/@me": {
        id: "80351110224678912",
        username: "ada",
        global_name: "Ada",
        email: "ada@example.com",
        verified: true,
      },
    },
    account: "80351110224678912",
    email: "ada@example.com",
    name: "Ada",
  },
  spotify: {
    authorize: "https://accounts.spotify.com/authorize",
    tokenAt: "https://accounts.spotify.com/api/token",
    request: noPkce,
    auth: "basic",
    answers: { "GET https://api.spotify.com/v1/me": { id: "ada", display_name: "Ada", email: "ada@example.com" } },
    account: "ada",
    email: null,
    name: "Ada",
  },
  bitbucket: {
    authorize: "https://bitbucket.org/site/oauth2/authorize",
    tokenAt: "https://bitbucket.org/site/oauth2/access_token",
    request: noPkce,
    auth: "basic",
    answers: {
      "GET https://api.bitbucket.org/2.0/user": { uuid: "{a1}", display_name: "Ada", account_id: "557058:x" },
      "GET https://api.bitbucket.org/2.0/user/emails": {
        values: [
          { email: "other@example.com", is_primary: false, is_confirmed: true },
          { email: "ada@example.com", is_primary: true, is_confirmed: true },
        ],
      },
    },
    account: "{a1}",
    email: "ada@example.com",
    name: "Ada",
  },
  kakao: {
    authorize: "https://kauth.kakao.com/oauth/authorize",
    tokenAt: "https://kauth.kakao.com/oauth/token",
    request: noPkce,
    auth: "post",
    answers: {
      "GET https://kapi.kakao.com/v2/user/me": {
        id: 123456789,
        kakao_account: { profile: { nickname: "Ada" }, is_email_valid: true, is_email_verified: true, email: "ada@example.com" },
      },
    },
    account: "123456789",
    email: "ada@example.com",
    name: "Ada",
  },
  naver: {
    authorize: "https://nid.naver.com/oauth2.0/authorize",
    tokenAt: "https://nid.naver.com/oauth2.0/token",
    request: { scope: null, ...noPkce },
    auth: "post",
    answers: {
      "GET https://openapi.naver.com/v1/nid/me": {
        resultcode: "00",
        message: "success",
        response: { id: "32742776", email: "ada@example.com", name: "Ada", nickname: "ada" },
      },
    },
    account: "32742776",
    email: null,
    name: "Ada",
  },
  wechat: {
    authorize: "https://open.weixin.qq.com/connect/qrconnect",
    tokenAt: "https://api.weixin.qq.com/sns/oauth2/access_token",
    request: { appid: "our client", client_id: null, scope: "snsapi_login", ...noPkce },
    auth: "post",
    token: { token_type: undefined, openid: "o6_bm", unionid: "o6_un", scope: "snsapi_login" },
    answers: {
      "GET https://api.weixin.qq.com/sns/userinfo?access_token=the-token&openid=o6_bm": {
        openid: "o6_bm",
        unionid: "o6_un",
        nickname: "Ada",
      },
    },
    account: "o6_un",
    email: null,
    name: "Ada",
  },
  amazon: {
    authorize: "https://www.amazon.com/ap/oa",
    tokenAt: "https://api.amazon.com/auth/o2/token",
    request: noPkce,
    auth: "post",
    answers: {
      "GET https://api.amazon.com/user/profile": { user_id: "amzn1.account.K2LI", email: "ada@example.com", name: "Ada", postal_code: "1" },
    },
    account: "amzn1.account.K2LI",
    email: null,
    name: "Ada",
  },
  paypal: {
    authorize: "https://www.paypal.com/signin/authorize",
    tokenAt: "https://api-m.paypal.com/v1/oauth2/token",
    request: noPkce,
    auth: "basic",
    answers: {
      "GET https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1": {
        user_id: "https://www.paypal.com/webapps/auth/identity/user/mW",
        sub: "https://www.paypal.com/webapps/auth/identity/user/mW",
        name: "Ada",
        emails: [
          { value: "old@example.com", primary: false, confirmed: true },
          { value: "ada@example.com", primary: true, confirmed: true },
        ],
      },
    },
    account: "https://www.paypal.com/webapps/auth/identity/user/mW",
    email: "ada@example.com",
    name: "Ada",
  },
  dropbox: {
    authorize: "https://www.dropbox.com/oauth2/authorize",
    tokenAt: "https://api.dropboxapi.com/oauth2/token",
    request: { scope: "account_info.read", ...pkce },
    auth: "basic",
    answers: {
      "POST https://api.dropboxapi.com/2/users/get_current_account": {
        account_id: "dbid:AAH4",
        name: { display_name: "Ada", given_name: "Ada" },
        ...verified,
      },
    },
    account: "dbid:AAH4",
    email: "ada@example.com",
    name: "Ada",
  },
  zoom: {
    authorize: "https://zoom.us/oauth/authorize",
    tokenAt: "https://zoom.us/oauth/token",
    request: pkce,
    auth: "basic",
    answers: {
      "GET https://api.zoom.us/v2/users/me": { id: "KDcuGI", display_name: "Ada", email: "ada@example.com", verified: 1, type: 2 },
    },
    account: "KDcuGI",
    email: null,
    name: "Ada",
  },
  notion: {
    authorize: "https://api.notion.com/v1/oauth/authorize",
    tokenAt: "https://api.notion.com/v1/oauth/token",
    request: { owner: "user", scope: null, ...noPkce },
    auth: "basic",
    token: {
      bot_id: "b",
      workspace_id: "w",
      owner: { type: "user", user: { object: "user", id: "u-1", name: "Ada", person: { email: "ada@example.com" } } },
    },
    answers: {},
    account: "u-1",
    email: null,
    name: "Ada",
  },
  atlassian: {
    authorize: "https://auth.atlassian.com/authorize",
    tokenAt: "https://auth.atlassian.com/oauth/token",
    request: { audience: "api.atlassian.com", prompt: "consent", scope: "read:me", ...noPkce },
    auth: "post",
    answers: {
      "GET https://api.atlassian.com/me": { account_type: "atlassian", account_id: "557058:a", email: "ada@example.com", name: "Ada" },
    },
    account: "557058:a",
    email: null,
    name: "Ada",
  },
  tiktok: {
    authorize: "https://www.tiktok.com/v2/auth/authorize/",
    tokenAt: "https://open.tiktokapis.com/v2/oauth/token/",
    request: { client_key: "our client", client_id: null, scope: "user.info.basic", ...noPkce },
    auth: "post",
    token: { open_id: "723f", scope: "user.info.basic", refresh_expires_in: 31536000 },
    answers: {
      "GET https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name": {
        data: { user: { open_id: "723f", display_name: "Ada" } },
        error: { code: "ok", message: "", log_id: "1" },
      },
    },
    account: "723f",
    email: null,
    name: "Ada",
  },
}
