import { define } from "../../../domain/errors.ts"

export const AccountLinked = define("account_linked", 409, "This account is linked to another user.", {
  remedy: "Sign in with the user to whom the account is linked, and unlink it there first.",
})
export const NoProviderToken = define(
  "no_provider_token",
  404,
  "No valid token of this account's provider is kept: sign in with the provider again.",
  {
    remedy:
      "Let the user sign in with the provider again, or link the account again. Tokens are kept only with `keep_tokens` of the provider, from the next sign-in on.",
  },
)
export const OauthTokenError = define("oauth_token_error", 502, "The provider did not confirm the sign-in.", {
  remedy:
    "Try again; if it persists, compare `client_id`, `client_secret` and `token_url` with the provider's, and the ID token's algorithm, issuer and audience with `id_token_algorithms`, `issuer` and `client_id`.",
})
export const OauthUserinfoError = define("oauth_userinfo_error", 502, "The provider did not say who signed in.", {
  remedy: "Try again; if it persists, compare `userinfo_url`, `scopes` and `map_user` with the provider's.",
})
export const UnknownProvider = define("unknown_provider", 400, "This provider does not exist.", {
  remedy: "Use an `id` of `modules.social.providers`.",
})
