import { Effect, Option, Schema } from "effect"
import { type AuthError, InvalidState, invalidMember } from "../../../domain/errors.ts"
import { orFail } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Settings } from "../../../domain/settings.ts"
import { Keys, randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { challengeOf } from "../../../domain/tokens/pkce.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { makeReturnTarget } from "../../../domain/values/origins.ts"
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
  /** Where the callback sends the browser, and where after a failure; null where the provider's settings decide. */
  return_to: Schema.NullOr(Schema.String),
  error_return_to: Schema.NullOr(Schema.String),
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
  data: {
    personal: ["provider_id", "expires_at"],
    secret: ["hash", "verifier", "session_token_hash", "browser_hash"],
    other: ["session_id", "return_to", "error_return_to"],
  },
})

const states = singleUseToken(OAuthStates, { kind: "oauth-state" })

const browser = BrowserBinding.make("oauth_flow", lifetime)

/** The pages of an application to which a flow returns. */
export const Targets = { return_to: Schema.optionalKey(Schema.String), error_return_to: Schema.optionalKey(Schema.String) }
type Targets = Schema.Struct.Type<typeof Targets>

/** The checked target: others would make this service redirect to a site of an attacker (CWE-601). */
const checkedTarget = Effect.fnUntraced(function* checkedTarget(targets: Targets, member: keyof Targets) {
  const given = targets[member]
  if (given === undefined) return null
  const { public_url, trusted_origins } = yield* Settings
  const target = makeReturnTarget(public_url, trusted_origins)(given)
  return target ?? (yield* invalidMember(member, "expected a URL of public_url or of an origin in trusted_origins."))
})

/** A new flow: the redirect, the write that stores it, and the cookie. */
export const begin = Effect.fnUntraced(function* beginFlow(
  provider: Provider,
  endpoints: Endpoints,
  session: StoredSession | null,
  targets: Targets,
) {
  const { hash: browser_hash, cookie } = yield* browser.bind
  const verifier = yield* randomToken
  const flow = {
    provider_id: provider.id,
    verifier: yield* (yield* Keys).seal(verifierPurpose, verifier),
    session_id: session?.id ?? null,
    session_token_hash: session?.token_hash ?? null,
    return_to: yield* checkedTarget(targets, "return_to"),
    error_return_to: yield* checkedTarget(targets, "error_return_to"),
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
  const { session_id, session_token_hash, return_to, error_return_to } = row
  return {
    ...{ provider, verifier: verifier.value, session_id, session_token_hash },
    target: return_to ?? provider.success_redirect,
    errorTarget: error_return_to ?? provider.error_redirect,
  }
})

/** Sends the browser of a failed flow to its page, with the code of the error only: descriptions are texts of the provider. */
export const sentBack =
  (target: string | null) =>
  <A, E extends AuthError, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Settings> =>
    target === null
      ? self
      : Effect.catch(self, (error) =>
          Effect.flatMap(Settings, ({ public_url }) =>
            Effect.fail(Object.assign(error, { location: withError(target, public_url, error) })),
          ),
        )

const withError = (target: string, publicUrl: string, { _tag, reason }: AuthError) => {
  const url = new URL(target, publicUrl)
  url.searchParams.set("error", reason ?? _tag)
  return url.origin === publicUrl ? url.pathname + url.search + url.hash : url.href
}
