import { Effect, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { check, orFail, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { orElse, Seconds } from "../../../domain/settings.ts"
import { handOff } from "../../../domain/sign-in/issuing.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const OneTimeToken = Schema.Struct({
  hash: Schema.String,
  session_id: Schema.String,
  /** The hash of the session's token at that moment. Null in rows of earlier versions, which are refused. */
  session_token_hash: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** Pending hand-offs. They are removed with the session that made them. */
export const OneTimeTokens = Table.make("one_time_token", OneTimeToken, {
  key: "hash",
  references: { session_id: Sessions },
  expires: "expires_at",
  data: { secret: ["hash", "session_token_hash"], other: ["session_id", "expires_at"] },
})

const tokens = singleUseToken(OneTimeTokens, { kind: "one-time-token" })

const generate = (expires_in: number) =>
  Endpoint.make({
    method: "POST",
    path: "/one-time-token/generate",
    summary: "Issues a token that signs the user in on another browser or device, once.",
    access: "session",
    output: Schema.Struct({ token: Schema.String, expires_in: Schema.Int }),
    handler: Effect.fnUntraced(function* oneTimeTokenGenerate() {
      const { session } = yield* rereadSession
      const { id, token_hash } = session.row
      const { token, write } = yield* tokens.issue({ session_id: id, session_token_hash: token_hash }, expires_in)
      yield* (yield* Store).commit([check(Sessions, session), write])
      return Endpoint.reply({ token: token, expires_in })
    }, retryOnConflict),
  })

const verify = Endpoint.make({
  method: "POST",
  path: "/one-time-token/verify",
  summary: "Redeems a one-time token: starts a new session of the same user, with the sign-in time of the session that issued it.",
  access: "public",
  signsIn: "session",
  input: Schema.Struct({ token: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [[InvalidToken, 401]],
  invalid: InvalidToken,
  handler: Effect.fnUntraced(function* oneTimeTokenVerify({ token }) {
    const pending = yield* orFail(tokens.take(token), () => new InvalidToken())
    const issued = yield* retryOnConflict(handOff(pending))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Signs a user in on another browser or device by a token that works once. */
export const oneTimeToken = Module.define({
  name: "one_time_token",
  settings: Schema.Struct({
    expires_in: Seconds.pipe(orElse(60, "Lifetime of a token, seconds.")),
  }),
  parts: ({ expires_in }) => ({
    tables: [OneTimeTokens],
    endpoints: [generate(expires_in), verify],
  }),
})
