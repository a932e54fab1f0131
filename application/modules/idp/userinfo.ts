import { DateTime, Effect, Option } from "effect"
import { InvalidRequest, InvalidToken, Unauthorized } from "../../../domain/errors.ts"
import { find } from "../../../domain/ports/store.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import * as Core from "../../../domain/settings.ts"
import { readLiveWithReferenced } from "../../../domain/storage/live.ts"
import { Users } from "../../../domain/storage/tables.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Claims, claimsOf } from "./claims.ts"
import { parameters, repeated, singles } from "./parameters.ts"
import { challenge } from "./refusals.ts"
import type { Settings } from "./settings.ts"
import { AccessTokens, accessKind } from "./tables.ts"

/** RFC 6750 section 2.2. Tokens in the URL are not accepted: URLs are logged. */
const InForm = parameters("access_token")

/** The access token of a request: in the header, or in the form. */
const presented = Effect.fnUntraced(function* presented(input: typeof InForm.Type) {
  const { authorization } = yield* Caller
  const [, inHeader] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? []
  const { access_token } = singles(input)
  if (repeated(input) !== undefined || (inHeader !== undefined && access_token !== undefined)) {
    return yield* new InvalidRequest({ message: "The access token is given more than once." })
  }
  const token = inHeader ?? access_token
  return token === undefined ? yield* new Unauthorized({ message: "An access token is required." }) : token
})

/** The claims for an access token, which is valid while its session lives and its client is registered. */
const claimed = Effect.fnUntraced(function* claimed({ clients }: Settings, access_token: string) {
  const hash = yield* tokenHash(accessKind, access_token)
  const rows = yield* readLiveWithReferenced(AccessTokens, { hash }, "session_id")
  if (Option.isNone(rows)) return yield* new InvalidToken()

  const [{ row: token }, { row: session }] = rows.value
  const now = yield* DateTime.now
  const { session: lifetimes } = yield* Core.Settings
  const isValid = isLive(session, now, lifetimes) && clients.some(({ client_id }) => client_id === token.client_id)
  const user = isValid ? yield* find(Users, { id: session.user_id }) : Option.none()
  return Option.isNone(user) ? yield* new InvalidToken() : claimsOf(user.value, token.scope)
})

/** OpenID Connect Core section 5.3. */
export const userinfo = (settings: Settings) => {
  const answer = Effect.fn("identityProvider.userinfo")(function* (input: typeof InForm.Type) {
    return Endpoint.reply(yield* claimed(settings, yield* presented(input)))
  })
  const shared = {
    path: "/oauth2/userinfo",
    summary: "The claims about the user for the scopes of an access token.",
    access: "public",
    output: Claims,
    errors: [InvalidRequest, [InvalidToken, 401], Unauthorized],
    protocol: { form: true, anyOrigin: true, refusal: challenge },
  } as const
  return [
    Endpoint.make({ ...shared, method: "GET", input: Endpoint.NoInput, handler: () => answer({}) }),
    Endpoint.make({ ...shared, method: "POST", name: "oauth2UserinfoForm", input: InForm, handler: answer }),
  ] as const
}
