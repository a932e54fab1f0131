/** What a caller does about an error, by its code. */
export const remedies: Readonly<Record<string, string>> = {
  account_linked: "Sign in with the user to whom the account is linked, and unlink it there first.",
  account_not_found: "Read the linked accounts from `GET /list-accounts`.",
  banned: "An administrator can lift the ban with `POST /admin/unban-user`. The response clears the session cookie.",
  email_not_verified:
    "Send a mail with `POST /send-verification-email`; the user opens its link and signs in again. A mailed code or link also proves the address.",
  email_password_disabled: "Set `email_password.enabled`, or offer another way to sign in.",
  email_taken: "Ask for another address.",
  expired_message: "Request a new nonce, and have the wallet sign a new message.",
  forbidden:
    "The session's user lacks the role for this operation. A user with the role has to call it, or an administrator or owner has to grant the role.",
  internal_error:
    "Report it with the `x-request-id` of the response; the log of the service has the cause under the same id. A retry may succeed.",
  invalid_client:
    "Compare `client_id` and the secret with `modules.idp.clients`. A client with a secret sends it by HTTP Basic or in the form.",
  invalid_credentials:
    "Ask for the name and password again. The answer is the same for an unknown user, so that it does not reveal who is registered.",
  invalid_dpop_proof:
    "Make a new proof for each request, signed by the key that the token is bound to, with the method and URL of the request, a new `jti`, the time of now, and `ath` where it comes with an access token.",
  invalid_grant:
    "Start the authorization again: a code is valid once, for a short time, for one client, `redirect_uri` and PKCE verifier; of refresh tokens of a client without a secret, only the newest is valid.",
  invalid_invitation: "Ask for a new invitation. Only the user with the invited address can accept it.",
  invalid_json: "Send `content-type: application/json` and a JSON object without duplicate members.",
  invalid_message: "Build the message from `GET /siwe/nonce`: domain, chain and nonce have to be those of this service.",
  invalid_nonce: "Request a new nonce with `GET /siwe/nonce`. A nonce is valid once.",
  invalid_otp: "Ask for the code again, or send a new one. After too many wrong codes, send a new code; with an authenticator app, wait.",
  invalid_passkey: "Request new options and start again. A passkey that was deleted here can still be offered by the browser.",
  invalid_redirect_uri: "Add the exact URL to `redirect_uris` of the client in `modules.idp.clients`.",
  invalid_request: "Read the `message`: it names the member and the rule. The tables of this site list the members of every endpoint.",
  invalid_request_object:
    "Sign the request object with a key of the client's `jwks` or `jwks_uri`, with `client_id`, the issuer as `aud` and times of now. It has at most 8,192 characters.",
  invalid_role: "Use a role of `modules.organization.access_control`, by default `owner`, `admin` or `member`.",
  invalid_scope:
    "A refresh token can only narrow the scope that its code was issued for. Ask for the other scopes in a new authorization request.",
  invalid_signature: "Have the wallet sign exactly the text of `message` with the address in it.",
  invalid_state: "Start the sign-in again in the same browser. A flow is valid for ten minutes and one callback.",
  invalid_target:
    "Add the resource to `resources` of the client, and request no resource that the code or refresh token was not issued for.",
  invalid_token: "Request a new mail or token: each is valid once and for a limited time.",
  invalid_username: "Ask for another name; letters in upper case are accepted and compared in lower case.",
  last_account: "Add another way to sign in first, such as a password or a passkey.",
  no_credential: "Set a password with `POST /request-password-reset`.",
  not_a_member: "Read the members from `GET /organization/list-members`.",
  not_found: "Check the path and the method. The endpoints of a module exist only if the module is enabled.",
  oauth_token_error: "Try again; if it persists, compare `client_id`, `client_secret` and `token_url` with the provider's.",
  oauth_userinfo_error: "Try again; if it persists, compare `userinfo_url`, `scopes` and `map_user` with the provider's.",
  overloaded: "Try again after the seconds in `Retry-After`.",
  passkey_exists: "The authenticator has a passkey of this user; sign in with it.",
  webhook_not_found: "Read the webhooks from `GET /admin/webhooks/list`; those of the configuration change there.",
  passkey_not_found: "Read the passkeys from `GET /passkey/list`.",
  password_too_long: "Ask for a password of at most `email_password.max_password_length` characters.",
  password_too_short: "Ask for a password of at least `email_password.min_password_length` characters.",
  payload_too_large: "Send less than `max_body_bytes`. A body without `Content-Length` may have at most 64 KiB.",
  phone_taken: "Ask for another number.",
  rate_limited:
    "Wait for the seconds in `Retry-After`. If all users share this error, the service counts them by the address of a proxy: list that address in `trusted_proxies`.",
  session_not_found: "Read the sessions of this browser from `GET /multi-session/list`.",
  session_not_fresh: "Prove the identity with `POST /step-up`, or sign in again; then repeat the call.",
  slug_taken: "Ask for another slug.",
  sole_owner: "Make another member an owner with `POST /organization/update-role`, or delete the organization.",
  team_not_found: "Read the teams from `GET /organization/list-teams`.",
  two_factor_enabled: "Disable the factor with `POST /2fa/totp/disable` before you set up another.",
  two_factor_not_enabled: "Enable the factor with `POST /2fa/totp/enable` and confirm it.",
  unauthorized: "Sign in. A session ends by sign-out, by expiry, and when a step-up replaces its token.",
  unavailable: "Try again in a moment. `/readyz` and the log of the service say whether the database answers.",
  unknown_provider: "Use an `id` of `modules.social.providers`.",
  unsupported_grant_type: "Send `grant_type=authorization_code`, or another grant type that the client may use.",
  untrusted_origin: "Add the origin of the page to `trusted_origins`; see [origins, cookies and proxies](/guides/hosts/).",
  use_dpop_nonce: "Repeat the request with a proof whose `nonce` is the value of the header field `DPoP-Nonce`.",
  user_already_exists: "Offer to sign in instead, or to reset the password.",
  user_not_found: "Read the users from `GET /admin/list-users`.",
  username_taken: "Ask for another name; `GET /username/available` says whether one is free.",
}
