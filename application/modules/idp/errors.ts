import { define } from "../../../domain/errors.ts"

export const AccessDenied = define("access_denied", 400, "The user has denied the request.", {
  remedy: "The user has denied the request of the device; begin again only if the user wants to.",
})
export const AuthorizationPending = define("authorization_pending", 400, "The user has not decided yet. Poll again after the interval.", {
  remedy: "Poll again after `interval` seconds: the user has not decided yet.",
})
export const ClientNotFound = define("client_not_found", 404, "There is no such client.", {
  remedy: "Read the clients from `GET /admin/clients/list`.",
})
export const ExpiredToken = define("expired_token", 400, "The device code has expired. Request a new one.", {
  remedy: "Request new codes at `/oauth2/device-authorization`: device codes are valid for ten minutes.",
})
export const InvalidClient = define("invalid_client", 400, "The client is unknown or failed to authenticate.", {
  remedy: "Compare `client_id` and the secret with `modules.idp.clients`. A client with a secret sends it by HTTP Basic or in the form.",
})
export const InvalidClientMetadata = define("invalid_client_metadata", 400, "The metadata of the client is not valid.", {
  remedy: "Correct the member that the message names, and register again.",
})
export const InvalidDpopProof = define("invalid_dpop_proof", 400, "The DPoP proof is missing, not valid or already used.", {
  remedy:
    "Make a new proof for each request, signed by the key that the token is bound to, with the method and URL of the request, a new `jti`, the current time as `iat`, and `ath` if the request contains an access token.",
})
export const InvalidGrant = define(
  "invalid_grant",
  400,
  "The code or token is unknown, expired, already used or was issued for another request.",
  {
    remedy:
      "Start the authorization again. A code is valid once, for a short time, and for one client, `redirect_uri` and PKCE verifier. A client without a secret must use its newest refresh token.",
  },
)
export const InvalidRedirectUri = define("invalid_redirect_uri", 400, "This redirect_uri is not registered for the client.", {
  remedy: "Add the exact URL to `redirect_uris` of the client in `modules.idp.clients`.",
})
export const InvalidRequestObject = define(
  "invalid_request_object",
  400,
  "The request object is not signed by the client, or is not valid.",
  {
    remedy:
      "Sign the request object with a key of the client's `jwks` or `jwks_uri`, with `client_id`, the issuer as `aud` and current times. It has at most 8,192 characters.",
  },
)
export const InvalidScope = define("invalid_scope", 400, "The scope is unknown, or was not granted.", {
  remedy: "A refresh can only narrow the scope of the code. Request the other scopes in a new authorization request.",
})
export const InvalidTarget = define("invalid_target", 400, "The client may not request tokens for this resource.", {
  remedy: "Add the resource to `resources` of the client, and request no resource that the code or refresh token was not issued for.",
})
export const SlowDown = define("slow_down", 400, "The device polls too often. The interval is now 5 seconds longer.", {
  remedy: "Wait five seconds longer between two polls from now on.",
})
export const UnauthorizedClient = define("unauthorized_client", 400, "The client may not use this grant type.", {
  remedy: "Add the grant to `grant_types` of the client.",
})
export const UnsupportedGrantType = define("unsupported_grant_type", 400, "This grant type is unknown, or the client may not use it.", {
  remedy: "Send `grant_type=authorization_code`, or another grant type that the client may use.",
})
export const UseDpopNonce = define("use_dpop_nonce", 400, "The DPoP proof needs the nonce of the DPoP-Nonce header field.", {
  remedy: "Repeat the request with a proof whose `nonce` is the value of the header field `DPoP-Nonce`.",
})
