import { Effect } from "effect"
import { InvalidToken } from "../../../../domain/errors.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { hasCertificate } from "../clients/confirmation.ts"
import { provedKey } from "../clients/dpop.ts"
import { InvalidDpopProof } from "../errors.ts"
import type { Settings } from "../settings.ts"
import type { AccessToken } from "../tables.ts"

/** An access token as a request sends it. `isDpop`: whether it has the scheme DPoP (RFC 9449 section 7.1). */
export interface PresentedToken {
  readonly method: string
  /** The path below the issuer. */
  readonly path: string
  readonly token: string
  readonly isDpop: boolean
}

/** The access token in a field `Authorization`; undefined without one. */
export const tokenIn = (authorization: string | null) => {
  const [, scheme = "", token] = /^(bearer|dpop) +(\S+) *$/i.exec(authorization ?? "") ?? []
  return token === undefined ? undefined : { token, isDpop: scheme.toLowerCase() === "dpop" }
}

/** The access token of the request. */
export const tokenInHeader = Effect.map(Caller, ({ authorization }) => tokenIn(authorization))

/**
 * Fails unless the request proves the key and the certificate that the token is bound to. A token without a key must have the scheme
 * Bearer.
 */
export const checkBinding = Effect.fnUntraced(function* checkBinding(
  settings: Settings,
  { jkt, x5t }: Pick<AccessToken, "jkt" | "x5t">,
  request: PresentedToken,
) {
  if (!(yield* hasCertificate(x5t))) return yield* new InvalidToken()
  if (jkt === null && !request.isDpop) return
  if (jkt === null || !request.isDpop) return yield* new InvalidToken()
  const { dpop } = yield* Caller
  if (dpop === null) return yield* new InvalidDpopProof()
  const { method, path, token } = request
  const proved = yield* provedKey(settings, dpop, { method, path, access_token: token })
  if (proved !== jkt) return yield* new InvalidToken()
})
