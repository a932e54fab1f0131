import { DateTime, Effect, Option } from "effect"
import { InvalidGrant } from "../../../../domain/errors.ts"
import { Policies } from "../../../../domain/policies.ts"
import { remove, removeVersioned, Store } from "../../../../domain/ports/store.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import { isLive } from "../../../../domain/sessions/session.ts"
import * as Core from "../../../../domain/settings.ts"
import { liveAt } from "../../../../domain/storage/live.ts"
import { Users } from "../../../../domain/storage/tables.ts"
import { challengeOf } from "../../../../domain/tokens/pkce.ts"
import { heldMembership } from "../claims/organization.ts"
import type { Client } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import type { Settings } from "../settings.ts"
import type { AuthorizationCode } from "../tables.ts"
import { AccessTokens, AuthorizationCodes, codes, RefreshFamilies } from "../tables.ts"
import { sidOf } from "../tokens/client-sessions.ts"
import { redeemGrant } from "./redeemed-grant.ts"

/** The parameters of an exchange (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface Presented extends Confirmation {
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string | undefined
  readonly resource: string | undefined
}

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
    (code.jkt === null || code.jkt === presented.jkt) &&
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
  return (yield* challengeOf(verifier)) === challenge
})

/** Revokes the tokens that the first presentation of a code issued: one of the two callers must have stolen the code (RFC 6749 section 4.1.2). */
const revokeReplayed = Effect.fnUntraced(function* revokeReplayed(code_hash: string) {
  const store = yield* Store
  const family = yield* store.read(RefreshFamilies, { code_hash })
  const token = yield* store.read(AccessTokens, { code_hash })
  const writes = [
    ...Option.toArray(Option.map(family, ({ row }) => remove(RefreshFamilies, row.id))),
    ...Option.toArray(Option.map(token, ({ row }) => remove(AccessTokens, row.hash))),
  ]
  if (writes.length > 0) yield* store.commit(writes)
})

/**
 * Exchanges a code for tokens. The first presentation consumes the code, even if it fails. A replay revokes the tokens that were issued
 * for the code. Run it within `retryOnConflict`.
 */
export const exchangeCode = Effect.fnUntraced(function* exchangeCode(settings: Settings, client: Client, presented: Presented) {
  const store = yield* Store
  const code_hash = yield* codes.hashOf(presented.code)
  const stored = yield* store.readWithReferenced(AuthorizationCodes, { hash: code_hash }, "session_id")
  if (Option.isNone(stored)) {
    yield* revokeReplayed(code_hash)
    return yield* new InvalidGrant()
  }
  const [code, session] = stored.value
  const user = yield* store.read(Users, { id: session.row.user_id })
  if (Option.isNone(user)) return yield* new InvalidGrant()

  const removal = removeVersioned(AuthorizationCodes, code)
  const membership = yield* checkCode(code.row, session.row, client, presented).pipe(
    Effect.andThen(Effect.mapError((yield* Policies).passGates(user.value.row), ({ message }) => new InvalidGrant({ message }))),
    Effect.andThen(heldMembership(code.row.member_id)),
    Effect.tapError(() => store.commit([removal])),
  )

  const grant = {
    client,
    user: user.value.row,
    session: session.row,
    family_id: null,
    code_hash,
    scope: code.row.scope,
    resource: code.row.resource,
    jkt: presented.jkt,
    x5t: presented.x5t,
    nonce: code.row.nonce,
    auth_time: code.row.auth_time ?? session.row.authenticated_at,
    amr: code.row.amr,
    acr: code.row.acr,
    requested: code.row.requested,
    sid: yield* sidOf(session.row.id, client.client_id),
    consent_id: code.row.consent_id,
    membership,
  }
  // The code is removed with its session and its consent, so `removal` conflicts if one of them has ended in the meantime.
  return yield* redeemGrant(settings, grant, user.value, presented.resource, removal).pipe(
    Effect.tapErrorTag("invalid_target", () => store.commit([removal])),
  )
})
