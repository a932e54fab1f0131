import { type DateTime, Effect } from "effect"
import type { Membership } from "../../../../domain/organizations/membership.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"
import { organizationClaims } from "../claims/organization.ts"
import { subjectOf } from "../claims/subject.ts"
import type { Client } from "../clients/client.ts"
import { confirmationClaim } from "../clients/confirmation.ts"
import { issuer } from "../issuer.ts"
import { signJwt } from "../keys/signed-jwt.ts"
import type { Settings } from "../settings.ts"
import { type AccessToken, accessKind } from "../tables.ts"
import { actClaim } from "./actor.ts"
import { accessTokenRules, audienceOf } from "./resources.ts"

/** The stored members of an access token, without its hash. */
type Content = Omit<AccessToken, "hash" | "issued_at" | "member_id"> & { readonly issued_at: DateTime.Utc }

/** The sign-in that a token follows from; both members are null for a token of the client itself. */
interface SignIn {
  readonly auth_time: DateTime.Utc | null
  readonly membership: Membership | null
}

/** A random token, or a JWT that resource servers can verify (RFC 9068). Both are stored, so that this service can revoke them. */
export const newAccessToken = Effect.fnUntraced(function* newAccessToken(
  settings: Settings,
  client: Client,
  content: Content,
  signIn: SignIn,
) {
  const token =
    accessTokenRules(client, content.resource).format === "opaque" ? yield* randomToken : yield* signed(settings, client, content, signIn)
  const row: AccessToken = { ...content, member_id: signIn.membership?.member.row.id ?? null, hash: yield* tokenHash(accessKind, token) }
  return { token, row }
})

const signed = Effect.fnUntraced(function* signed(settings: Settings, client: Client, content: Content, { auth_time, membership }: SignIn) {
  const { client_id, user_id, scope, resource, jkt, x5t, actors, issued_at, expires_at } = content
  const iss = yield* issuer
  return yield* signJwt(settings, client.id_token_signed_response_alg, "at+jwt", {
    iss,
    aud: audienceOf(iss, resource),
    sub: user_id === null ? client_id : yield* subjectOf(client, user_id),
    client_id,
    scope,
    jti: yield* newId,
    iat: Jwt.secondsOf(issued_at),
    exp: Jwt.secondsOf(expires_at),
    ...confirmationClaim({ jkt, x5t }),
    ...(yield* actClaim(client, actors)),
    ...(yield* organizationClaims(membership, scope)),
    ...(auth_time === null ? {} : { auth_time: Jwt.secondsOf(auth_time) }),
  })
})
