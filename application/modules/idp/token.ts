import { DateTime, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { InvalidClient, InvalidGrant, InvalidRequest, UnsupportedGrantType } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, insert, removeEach, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import * as Core from "../../../domain/settings.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { Users } from "../../../domain/storage/tables.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { authenticate, provenClient } from "./client-authentication.ts"
import * as IdToken from "./id-token.ts"
import { parameters, repeated, singles } from "./parameters.ts"
import { oauthRefusal } from "./refusals.ts"
import type { Client, Settings } from "./settings.ts"
import type { AccessToken, AuthorizationCode } from "./tables.ts"
import { AccessTokens, AuthorizationCodes, accessKind, codes } from "./tables.ts"

const Parameters = parameters("grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier")

interface Presented {
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string | undefined
}

/** Validates the parameters of a token request. */
const read = Effect.fnUntraced(function* read(input: typeof Parameters.Type) {
  const { grant_type, code, redirect_uri, code_verifier } = singles(input)
  if (grant_type === undefined) return yield* missing("grant_type")
  if (grant_type !== "authorization_code") return yield* new UnsupportedGrantType()
  if (code === undefined) return yield* missing("code")
  if (redirect_uri === undefined) return yield* missing("redirect_uri")
  if (code_verifier !== undefined && !isVerifier(code_verifier))
    return yield* new InvalidRequest({ message: "code_verifier is malformed." })
  return { code, redirect_uri, code_verifier }
})

const missing = (name: string) => new InvalidRequest({ message: `${name} is missing.` })

/** RFC 7636 section 4.1. */
const isVerifier = (text: string) => /^[\w.~-]{43,128}$/.test(text)

/** Fails unless the client, redirect URI, expiry, session and PKCE verifier permit the exchange of a code. */
const checkCode = Effect.fnUntraced(function* checkCode(
  code: AuthorizationCode,
  session: StoredSession,
  client: Client,
  presented: Presented,
) {
  const now = yield* DateTime.now
  const { session: lifetimes } = yield* Core.Settings
  const isRight =
    code.client_id === client.client_id &&
    code.redirect_uri === presented.redirect_uri &&
    liveAt(AuthorizationCodes, now)(code) &&
    isLive(session, now, lifetimes)
  if (!isRight) return yield* new InvalidGrant()
  if (!(yield* isProven(code.code_challenge, presented.code_verifier))) {
    return yield* new InvalidGrant({ message: "code_verifier does not match the code_challenge." })
  }
})

/** A verifier for a code without a challenge indicates a PKCE downgrade attack: the attacker removed the challenge (RFC 9700 section 2.1.1). */
const isProven = Effect.fnUntraced(function* isProven(challenge: string | null, verifier: string | undefined) {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  const digest = yield* Digest.Digest
  return Base64Url.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier))) === challenge
}, Effect.orDie)

/** Limit on the access tokens of a client in one session. */
const maxTokens = 100

/** The tokens to revoke before the client gets another one. Tokens live as long as their session, so without a limit a client could fill the store. */
const surplusTokens = Effect.fnUntraced(function* surplusTokens({ session_id, client_id }: AccessToken) {
  const issued = yield* (yield* Store).list(AccessTokens, { session_id }, { limit: 1000, order: "expires_at" })
  const own = issued.filter((token) => token.client_id === client_id)
  return own.slice(0, Math.max(0, own.length - maxTokens + 1)).map(({ hash }) => hash)
})

/**
 * Exchanges a code for an access token. The first presentation consumes the code, even if it fails. A replay revokes the token that was
 * issued for the code, since one of the two callers must have stolen it (RFC 6749 section 4.1.2).
 */
const exchange = Effect.fnUntraced(function* exchange(client: Client, presented: Presented) {
  const store = yield* Store
  const code_hash = yield* codes.hashOf(presented.code)
  const stored = yield* store.readWithReferenced(AuthorizationCodes, { hash: code_hash }, "session_id")
  if (Option.isNone(stored)) {
    yield* store.take(AccessTokens, { code_hash })
    return yield* new InvalidGrant()
  }
  const [code, session] = stored.value
  const user = yield* store.read(Users, { id: session.row.user_id })
  if (Option.isNone(user)) return yield* new InvalidGrant()

  const removal = removeVersioned(AuthorizationCodes, code)
  yield* checkCode(code.row, session.row, client, presented).pipe(
    Effect.andThen(Effect.mapError((yield* Policies).passGates(user.value.row), ({ message }) => new InvalidGrant({ message }))),
    Effect.tapError(() => store.commit([removal])),
  )

  const access_token = yield* randomToken
  const row: AccessToken = {
    hash: yield* tokenHash(accessKind, access_token),
    code_hash,
    session_id: session.row.id,
    client_id: client.client_id,
    scope: code.row.scope,
    expires_at: session.row.expires_at,
  }
  // The code is removed with its session, so `removal` conflicts if the session has ended in the meantime.
  const surplus = yield* surplusTokens(row)
  yield* store.commit([check(Users, user.value), removal, removeEach(AccessTokens, surplus), insert(AccessTokens, row)])
  return { access_token, code: code.row, session: session.row, user: user.value.row }
})

const Tokens = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  /** Seconds. */
  expires_in: Schema.Int,
  scope: Schema.String,
  id_token: Schema.optionalKey(Schema.String),
})

/** Issues an access token and, for the scope `openid`, an id_token (OpenID Connect Core section 3.1.3). */
export const token = ({ clients, id_token_ttl }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/token",
    summary: "Exchanges a code for an access token and an id_token.",
    access: "public",
    input: Parameters,
    output: Tokens,
    errors: [InvalidGrant, UnsupportedGrantType, [InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, client: provenClient(clients), refusal: oauthRefusal },
    handler: Effect.fn("identityProvider.token")(function* (input) {
      const duplicate = repeated(input)
      if (duplicate !== undefined) return yield* new InvalidRequest({ message: `${duplicate} is given more than once.` })
      const client = yield* authenticate(clients, singles(input))
      const presented = yield* read(input)
      const granted = yield* retryOnConflict(exchange(client, presented))
      const { access_token, code, session } = granted

      const remaining = DateTime.toEpochMillis(session.expires_at) - DateTime.toEpochMillis(yield* DateTime.now)
      const answer: typeof Tokens.Type = { access_token, token_type: "Bearer", expires_in: Math.floor(remaining / 1000), scope: code.scope }
      if (!code.scope.split(" ").includes("openid")) return Endpoint.reply(answer)
      return Endpoint.reply({ ...answer, id_token: yield* IdToken.make(granted, id_token_ttl) })
    }),
  })
