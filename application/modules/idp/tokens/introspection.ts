import { Effect, Option, Schema } from "effect"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { boundMembership, OrganizationClaims, organizationClaims } from "../claims/organization.ts"
import { subjectOf } from "../claims/subject.ts"
import { type Client, isPublic } from "../clients/client.ts"
import { clientProtocol } from "../clients/client-authentication.ts"
import { confirmationClaim } from "../clients/confirmation.ts"
import { tokenTypeOf } from "../clients/dpop.ts"
import { isSameHash, parsedRefreshToken } from "../clients/refresh-token.ts"
import { InvalidClient } from "../errors.ts"
import { issuer } from "../issuer.ts"
import { signJwt } from "../keys/signed-jwt.ts"
import { oauthRefusal } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { RefreshFamilies } from "../tables.ts"
import { liveAccessToken, mayRead } from "./access-token.ts"
import { actClaim } from "./actor.ts"
import { audienceOf } from "./resources.ts"
import { TokenParameters, tokenRequest } from "./token-request.ts"

/** The state of a token (RFC 7662 section 2.2). */
const Introspection = Schema.Struct({
  active: Schema.Boolean,
  iss: Schema.optionalKey(Schema.String),
  sub: Schema.optionalKey(Schema.String),
  aud: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  client_id: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String),
  token_type: Schema.optionalKey(Schema.String),
  /** The parties that act for the user, nested (RFC 8693 section 4.1). */
  act: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  cnf: Schema.optionalKey(Schema.Struct({ jkt: Schema.optionalKey(Schema.String), "x5t#S256": Schema.optionalKey(Schema.String) })),
  ...OrganizationClaims,
  iat: Schema.optionalKey(Schema.Int),
  exp: Schema.optionalKey(Schema.Int),
})
type Introspection = typeof Introspection.Type

/** The response for a token that is not valid, or that the client may not introspect. It has no other member (RFC 7662 section 2.2). */
const inactive: Introspection = { active: false }

const ofRefreshToken = Effect.fnUntraced(function* ofRefreshToken(client: Client, family_id: string, hash: string) {
  const stored = yield* readLive(RefreshFamilies, { id: family_id })
  if (Option.isNone(stored)) return inactive
  const family = stored.value.row
  if (family.client_id !== client.client_id || !isSameHash(hash, family.hash)) return inactive
  const membership = yield* boundMembership(family.member_id)
  if (Option.isNone(membership)) return inactive
  const { client_id, scope, user_id, expires_at } = family
  const sub = yield* subjectOf(client, user_id)
  const claims = yield* organizationClaims(membership.value, scope)
  return { active: true, iss: yield* issuer, sub, client_id, scope, ...claims, exp: Jwt.secondsOf(expires_at) }
})

const ofAccessToken = Effect.fnUntraced(function* ofAccessToken(settings: Settings, client: Client, access_token: string) {
  const live = yield* liveAccessToken(settings, access_token)
  if (Option.isNone(live) || !mayRead(client, live.value.token)) return inactive
  const { token, user, membership } = live.value
  const { client_id, scope, resource, jkt, x5t, actors, issued_at, expires_at } = token
  const iss = yield* issuer
  const iat = issued_at === null ? {} : { iat: Jwt.secondsOf(issued_at) }
  return {
    active: true,
    iss,
    sub: user === null ? client_id : yield* subjectOf(live.value.client, user.id),
    aud: audienceOf(iss, resource),
    client_id,
    scope,
    token_type: tokenTypeOf(jkt),
    ...confirmationClaim({ jkt, x5t }),
    ...(yield* actClaim(live.value.client, actors)),
    ...(yield* organizationClaims(membership, scope)),
    ...iat,
    exp: Jwt.secondsOf(expires_at),
  }
})

/** The media type of introspection responses as JWTs (RFC 9701 section 5). */
const signedIntrospectionType = "application/token-introspection+jwt"

const wantsJwt = (accept: string | null) =>
  (accept ?? "").split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === signedIntrospectionType)

/**
 * An introspection response as a JWT; null unless the client has an algorithm for it and the request accepts its type. `typ` keeps the JWT
 * from being used as an access token (RFC 9701 section 8.1).
 */
const signedIntrospection = Effect.fnUntraced(function* signedIntrospection(settings: Settings, client: Client, answer: object) {
  const alg = client.introspection_signed_response_alg
  if (alg === null || !wantsJwt((yield* Caller).accept)) return null
  const claims = { iss: yield* issuer, aud: client.client_id, iat: yield* Jwt.seconds, token_introspection: answer }
  return { type: signedIntrospectionType, content: yield* signJwt(settings, alg, "token-introspection+jwt", claims) }
})

/** The introspection endpoint (RFC 7662). Confidential clients may introspect their own tokens, and resource servers all access tokens. */
export const introspection = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/introspect",
    summary: "Returns whether a token is valid, its user and its scopes.",
    access: "public",
    input: TokenParameters,
    output: Introspection,
    errors: [[InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, text: signedIntrospectionType, ...clientProtocol(settings), refusal: oauthRefusal },
    handler: Effect.fnUntraced(function* identityProviderIntrospect(input) {
      const { client, token } = yield* tokenRequest(settings, input)
      if (isPublic(client)) return yield* new InvalidClient()
      const refresh = yield* parsedRefreshToken(token)
      const answer = Option.isSome(refresh)
        ? yield* ofRefreshToken(client, refresh.value.family_id, refresh.value.hash)
        : yield* ofAccessToken(settings, client, token)
      const text = yield* signedIntrospection(settings, client, answer)
      return text === null ? Endpoint.reply(answer) : { ...Endpoint.reply(answer), text }
    }),
  })
