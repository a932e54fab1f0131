import { Effect, Option, Schema } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import type { Client } from "../clients/client.ts"
import { clientProtocol } from "../clients/client-authentication.ts"
import { parsedRefreshToken } from "../clients/refresh-token.ts"
import { InvalidClient } from "../errors.ts"
import { oauthRefusal } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { AccessTokens, accessKind, RefreshFamilies } from "../tables.ts"
import { TokenParameters, tokenRequest } from "./token-request.ts"

/** The row that a token belongs to, and its removal. A refresh token, also an old one, belongs to its family. */
const revocationTarget = Effect.fnUntraced(function* revocationTarget(token: string) {
  const store = yield* Store
  const refresh = yield* parsedRefreshToken(token)
  if (Option.isSome(refresh)) {
    const family = yield* store.read(RefreshFamilies, { id: refresh.value.family_id })
    return Option.map(family, ({ row }) => ({ client_id: row.client_id, removal: remove(RefreshFamilies, row.id) }))
  }
  const access = yield* store.read(AccessTokens, { hash: yield* tokenHash(accessKind, token) })
  return Option.map(access, ({ row }) => ({ client_id: row.client_id, removal: remove(AccessTokens, row.hash) }))
})

const revokeToken = Effect.fnUntraced(function* revokeToken({ client_id }: Client, token: string) {
  const target = yield* revocationTarget(token)
  if (Option.isNone(target)) return
  if (target.value.client_id !== client_id) return yield* new InvalidRequest({ message: "The token belongs to another client." })
  yield* Effect.orDie((yield* Store).commit([target.value.removal]))
})

/** The revocation endpoint (RFC 7009). A refresh token is revoked with its access tokens. */
export const revocation = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/revoke",
    summary: "Revokes an access token, or a refresh token with its access tokens. Succeeds for unknown tokens too.",
    access: "public",
    input: TokenParameters,
    output: Schema.Struct({}),
    errors: [[InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, ...clientProtocol(settings), refusal: oauthRefusal },
    handler: Effect.fnUntraced(function* identityProviderRevoke(input) {
      const { client, token } = yield* tokenRequest(settings, input)
      yield* revokeToken(client, token)
      return Endpoint.reply({})
    }),
  })
