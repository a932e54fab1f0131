import { Effect, Schema } from "effect"
import { authenticate, Credentials } from "../clients/client-authentication.ts"
import { distinct, missing, parameters } from "../parameters.ts"
import type { Settings } from "../settings.ts"

/** `token_type_hint` is accepted and not needed: the format of a token shows its type. */
export const TokenParameters = Schema.Struct({ ...Credentials.fields, ...parameters("token", "token_type_hint").fields })

/** The client and the token of a request about a token. */
export const tokenRequest = Effect.fnUntraced(function* tokenRequest(settings: Settings, input: typeof TokenParameters.Type) {
  const single = yield* distinct(input)
  const client = yield* authenticate(settings, single)
  if (single.token === undefined) return yield* missing("token")
  return { client, token: single.token }
})
