import { DateTime, Effect, Option, Schema } from "effect"
import { Policies } from "../../../../domain/policies.ts"
import { check, orFail, put, removeVersioned, Store, update, type Versioned } from "../../../../domain/ports/store.ts"
import { Accepted } from "../../../../domain/sessions/accepted.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { liveSessionWith } from "../../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { readLive, readLiveWithReferenced } from "../../../../domain/storage/live.ts"
import * as TokenSealed from "../../../../domain/tokens/token-sealed.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { heldMembership, membershipChecks } from "../claims/organization.ts"
import { type Client, isPublic } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import { isSameHash, newRefreshToken, parsedRefreshToken } from "../clients/refresh-token.ts"
import { InvalidGrant, InvalidScope } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { RefreshAnswers, RefreshFamilies, type RefreshFamily } from "../tables.ts"
import { issueTokens, Tokens } from "../tokens/issued-tokens.ts"
import { idleEnd } from "../tokens/refresh-families.ts"
import { chosenFrom, narrowedResource } from "../tokens/resources.ts"
import * as Grant from "./grant.ts"

/** The parameters of a refresh (RFC 6749 section 6). */
type Presented = Grant.Presented<"refresh_token", "scope" | "resource">

type Family = Versioned<RefreshFamily>

/** A commit on the revisions of family, user and session decides between concurrent uses, and between a use and a revocation. */
const refresh = Effect.fnUntraced(function* refresh(settings: Settings, client: Client, presented: Presented) {
  const refused = () => new InvalidGrant()
  const { family_id, hash } = yield* orFail(parsedRefreshToken(presented.refresh_token), refused)
  const [family, user] = yield* orFail(readLiveWithReferenced(RefreshFamilies, { id: family_id }, "user_id"), refused)
  if (family.row.client_id !== client.client_id || !isConfirmed(family.row, presented)) return yield* refused()

  if (isSameHash(hash, family.row.hash)) return yield* renew(settings, client, presented, family, user)
  if (isSameHash(hash, family.row.previous_hash)) {
    const answer = yield* lostAnswer(presented, family.row)
    if (Option.isSome(answer)) return answer.value
  }
  return yield* revokeReused(family)
})

/** Whether a request proves the key and the certificate that the family is bound to. */
const isConfirmed = (family: Confirmation, presented: Confirmation) =>
  (family.jkt === null || family.jkt === presented.jkt) && (family.x5t === null || family.x5t === presented.x5t)

/** Revokes the family: an old token was used again, so one of its two users must have stolen it (RFC 9700 section 4.14.2). */
const revokeReused = Effect.fnUntraced(function* revokeReused(family: Family) {
  yield* (yield* Store).commit([removeVersioned(RefreshFamilies, family)])
  const { client_id, user_id } = family.row
  const line = Effect.logWarning("A refresh token was used again after it had been replaced; all tokens of its sign-in are revoked.")
  yield* Effect.annotateLogs(line, { client_id, user_id })
  return yield* new InvalidGrant()
})

const Answer = Schema.fromJsonString(Schema.Struct({ tokens: Tokens, issued_at: Schema.Int }))

/** Binds a sealed answer to the request that it answers. */
const contextOf = ({ id, client_id }: RefreshFamily, generation: number, { scope, resource, jkt, x5t }: Presented) =>
  JSON.stringify([id, generation, client_id, scope ?? null, resource ?? null, jkt, ...(x5t === null ? [] : [x5t])])

/** The answer to the first use of the previous token, within the grace window: the connection may have broken before the client got it. */
const lostAnswer = Effect.fnUntraced(function* lostAnswer(presented: Presented, family: RefreshFamily) {
  const stored = yield* readLive(RefreshAnswers, { family_id: family.id })
  if (Option.isNone(stored)) return Option.none<Tokens>()
  const json = yield* TokenSealed.open(presented.refresh_token, contextOf(family, family.generation, presented), stored.value.row.sealed)
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  return json.pipe(
    Option.flatMap(Schema.decodeUnknownOption(Answer)),
    Option.map(({ tokens, issued_at }): Tokens => {
      const age = Math.ceil((now - issued_at) / 1000)
      return { ...tokens, expires_in: Math.max(0, tokens.expires_in - age) }
    }),
  )
})

