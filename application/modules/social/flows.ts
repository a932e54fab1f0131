import { Effect, Option, Schema } from "effect"
import { InvalidState } from "../../../domain/errors.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import * as Table from "../../../domain/storage/table.ts"
import { Sessions } from "../../../domain/storage/tables.ts"
import { Keys, randomToken } from "../../../domain/tokens/keys.ts"
import { challengeOf } from "../../../domain/tokens/pkce.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import type { Provider, SocialSettings } from "./settings.ts"

/** The time that a user may take at the provider, seconds. */
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
export const begin = Effect.fnUntraced(function* beginFlow(provider: Provider, session: StoredSession | null) {
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
  const url = authorizationUrl(provider, state, yield* challengeOf(verifier))
  return { url, write, cookies: [{ ...cookie, from_elsewhere: true }] }
})

/** The URL of the authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
const authorizationUrl = ({ authorize_url, client_id, redirect_uri, scopes }: Provider, state: string, code_challenge: string) => {
  const url = new URL(authorize_url)
  const parameters = { response_type: "code", client_id, redirect_uri, scope: scopes.join(" "), state }
  for (const [name, value] of Object.entries({ ...parameters, code_challenge, code_challenge_method: "S256" })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

/** The flow of a state. The state is consumed in any case: the provider, too, accepts a code only once. */
export const take = Effect.fnUntraced(function* takeFlow(state: string, { providers, browser_binding }: SocialSettings) {
  const row = yield* states.take(state)
  if (Option.isNone(row)) return yield* new InvalidState()
  if (browser_binding === "auto" && !(yield* browser.isSame(row.value.browser_hash))) return yield* new InvalidState()

  const provider = providers.find(({ id }) => id === row.value.provider_id)
  const verifier = yield* (yield* Keys).open(verifierPurpose, row.value.verifier)
  if (provider === undefined || Option.isNone(verifier)) return yield* new InvalidState()
  const { session_id, session_token_hash } = row.value
  return { provider, verifier: verifier.value, session_id, session_token_hash }
})
