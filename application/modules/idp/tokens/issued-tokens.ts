import { DateTime, Effect, Schema } from "effect"
import { insert, removeEach, Store } from "../../../../domain/ports/store.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { shortTtl } from "../clients/client.ts"
import { tokenTypeOf } from "../clients/dpop.ts"
import type { Settings } from "../settings.ts"
import { type AccessToken, AccessTokens } from "../tables.ts"
import type { Granted } from "./granted.ts"
import * as IdToken from "./id-token.ts"
import { newAccessToken } from "./new-access-token.ts"
import { accessTokenRules } from "./resources.ts"

/** A successful response of the token endpoint (RFC 6749 section 5.1). */
export const Tokens = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literals(["Bearer", "DPoP"]),
  /** Seconds. */
  expires_in: Schema.Int,
  scope: Schema.String,
  refresh_token: Schema.optionalKey(Schema.String),
  id_token: Schema.optionalKey(Schema.String),
  /** Only of a token exchange (RFC 8693 section 2.2.1). */
  issued_token_type: Schema.optionalKey(Schema.String),
})
export type Tokens = typeof Tokens.Type

/** An access token and, for the scope `openid`, an ID token (OpenID Connect Core section 3.1.3), with the writes that make them valid. */
export const issueTokens = Effect.fnUntraced(function* issueTokens(settings: Settings, grant: Granted) {
  const { issued_at, end } = yield* lifetimeOf(grant)
  const { client, code_hash, family_id, scope, requested, resource, jkt, x5t, consent_id } = grant
  const content = {
    code_hash,
    session_id: grant.session?.id ?? null,
    family_id,
    user_id: grant.user.id,
    client_id: client.client_id,
    scope,
    requested,
    resource,
    jkt,
    x5t,
    consent_id,
    exchanged_from: null,
    actors: grant.actors,
    issued_at,
    expires_at: end,
  }
  const { token: access_token, row } = yield* newAccessToken(settings, client, content, grant)
  const expires_in = Math.floor((DateTime.toEpochMillis(end) - DateTime.toEpochMillis(issued_at)) / 1000)
  const answer: Tokens = { access_token, token_type: tokenTypeOf(jkt), expires_in, scope }
  const isOpenId = scope.split(" ").includes("openid")
  return {
    tokens: isOpenId ? { ...answer, id_token: yield* IdToken.make(settings, grant, access_token) } : answer,
    writes: [removeEach(AccessTokens, yield* surplusTokens(row)), insert(AccessTokens, row)],
  }
})

/**
 * The access token ends with its session at the latest. An opaque one without refresh tokens is valid as long as the session, unless the
 * client has a shorter lifetime.
 */
const lifetimeOf = Effect.fnUntraced(function* lifetimeOf({ client, session, family_id, resource }: Granted) {
  const issued_at = yield* DateTime.now
  const rules = accessTokenRules(client, resource)
  const isLong = family_id === null && session !== null && rules.format === "opaque" && client.agent === undefined
  const ttl = rules.ttl ?? (isLong ? null : shortTtl)
  const ends = [...(ttl === null ? [] : [after(issued_at, ttl)]), ...(session === null ? [] : [session.expires_at])]
  return { issued_at, end: ends.reduce((one, other) => DateTime.min(one, other)) }
})

/** Limit on the access tokens of a client in one session, and of one refresh family. */
const maxTokens = 100

/** The oldest tokens above the limit: without it, a client that repeats the flow in a loop could fill the store. */
export const surplusTokens = Effect.fnUntraced(function* surplusTokens({ session_id, family_id, client_id }: AccessToken) {
  const where = session_id === null ? { family_id } : { session_id }
  const issued = yield* (yield* Store).list(AccessTokens, where, { limit: 1000, order: "expires_at" })
  const own = issued.filter((token) => token.client_id === client_id)
  return own.slice(0, Math.max(0, own.length - maxTokens + 1)).map(({ hash }) => hash)
})
