import { Effect, Option, Schema } from "effect"
import { InvalidState } from "../../../domain/errors.ts"
import { orFail } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Keys, randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { challengeOf } from "../../../domain/tokens/pkce.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import type { Endpoints } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import type { SocialSettings } from "./settings.ts"

/** Time for the user to finish at the provider, seconds. */
const lifetime = 600

const verifierPurpose = "oauth-verifier"

const OAuthState = Schema.Struct({
  hash: Schema.String,
  provider_id: Schema.String,
  /** The PKCE verifier, encrypted: an attacker who reads the store cannot finish a flow. */
  verifier: Schema.String,
  /** The session whose user the account is linked to; null for a sign-in. */
  session_id: Schema.NullOr(Schema.String),
  /** The hash of that session's token when the link began. Null in rows of earlier versions, which are refused. */
  session_token_hash: Schema.NullOr(Schema.String),
  /** The hash of the browser's binding cookie. */
  browser_hash: Schema.String,
  expires_at: Schema.DateTimeUtc,
})

/** Pending flows; those that link an account are removed with the session that began them. */
export const OAuthStates = Table.make("oauth_state", OAuthState, {
  key: "hash",
  references: { session_id: Sessions },
  expires: "expires_at",
  sealed: { verifier: verifierPurpose },
})

const states = singleUseToken(OAuthStates, { kind: "oauth-state" })

const browser = BrowserBinding.make("oauth_flow", lifetime)

/** A new flow: the redirect, the write that stores it, and the cookie. */
export const begin = Effect.fnUntraced(function* beginFlow(provider: Provider, endpoints: Endpoints, session: StoredSession | null) {
  const { hash: browser_hash, cookie } = yield* browser.bind
  const verifier = yield* randomToken
  const flow = {
    provider_id: provider.id,
    verifier: yield* (yield* Keys).seal(verifierPurpose, verifier),
    session_id: session?.id ?? null,
    session_token_hash: session?.token_hash ?? null,
    browser_hash,
  }
  const { token: state, write } = yield* states.issue(flow, lifetime)
  const bound = {
    ...(provider.pkce ? { code_challenge: yield* challengeOf(verifier), code_challenge_method: "S256" } : {}),
    ...(endpoints.jwks_url === null ? {} : { nonce: yield* nonceOf(verifier) }),
  }
  return { url: authorizationUrl(provider, endpoints, { state, ...bound }), write, cookies: [{ ...cookie, from_elsewhere: true }] }
})

/**
 * The nonce of a flow (OpenID Connect Core section 3.1.2.1). It is derived from the verifier, so that it needs no column; the verifier cannot
 * be computed from it.
 */
export const nonceOf = (verifier: string) => tokenHash("oidc-nonce", verifier)

/** The URL of the authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
const authorizationUrl = (provider: Provider, { authorize_url }: Endpoints, bound: Readonly<Record<string, string>>) => {
  const { client_id, redirect_uri, scopes, response_mode, authorize_parameters, keep_tokens } = provider
  const { client_id_parameter = "client_id", scope_separator = " ", offline } = quirksOf(provider.preset)
  const url = new URL(authorize_url)
  const all = [...(scopes ?? []), ...(keep_tokens ? (offline?.scopes ?? []) : [])]
  const parameters = {
    ...authorize_parameters,
    ...(keep_tokens ? offline?.parameters : {}),
    response_type: "code",
    [client_id_parameter]: client_id,
    redirect_uri,
    ...(all.length === 0 ? {} : { scope: [...new Set(all)].join(scope_separator) }),
    ...(response_mode === "query" ? {} : { response_mode }),
    ...bound,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // Some providers do not read `+` as a blank.
  url.search = url.searchParams.toString().replaceAll("+", "%20")
  return url.href
}

/** The flow of a state. The state is consumed even if the callback fails: the provider also accepts a code only once. */
export const take = Effect.fnUntraced(function* takeFlow(state: string, { providers, browser_binding }: SocialSettings) {
  const row = yield* orFail(states.take(state), () => new InvalidState())
  if (browser_binding === "auto" && !(yield* browser.isSame(row.browser_hash))) return yield* new InvalidState()

  const provider = providers.find(({ id }) => id === row.provider_id)
  const verifier = yield* (yield* Keys).open(verifierPurpose, row.verifier)
  if (provider === undefined || Option.isNone(verifier)) return yield* new InvalidState()
  const { session_id, session_token_hash } = row
  return { provider, verifier: verifier.value, session_id, session_token_hash }
})
