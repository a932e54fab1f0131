import { DateTime, Effect } from "effect"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { type Client, offlineAccess, shortTtl } from "../clients/client.ts"
import { tokenTypeOf } from "../clients/dpop.ts"
import { InvalidScope } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { AccessTokens } from "../tables.ts"
import type { Tokens } from "../tokens/issued-tokens.ts"
import { newAccessToken } from "../tokens/new-access-token.ts"
import { listed, requestedResource } from "../tokens/resources.ts"
import * as Grant from "./grant.ts"

/** The parameters of the grant (RFC 6749 section 4.4.2, RFC 8707 section 2.2). */
type Presented = Grant.Presented<never, "scope" | "resource">

/** Scopes about a user, whom this grant does not have. */
const userScopes = ["openid", "profile", "email", "address", "phone", "organization", offlineAccess]

const scopeOf = Effect.fnUntraced(function* scopeOf({ scopes }: Client, { scope }: Presented) {
  const permitted = scopes.filter((each) => !userScopes.includes(each))
  const requested = scope === undefined ? permitted : listed(scope)
  return requested.every((each) => permitted.includes(each)) ? requested.join(" ") : yield* new InvalidScope()
})

const issue = Effect.fnUntraced(function* clientCredentialsGrant(settings: Settings, client: Client, presented: Presented) {
  const scope = yield* scopeOf(client, presented)
  const resource = yield* requestedResource(client, presented.resource)
  const issued_at = yield* DateTime.now
  const expires_in = client.access_token_ttl ?? shortTtl
  const owner = { code_hash: null, session_id: null, family_id: null, user_id: null, consent_id: null, client_id: client.client_id }
  const origin = { exchanged_from: null, actors: null }
  const { jkt, x5t } = presented
  const times = { issued_at, expires_at: after(issued_at, expires_in) }
  const content = { ...owner, ...origin, ...times, scope, requested: null, resource, jkt, x5t }
  const { token, row } = yield* newAccessToken(settings, client, content, { auth_time: null, membership: null })
  yield* Effect.orDie((yield* Store).commit([insert(AccessTokens, row)]))
  return { access_token: token, token_type: tokenTypeOf(jkt), expires_in, scope } satisfies Tokens
})

/** An access token for the client itself (RFC 6749 section 4.4), with neither a refresh token nor an ID token. */
export const clientCredentialsGrant = Grant.make({ type: "client_credentials", required: [], optional: ["scope", "resource"], issue })
