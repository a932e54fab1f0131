// The values of sign-in providers. docs/providers.md lists those that the provider's own documentation does not confirm.

type Profile = Readonly<Record<string, any>>

/** How a provider deviates from the standards. Only presets can set these values. */
export interface Quirks {
  /** Further spellings of the issuer in metadata, ID tokens and callbacks. */
  readonly issuer_aliases?: ReadonlyArray<string>
  /** The issuer of a provider with tenants: `{tenantid}` is the claim `tid` of the ID token, and literal in the metadata. */
  readonly issuer_template?: string
  /** The name of the parameter `client_id`. */
  readonly client_id_parameter?: string
  /** The name of the parameter `client_secret`. */
  readonly client_secret_parameter?: string
  readonly scope_separator?: ","
  /** The values of the verified flag that mean verified, in addition to `true`. */
  readonly verified_values?: ReadonlyArray<unknown>
  /** Whether ID tokens may lack the nonce. */
  readonly may_omit_nonce?: true
  /** The form of token requests, if it is not a form in a POST: JSON in a POST, or the query of a GET. */
  readonly token_request?: "json" | "get"
  /** Whether the profile is part of the token endpoint's answer. */
  readonly profile_in_token_answer?: true
  /** The members of the token endpoint's answer that the profile request has in its query, in place of the `Authorization` header. */
  readonly userinfo_query?: ReadonlyArray<string>
  /** A second request for the addresses: a list, or the member `list` of an object, of objects with these members. */
  readonly addresses?: { readonly url: string; readonly list?: string; readonly primary: string; readonly verified: string }
  /** The further scopes and parameters with which the provider issues a refresh token, with `keep_tokens`. */
  readonly offline?: { readonly scopes?: ReadonlyArray<string>; readonly parameters?: Readonly<Record<string, string>> }
}

export interface Preset {
  /** The page that documents these values: the provider's own, unless docs/providers.md says otherwise. */
  readonly source: string
  /** The defaults of the provider's settings (`provider-settings.ts`). */
  readonly settings: Readonly<Record<string, unknown>>
  readonly quirks?: Quirks
}

/** Presets by name. Their type has the names alone. */
const named = <Name extends string>(presets: Readonly<Record<Name, Preset>>) => presets

const standard = { account_id: "sub", email: "email", email_verified: "email_verified", name: "name" }
const post = "client_secret_post"
const basic = "client_secret_basic"

/** The scope that OpenID Connect Core section 11 defines for refresh tokens. */
const offlineAccess = { offline: { scopes: ["offline_access"] } }

/** Contract: two presets without URLs of their own. */
const contract = named({
  idp_one: {
    source: "OpenID Connect Core 1.0",
    settings: { id: "idp_one", scopes: ["openid", "email", "profile"], map_user: standard, trust_email: "always" },
  },
  idp_two: {
    source: "OAuth 2.0 (RFC 6749)",
    settings: {
      id: "idp_two",
      scopes: ["read:user", "user:email"],
      map_user: { account_id: "id", email: "email", name: ["name", "login"] },
      trust_email: "always",
    },
  },
})

