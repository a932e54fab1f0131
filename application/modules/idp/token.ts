import { DateTime, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { InvalidClient, InvalidGrant, InvalidRequest, UnsupportedGrantType } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, insert, removeEach, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import * as Core from "../../../domain/settings.ts"
import { Users } from "../../../domain/storage/tables.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { authenticate, provenClient } from "./client-authentication.ts"
import * as IdToken from "./id-token.ts"
import { parameters, repeated, singles } from "./parameters.ts"
import { inDialect } from "./refusals.ts"
import type { Client, Settings } from "./settings.ts"
import type { AccessToken, AuthorizationCode } from "./tables.ts"
import { AccessTokens, AuthorizationCodes, accessKind, codeKind } from "./tables.ts"

const Parameters = parameters("grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier")

interface Presented {
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string | undefined
}

/** What a client presents, once all of it makes sense. */
const read = Effect.fnUntraced(function* (given: typeof Parameters.Type) {
  const { grant_type, code, redirect_uri, code_verifier } = singles(given)
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

/** Whether a code may be exchanged: by whom and how it was asked for, in time, and in a session that lives. */
const judge = Effect.fnUntraced(function* (code: AuthorizationCode, session: StoredSession, client: Client, presented: Presented) {
  const now = yield* DateTime.now
  const { session: lifetimes } = yield* Core.Settings
  const isRight =
    code.client_id === client.client_id &&
    code.redirect_uri === presented.redirect_uri &&
    DateTime.isLessThan(now, code.expires_at) &&
    isLive(session, now, lifetimes)
  if (!isRight) return yield* new InvalidGrant()
  if (!(yield* isProven(code.code_challenge, presented.code_verifier))) {
    return yield* new InvalidGrant({ message: "code_verifier does not fit the code_challenge." })
  }
})

/** A verifier for a code without a challenge means that somebody took the challenge away (RFC 9700 section 2.1.1). */
const isProven = Effect.fnUntraced(function* (challenge: string | null, verifier: string | undefined) {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  const digest = yield* Digest.Digest
  return Base64Url.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier))) === challenge
}, Effect.orDie)

/** The most access tokens that a client has in one session. */
const mostTokens = 100

/** Those that have to end before a client gets a further one: tokens live as long as their session, and a loop could fill the store. */
const surplusTokens = Effect.fnUntraced(function* ({ session_id, client_id }: AccessToken) {
  const issued = yield* (yield* Store).list(AccessTokens, { session_id }, { limit: 1000, order: "expires_at" })
  const own = issued.filter((token) => token.client_id === client_id)
  return own.slice(0, Math.max(0, own.length - mostTokens + 1)).map(({ hash }) => hash)
})

/**
 * Takes a code for an access token. The first to present a code uses it up, whatever comes of it; whoever presents one again ends
 * what was issued for it, since one of the two has stolen it (RFC 6749 section 4.1.2).
 */
const exchange = Effect.fnUntraced(function* (client: Client, presented: Presented) {
  const store = yield* Store
  const code_hash = yield* tokenHash(codeKind, presented.code)
  const found = yield* store.readWithReferenced(AuthorizationCodes, { hash: code_hash }, "session_id")
  if (Option.isNone(found)) {
    yield* store.take(AccessTokens, { code_hash })
    return yield* new InvalidGrant()
  }
  const [code, session] = found.value
  const user = yield* store.read(Users, { id: session.row.user_id })
  if (Option.isNone(user)) return yield* new InvalidGrant()

  const removal = removeVersioned(AuthorizationCodes, code)
  yield* judge(code.row, session.row, client, presented).pipe(
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
  // The code goes with its session: where that has ended meanwhile, there is nothing left to remove.
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

/** Gives a client an access token and, where it asked for `openid`, an id_token (OpenID Connect Core section 3.1.3). */
export const token = ({ clients, id_token_ttl }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/token",
    summary: "Takes a code for an access token, and an id_token with it.",
    access: "public",
    input: Parameters,
    output: Tokens,
    errors: [InvalidRequest, InvalidGrant, UnsupportedGrantType, [InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, client: provenClient(clients), refusal: inDialect },
    handler: Effect.fn("identityProvider.token")(function* (given) {
      const twice = repeated(given)
      if (twice !== undefined) return yield* new InvalidRequest({ message: `${twice} is given more than once.` })
      const client = yield* authenticate(clients, singles(given))
      const presented = yield* read(given)
      const granted = yield* retryOnConflict(exchange(client, presented))
      const { access_token, code, session } = granted

      const left = DateTime.toEpochMillis(session.expires_at) - DateTime.toEpochMillis(yield* DateTime.now)
      const answer: typeof Tokens.Type = { access_token, token_type: "Bearer", expires_in: Math.floor(left / 1000), scope: code.scope }
      if (!code.scope.split(" ").includes("openid")) return Endpoint.reply(answer)
      return Endpoint.reply({ ...answer, id_token: yield* IdToken.make(granted, id_token_ttl) })
    }),
  })
