import { DateTime, Effect } from "effect"
import { insert, removeEach, Store } from "../../../../domain/ports/store.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { type Client, offlineAccess, shortTtl, tokenExchangeGrant } from "../clients/client.ts"
import { tokenTypeOf } from "../clients/dpop.ts"
import { InvalidScope } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { type AccessToken, AccessTokens } from "../tables.ts"
import type { Actor } from "../tokens/actor.ts"
import { surplusTokens, type Tokens } from "../tokens/issued-tokens.ts"
import { newAccessToken } from "../tokens/new-access-token.ts"
import { chosenFrom, requestedResource } from "../tokens/resources.ts"
import {
  accessTokenType,
  actorOfExchange,
  checkTypes,
  optional,
  type Presented,
  refused,
  required,
  subjectOfExchange,
} from "./exchange-request.ts"
import * as Grant from "./grant.ts"

/** Limit on the tokens that one token follows from: each use of the last one reads all of them. */
const maxOrigins = 10

/** The scopes that both the subject token and the client have, or some of them. Without a refresh token, `offline_access` has no effect. */
const scopeOf = Effect.fnUntraced(function* scopeOf(client: Client, granted: string, { scope }: Presented) {
  const permitted = granted.split(" ").filter((each) => client.scopes.includes(each) && each !== offlineAccess)
  return chosenFrom(permitted, scope ?? permitted.join(" ")) ?? (yield* new InvalidScope())
})

/** The audience: the requested resources of the client, or that of the subject token. `audience` names the same resources as `resource`. */
const targetOf = Effect.fnUntraced(function* targetOf(client: Client, granted: string | null, { audience, resource }: Presented) {
  const requested = [audience, resource].filter((each) => each !== undefined)
  return requested.length === 0 ? granted : yield* requestedResource(client, requested.join(" "))
})

/** The tokens that a new token follows from. Fails if there are too many. */
const originsOf = Effect.fnUntraced(function* originsOf(before: ReadonlyArray<string> | null, hashes: ReadonlyArray<string>) {
  const all = [...(before ?? []), ...hashes]
  return all.length <= maxOrigins ? all : yield* refused("subject_token is the result of too many exchanges.")
})

/** The end of the new token: that of the presented tokens at the latest. */
const endOf = (client: Client, issued_at: DateTime.Utc, tokens: ReadonlyArray<AccessToken>) => {
  const ends = [after(issued_at, client.access_token_ttl ?? shortTtl), ...tokens.map(({ expires_at }) => expires_at)]
  return ends.reduce((one, other) => DateTime.min(one, other))
}

/** The actors of the new token, the current one first. */
const actorsOf = (actor: ReadonlyArray<{ readonly party: Actor }>, before: ReadonlyArray<Actor> | null) =>
  actor.length === 0 ? before : [...actor.map(({ party }) => party), ...(before ?? [])]

/**
 * The new token ends with the presented ones, and has no scope that the user's token does not have. The commit conflicts if the user, their
 * session or a presented token has ended in the meantime.
 */
const exchange = Effect.fnUntraced(function* exchangeToken(settings: Settings, client: Client, presented: Presented) {
  yield* checkTypes(presented)
  const subject = yield* subjectOfExchange(settings, client, presented)
  const actor = yield* actorOfExchange(settings, client, presented)
  const tokens = [subject, ...actor].map(({ token }) => token)
  const issued_at = yield* DateTime.now
  const end = endOf(client, issued_at, tokens)
  const { session_id, family_id, consent_id, ...granted } = subject.token
  const hashes = tokens.map(({ hash }) => hash)
  const content = {
    ...{ session_id, family_id, consent_id, code_hash: null, requested: null },
    user_id: subject.user.id,
    client_id: client.client_id,
    scope: yield* scopeOf(client, granted.scope, presented),
    resource: yield* targetOf(client, granted.resource, presented),
    jkt: presented.jkt,
    x5t: presented.x5t,
    exchanged_from: yield* originsOf(granted.exchanged_from, hashes),
    actors: actorsOf(actor, granted.actors),
    issued_at,
    expires_at: end,
  }
  const { token: access_token, row } = yield* newAccessToken(settings, client, content, { auth_time: null, membership: subject.membership })
  const checks = [subject, ...actor].flatMap((each) => each.checks)
  yield* (yield* Store).commit([...checks, removeEach(AccessTokens, yield* surplusTokens(row)), insert(AccessTokens, row)])
  return {
    access_token,
    issued_token_type: accessTokenType,
    token_type: tokenTypeOf(presented.jkt),
    expires_in: Math.floor((DateTime.toEpochMillis(end) - DateTime.toEpochMillis(issued_at)) / 1000),
    scope: row.scope,
  } satisfies Tokens
})

/** Exchanges a user's access token for one of the client (RFC 8693). */
export const exchangeGrant = Grant.make({ type: tokenExchangeGrant, required, optional, issue: exchange })