/** Providers with a public issuer. */
const openid = named({
  google: {
    source: "https://developers.google.com/identity/openid-connect/openid-connect",
    settings: { issuer: "https://accounts.google.com", client_auth: post, id_token_algorithms: ["RS256"] },
    quirks: {
      issuer_aliases: ["accounts.google.com"],
      offline: { parameters: { access_type: "offline", prompt: "consent" } },
    },
  },
  apple: {
    source: "https://developer.apple.com/documentation/signinwithapplerestapi",
    settings: {
      issuer: "https://appleid.apple.com",
      scopes: ["name", "email"],
      client_auth: "apple_client_secret",
      response_mode: "form_post",
      pkce: false,
      id_token_algorithms: ["RS256"],
    },
    quirks: { issuer_aliases: ["https://account.apple.com"], verified_values: ["true"] },
  },
  microsoft: {
    source: "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference",
    settings: {
      issuer: "https://login.microsoftonline.com/common/v2.0",
      client_auth: post,
      assertion_audience: "token_url",
      id_token_algorithms: ["RS256"],
      // `sub` differs for each app; `tid` and `oid` together are the account.
      map_user: ({ tid, oid, email, name }: Profile) => ({
        account_id: tid && oid ? `${tid}:${oid}` : "",
        email,
        email_verified: null,
        name,
      }),
      trust_email: "never",
    },
    quirks: { issuer_template: "https://login.microsoftonline.com/{tenantid}/v2.0", ...offlineAccess },
  },
  gitlab: {
    source: "https://docs.gitlab.com/integration/openid_connect_provider/",
    settings: { issuer: "https://gitlab.com", client_auth: post, id_token_algorithms: ["RS256"] },
  },
  slack: {
    source: "https://docs.slack.dev/authentication/sign-in-with-slack/",
    settings: { issuer: "https://slack.com", client_auth: post, pkce: false, id_token_algorithms: ["RS256"] },
  },
  linkedin: {
    source: "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
    settings: { issuer: "https://www.linkedin.com/oauth", client_auth: post, pkce: false, id_token_algorithms: ["RS256"] },
    quirks: { may_omit_nonce: true },
  },
  twitch: {
    source: "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/",
    settings: {
      issuer: "https://id.twitch.tv/oauth2",
      scopes: ["openid", "user:read:email"],
      // Claims are absent unless the request names them.
      authorize_parameters: {
        claims: JSON.stringify({
          id_token: { email: null, email_verified: null, preferred_username: null },
          userinfo: { email: null, email_verified: null, preferred_username: null },
        }),
      },
      client_auth: post,
      pkce: false,
      id_token_algorithms: ["RS256"],
      map_user: { ...standard, name: "preferred_username" },
    },
  },
  yahoo: {
    source: "https://api.login.yahoo.com/.well-known/openid-configuration",
    settings: {
      issuer: "https://api.login.yahoo.com",
      client_auth: basic,
      pkce: false,
      id_token_algorithms: ["ES256", "RS256"],
    },
  },
  line: {
    source: "https://developers.line.biz/en/docs/line-login/verify-id-token/",
    settings: {
      issuer: "https://access.line.me",
      client_auth: post,
      // ID tokens of the web flow are signed with the channel secret, those of apps with a key.
      id_token_algorithms: ["HS256", "ES256"],
      trust_email: "never",
    },
  },
  salesforce: {
    source: "https://login.salesforce.com/.well-known/openid-configuration",
    settings: { issuer: "https://login.salesforce.com", client_auth: post, id_token_algorithms: ["RS256"] },
    quirks: { offline: { scopes: ["refresh_token"] } },
  },
})

/** Providers whose issuer the operator configures. Their claims are as trustworthy as their administrators. */
const ownIssuer = named({
  entra: {
    source: "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference",
    settings: {
      authorize_url: null,
      client_auth: post,
      assertion_audience: "token_url",
      id_token_algorithms: ["RS256"],
      map_user: { account_id: "oid", email: "email", name: "name" },
      trust_email: "never",
    },
    quirks: offlineAccess,
  },
  okta: {
    source: "https://developer.okta.com/docs/reference/api/oidc/",
    settings: { authorize_url: null, client_auth: basic, assertion_audience: "token_url", id_token_algorithms: ["RS256"] },
    quirks: offlineAccess,
  },
  auth0: {
    source: "https://auth0.com/docs/get-started/applications/application-settings",
    settings: { authorize_url: null, client_auth: post, id_token_algorithms: ["RS256"] },
    quirks: offlineAccess,
  },
  keycloak: {
    source: "https://www.keycloak.org/securing-apps/oidc-layers",
    settings: { authorize_url: null, client_auth: basic },
    quirks: offlineAccess,
  },
  cognito: {
    source: "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html",
    settings: { authorize_url: null, client_auth: basic, id_token_algorithms: ["RS256"] },
    quirks: { verified_values: ["true"] },
  },
})

