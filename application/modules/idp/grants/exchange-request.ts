import { Effect, Option } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Policies } from "../../../../domain/policies.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import type { Client } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import { InvalidDpopProof } from "../errors.ts"
import { missing } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { liveAccessToken, mayRead } from "../tokens/access-token.ts"
import type { Actor } from "../tokens/actor.ts"
import type * as Grant from "./grant.ts"

/** The parameters of a token exchange (RFC 8693 section 2.1). */
export const required = ["subject_token_type", "subject_token"] as const
export const optional = ["actor_token", "actor_token_type", "requested_token_type", "audience", "resource", "scope"] as const
export type Presented = Grant.Presented<(typeof required)[number], (typeof optional)[number]>

/** The only type of tokens that are accepted and issued (RFC 8693 section 3). */
export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

/** A token that is not valid or not acceptable causes `invalid_request` (RFC 8693 section 2.2.2). */
export const refused = (message: string) => new InvalidRequest({ message })

/** Fails unless the request names access tokens only, and an actor token has its type (RFC 8693 section 2.1). */
export const checkTypes = Effect.fnUntraced(function* checkTypes(presented: Presented) {
  const { subject_token_type, actor_token, actor_token_type, requested_token_type = accessTokenType } = presented
  if (subject_token_type !== accessTokenType) return yield* refused("subject_token_type is not supported.")
  if (requested_token_type !== accessTokenType) return yield* refused("requested_token_type is not supported.")
  if (actor_token === undefined && actor_token_type !== undefined) return yield* missing("actor_token")
  if (actor_token !== undefined && actor_token_type === undefined) return yield* missing("actor_token_type")
  if (actor_token !== undefined && actor_token_type !== accessTokenType) return yield* refused("actor_token_type is not supported.")
})

const checkUser = Effect.fnUntraced(function* checkUser(user: StoredUser) {
  yield* Effect.mapError((yield* Policies).passGates(user), ({ message }) => refused(message))
})

/** A token in the request, and what the request proves. */
interface PresentedToken {
  readonly name: "subject_token" | "actor_token"
  readonly token: string
  readonly proved: Confirmation
}

/** A valid token that the client may exchange: one of its own, or any token if it is a resource server. The request proves the token's key. */
const exchangeable = Effect.fnUntraced(function* exchangeable(settings: Settings, client: Client, { name, token, proved }: PresentedToken) {
  const live = yield* liveAccessToken(settings, token)
  if (Option.isNone(live) || !mayRead(client, live.value.token)) return yield* refused(`${name} is not valid.`)
  const { jkt, x5t } = live.value.token
  if (jkt !== null && jkt !== proved.jkt) {
    return yield* new InvalidDpopProof({ message: `${name} is bound to a key that the request does not prove.` })
  }
  if (x5t !== null && x5t !== proved.x5t) return yield* refused(`${name} is bound to another certificate.`)
  return live.value
})

/** The token of the user for whom the new token is. */
export const subjectOfExchange = Effect.fnUntraced(function* subjectOfExchange(settings: Settings, client: Client, presented: Presented) {
  const proof = { name: "subject_token", token: presented.subject_token, proved: presented } as const
  const { user, ...subject } = yield* exchangeable(settings, client, proof)
  if (user === null) return yield* refused("subject_token is not a token of a user.")
  yield* checkUser(user)
  return { ...subject, user }
})

/** The token of the acting party; none for impersonation. An actor for whom another party acts is refused: `act` could not express it. */
export const actorOfExchange = Effect.fnUntraced(function* actorOfExchange(settings: Settings, client: Client, presented: Presented) {
  const { actor_token } = presented
  if (actor_token === undefined) return []
  const { user, ...actor } = yield* exchangeable(settings, client, { name: "actor_token", token: actor_token, proved: presented })
  if (actor.token.exchanged_from !== null) return yield* refused("actor_token is the result of an exchange.")
  if (user !== null) yield* checkUser(user)
  const party: Actor = user === null ? { kind: "client", id: actor.client.client_id } : { kind: "user", id: user.id }
  return [{ ...actor, party }]
})