/** The session of a family; null if the family outlives its session. Fails if the session has ended. */
const sessionOf = Effect.fnUntraced(function* sessionOf({ session_id }: RefreshFamily) {
  if (session_id === null) return null
  const [session] = yield* orFail(liveSessionWith(session_id), () => new InvalidGrant())
  return session
})

/** A refresh can narrow the scope of its access token, and never widens it (RFC 6749 section 6). */
const scopeOf = Effect.fnUntraced(function* scopeOf(granted: string, { scope = granted }: Presented) {
  return chosenFrom(granted.split(" "), scope) ?? (yield* new InvalidScope())
})

const renew = Effect.fnUntraced(function* renew(
  settings: Settings,
  client: Client,
  presented: Presented,
  family: Family,
  user: Versioned<StoredUser>,
) {
  const session = yield* sessionOf(family.row)
  yield* Effect.mapError((yield* Policies).passGates(user.row), ({ message }) => new InvalidGrant({ message }))
  const membership = yield* heldMembership(family.row.member_id)
  const { id, auth_time, amr, acr, requested, sid, consent_id } = family.row
  const scope = yield* scopeOf(family.row.scope, presented)
  const resource = yield* narrowedResource(client, family.row.resource, presented.resource)
  const { jkt, x5t } = presented
  const stored = { scope, resource, auth_time, amr, acr, requested, consent_id, nonce: null, sid }
  const parties = { client, user: user.row, session: session?.row ?? null, family_id: id, code_hash: null, membership, actors: null }
  const issued = yield* issueTokens(settings, { ...stored, ...parties, jkt, x5t })
  const next =
    isPublic(client) && family.row.jkt === null && family.row.x5t === null
      ? yield* rotation(settings, presented, family, issued.tokens)
      : yield* extension(settings, family, issued.tokens)
  const unchanged = [check(Users, user), ...(session === null ? [] : [check(Sessions, session)]), ...membershipChecks(membership)]
  yield* (yield* Store).commit([...unchanged, ...next.writes, ...issued.writes])
  const note = yield* Accepted
  note?.(user.row.id, yield* DateTime.now)
  return next.tokens
})

/** Replaces the token. Without DPoP, tokens of public clients are not bound to a key: only a reuse reveals a theft (RFC 9700 section 2.2.2). */
const rotation = Effect.fnUntraced(function* rotation(settings: Settings, presented: Presented, family: Family, issued: Tokens) {
  const now = yield* DateTime.now
  const { id, hash: previous_hash, generation, absolute_until } = family.row
  const { token, hash } = yield* newRefreshToken(id)
  const tokens: Tokens = { ...issued, refresh_token: token }
  const changes = { hash, previous_hash, generation: generation + 1, expires_at: idleEnd(settings, now, absolute_until) }
  const writes = [update(RefreshFamilies, family, changes)]
  if (settings.refresh_token_grace === 0) return { tokens, writes }

  const json = yield* Effect.orDie(Schema.encodeEffect(Answer)({ tokens, issued_at: DateTime.toEpochMillis(now) }))
  const sealed = yield* TokenSealed.seal(presented.refresh_token, contextOf(family.row, generation + 1, presented), json)
  const answer = { family_id: id, sealed, expires_at: after(now, settings.refresh_token_grace) }
  return { tokens, writes: [...writes, put(RefreshAnswers, answer)] }
})

/** The seconds between two writes of a family whose token is not replaced: concurrent uses then need no write. */
const extensionStep = 60

/** Keeps the token of a client that authenticates itself or proves a key. */
const extension = Effect.fnUntraced(function* extension(settings: Settings, family: Family, tokens: Tokens) {
  const now = yield* DateTime.now
  const { expires_at, absolute_until } = family.row
  const end = idleEnd(settings, now, absolute_until)
  const isDue = DateTime.isGreaterThanOrEqualTo(end, after(expires_at, extensionStep))
  return { tokens, writes: [isDue ? update(RefreshFamilies, family, { expires_at: end }) : check(RefreshFamilies, family)] }
})

/** Exchanges a refresh token for an access token (RFC 6749 section 6), and replaces it where a thief could use it. */
export const refreshGrant = Grant.make({
  type: "refresh_token",
  isPermitted: ({ refresh_tokens }) => refresh_tokens,
  required: ["refresh_token"],
  optional: ["scope", "resource"],
  issue: refresh,
})