/** Providers of OAuth 2.0 with a profile of their own. */
const oauth = named({
  github: {
    source: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    settings: {
      authorize_url: "https://github.com/login/oauth/authorize",
      token_url: "https://github.com/login/oauth/access_token",
      userinfo_url: "https://api.github.com/user",
      scopes: ["read:user", "user:email"],
      client_auth: post,
      map_user: { account_id: "id", email: "email", email_verified: "email_verified", name: ["name", "login"] },
    },
    quirks: { addresses: { url: "https://api.github.com/user/emails", primary: "primary", verified: "verified" } },
  },
  facebook: {
    source: "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
    settings: {
      authorize_url: "https://www.facebook.com/v24.0/dialog/oauth",
      token_url: "https://graph.facebook.com/v24.0/oauth/access_token",
      userinfo_url: "https://graph.facebook.com/v24.0/me?fields=id,name,email",
      scopes: ["email", "public_profile"],
      client_auth: post,
      pkce: false,
      map_user: { account_id: "id", email: "email", name: "name" },
      trust_email: "never",
    },
  },
  x: {
    source: "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
    settings: {
      authorize_url: "https://x.com/i/oauth2/authorize",
      token_url: "https://api.x.com/2/oauth2/token",
      userinfo_url: "https://api.x.com/2/users/me?user.fields=confirmed_email",
      scopes: ["users.read", "tweet.read", "users.email"],
      client_auth: basic,
      // X returns an address only if it is confirmed.
      map_user: ({ data }: Profile) => ({
        account_id: data.id,
        email: data.confirmed_email,
        email_verified: typeof data.confirmed_email === "string",
        name: data.name,
      }),
    },
    quirks: { offline: { scopes: ["offline.access"] } },
  },
  discord: {
    source: "https://docs.discord.com/developers/topics/oauth2",
    settings: {
      authorize_url: "https://discord.com/oauth2/authorize",
      token_url: "https://discord.com/api/oauth2/token",
      userinfo_url: "https://discord.com/api/users/@me",
      scopes: ["identify", "email"],
      client_auth: post,
      map_user: { account_id: "id", email: "email", email_verified: "verified", name: ["global_name", "username"] },
    },
  },
  spotify: {
    source: "https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile",
    settings: {
      authorize_url: "https://accounts.spotify.com/authorize",
      token_url: "https://accounts.spotify.com/api/token",
      userinfo_url: "https://api.spotify.com/v1/me",
      scopes: ["user-read-email"],
      client_auth: basic,
      pkce: false,
      map_user: { account_id: "id", email: "email", name: "display_name" },
      trust_email: "never",
    },
  },
  bitbucket: {
    source: "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
    settings: {
      authorize_url: "https://bitbucket.org/site/oauth2/authorize",
      token_url: "https://bitbucket.org/site/oauth2/access_token",
      userinfo_url: "https://api.bitbucket.org/2.0/user",
      scopes: ["account", "email"],
      client_auth: basic,
      pkce: false,
      map_user: { account_id: "uuid", email: "email", email_verified: "email_verified", name: "display_name" },
    },
    quirks: {
      addresses: { url: "https://api.bitbucket.org/2.0/user/emails", list: "values", primary: "is_primary", verified: "is_confirmed" },
    },
  },
  kakao: {
    source: "https://developers.kakao.com/docs/latest/en/kakaologin/rest-api",
    settings: {
      authorize_url: "https://kauth.kakao.com/oauth/authorize",
      token_url: "https://kauth.kakao.com/oauth/token",
      userinfo_url: "https://kapi.kakao.com/v2/user/me",
      scopes: ["account_email", "profile_nickname"],
      client_auth: post,
      pkce: false,
      map_user: ({ id, kakao_account: account = {} }: Profile) => ({
        account_id: id,
        email: account.email,
        email_verified: account.is_email_valid === true && account.is_email_verified === true,
        name: account.profile?.nickname,
      }),
    },
  },
  naver: {
    source: "https://developers.naver.com/docs/login/api/api.md",
    settings: {
      authorize_url: "https://nid.naver.com/oauth2.0/authorize",
      token_url: "https://nid.naver.com/oauth2.0/token",
      userinfo_url: "https://openapi.naver.com/v1/nid/me",
      scopes: null,
      client_auth: post,
      pkce: false,
      map_user: { account_id: "response.id", email: "response.email", name: ["response.name", "response.nickname"] },
      trust_email: "never",
    },
  },
  wechat: {
    source: "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
    settings: {
      // WeChat refuses requests without this fragment.
      authorize_url: "https://open.weixin.qq.com/connect/qrconnect#wechat_redirect",
      token_url: "https://api.weixin.qq.com/sns/oauth2/access_token",
      userinfo_url: "https://api.weixin.qq.com/sns/userinfo",
      scopes: ["snsapi_login"],
      client_auth: post,
      pkce: false,
      map_user: { account_id: ["unionid", "openid"], name: "nickname" },
      trust_email: "never",
    },
    quirks: {
      client_id_parameter: "appid",
      client_secret_parameter: "secret",
      scope_separator: ",",
      token_request: "get",
      userinfo_query: ["access_token", "openid"],
    },
  },
  amazon: {
    source: "https://developer.amazon.com/docs/login-with-amazon/customer-profile.html",
    settings: {
      authorize_url: "https://www.amazon.com/ap/oa",
      token_url: "https://api.amazon.com/auth/o2/token",
      userinfo_url: "https://api.amazon.com/user/profile",
      scopes: ["profile"],
      client_auth: post,
      pkce: false,
      map_user: { account_id: "user_id", email: "email", name: "name" },
      trust_email: "never",
    },
  },
  paypal: {
    source: "https://developer.paypal.com/docs/api/identity/v1/",
    settings: {
      authorize_url: "https://www.paypal.com/signin/authorize",
      token_url: "https://api-m.paypal.com/v1/oauth2/token",
      userinfo_url: "https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1",
      scopes: ["openid", "email"],
      client_auth: basic,
      pkce: false,
      // The page of this schema shows a list of addresses; libraries read the members of OpenID Connect.
      map_user: ({ user_id, name, email, email_verified, emails }: Profile) => {
        const primary = Array.isArray(emails) ? emails.find((each) => each?.primary === true) : undefined
        return {
          account_id: user_id,
          email: primary?.value ?? email,
          email_verified: primary === undefined ? email_verified === true : primary.confirmed === true,
          name,
        }
      },
    },
  },
  dropbox: {
    source: "https://developers.dropbox.com/oauth-guide",
    settings: {
      authorize_url: "https://www.dropbox.com/oauth2/authorize",
      token_url: "https://api.dropboxapi.com/oauth2/token",
      userinfo_url: "https://api.dropboxapi.com/2/users/get_current_account",
      userinfo_request: "post",
      scopes: ["account_info.read"],
      client_auth: basic,
      map_user: { account_id: "account_id", email: "email", email_verified: "email_verified", name: "name.display_name" },
    },
    quirks: { offline: { parameters: { token_access_type: "offline" } } },
  },
  zoom: {
    source: "https://developers.zoom.us/docs/integrations/oauth/",
    settings: {
      authorize_url: "https://zoom.us/oauth/authorize",
      token_url: "https://zoom.us/oauth/token",
      userinfo_url: "https://api.zoom.us/v2/users/me",
      scopes: ["user:read:user"],
      client_auth: basic,
      map_user: { account_id: "id", email: "email", name: "display_name" },
      trust_email: "never",
    },
  },
  notion: {
    source: "https://developers.notion.com/docs/authorization",
    settings: {
      authorize_url: "https://api.notion.com/v1/oauth/authorize",
      token_url: "https://api.notion.com/v1/oauth/token",
      userinfo_url: null,
      authorize_parameters: { owner: "user" },
      scopes: null,
      client_auth: basic,
      pkce: false,
      map_user: { account_id: "owner.user.id", email: "owner.user.person.email", name: "owner.user.name" },
      trust_email: "never",
    },
    quirks: { token_request: "json", profile_in_token_answer: true },
  },
  atlassian: {
    source: "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
    settings: {
      authorize_url: "https://auth.atlassian.com/authorize",
      token_url: "https://auth.atlassian.com/oauth/token",
      userinfo_url: "https://api.atlassian.com/me",
      authorize_parameters: { audience: "api.atlassian.com", prompt: "consent" },
      scopes: ["read:me"],
      client_auth: post,
      pkce: false,
      map_user: { account_id: "account_id", email: "email", name: "name" },
      trust_email: "never",
    },
    quirks: offlineAccess,
  },
  tiktok: {
    source: "https://developers.tiktok.com/doc/login-kit-web/",
    settings: {
      authorize_url: "https://www.tiktok.com/v2/auth/authorize/",
      token_url: "https://open.tiktokapis.com/v2/oauth/token/",
      userinfo_url: "https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name",
      scopes: ["user.info.basic"],
      client_auth: post,
      pkce: false,
      map_user: { account_id: "data.user.open_id", name: "data.user.display_name" },
      trust_email: "never",
    },
    quirks: { client_id_parameter: "client_key", scope_separator: "," },
  },
})

const presets = { ...contract, ...openid, ...ownIssuer, ...oauth }

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as ReadonlyArray<PresetName>

/** The preset of a name, with that name as the default id; undefined for another value. */
export const presetNamed = (name: unknown): Preset | undefined => {
  if (typeof name !== "string" || !Object.hasOwn(presets, name)) return undefined
  const preset = presets[name as PresetName]
  return { ...preset, settings: { id: name, ...preset.settings } }
}

/** How the provider of a preset deviates from the standards. */
export const quirksOf = (preset: string | undefined): Quirks => presetNamed(preset)?.quirks ?? {}
