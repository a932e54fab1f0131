import { Effect } from "effect"
import { Caller } from "../../../../domain/sessions/caller.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import type { Client } from "../clients/client.ts"
import { issuer } from "../issuer.ts"
import { signJwt } from "../keys/signed-jwt.ts"
import type { Settings } from "../settings.ts"

/** The media type of introspection responses as JWTs (RFC 9701 section 5). */
export const signedIntrospectionType = "application/token-introspection+jwt"

const wantsJwt = (accept: string | null) =>
  (accept ?? "").split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === signedIntrospectionType)

/**
 * An introspection response as a JWT; null unless the client has an algorithm for it and the request accepts its type. `typ` keeps the JWT
 * from being used as an access token (RFC 9701 section 8.1).
 */
export const signedIntrospection = Effect.fnUntraced(function* signedIntrospection(settings: Settings, client: Client, answer: object) {
  const alg = client.introspection_signed_response_alg
  if (alg === null || !wantsJwt((yield* Caller).accept)) return null
  const claims = { iss: yield* issuer, aud: client.client_id, iat: yield* Jwt.seconds, token_introspection: answer }
  return { type: signedIntrospectionType, content: yield* signJwt(settings, alg, "token-introspection+jwt", claims) }
})
