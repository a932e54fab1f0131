import { DateTime, Effect, Option } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Policies } from "../../../../domain/policies.ts"
import { remove, removeVersioned, Store } from "../../../../domain/ports/store.ts"
import { isLive, type StoredSession } from "../../../../domain/sessions/session.ts"
import * as Core from "../../../../domain/settings.ts"
import { liveAt } from "../../../../domain/storage/live.ts"
import { challengeOf, isVerifier } from "../../../../domain/tokens/pkce.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { heldMembership } from "../claims/organization.ts"
import type { Client } from "../clients/client.ts"
import { InvalidGrant } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { AccessTokens, type AuthorizationCode, AuthorizationCodes, codes, RefreshFamilies } from "../tables.ts"
import * as Grant from "./grant.ts"
import { redeemGrant } from "./redeemed-grant.ts"

/** The parameters of an exchange (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
type Presented = Grant.Presented<"code" | "redirect_uri", "code_verifier" | "resource">

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

/** The first presentation consumes the code, even if it fails. A replay revokes the tokens that were issued for the code. */
const exchange = Effect.fnUntraced(function* exchangeCode(settings: Settings, client: Client, presented: Presented) {
  if (presented.code_verifier !== undefined && !isVerifier(presented.code_verifier)) {
    return yield* new InvalidRequest({ message: "code_verifier is malformed." })
  }
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

  const { scope, resource, nonce, amr, acr, requested, consent_id } = code.row
  const auth_time = code.row.auth_time ?? session.row.authenticated_at
  const grant = { scope, resource, nonce, auth_time, amr, acr, requested, consent_id }
  const redeemable = { hash: code_hash, grant, user: user.value, session: session.row, membership, removal }
  return yield* Effect.tapErrorTag(redeemGrant(settings, client, presented, redeemable), "invalid_target", () => store.commit([removal]))
})

/** Exchanges an authorization code for tokens (RFC 6749 section 4.1.3). */
export const codeGrant = Grant.make({
  type: "authorization_code",
  required: ["code", "redirect_uri"],
  optional: ["code_verifier", "resource"],
  issue: exchange,
})
