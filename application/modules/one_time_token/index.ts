import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { check, insert, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { orElse, Seconds, Settings } from "../../../domain/settings.ts"
import { handOff } from "../../../domain/sign-in/issuing.ts"
import * as Table from "../../../domain/storage/table.ts"
import { Sessions } from "../../../domain/storage/tables.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NoInput } from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const kind = "one-time-token"

const OneTimeToken = Schema.Struct({
  hash: Schema.String,
  session_id: Schema.String,
  /** The hash of the session's token at that moment. Null in rows of earlier versions, which are refused. */
  session_token_hash: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** Pending hand-offs: they go with the session that made them. */
export const OneTimeTokens = Table.make("one_time_token", OneTimeToken, {
  key: "hash",
  references: { session_id: Sessions },
  expires: "expires_at",
})

const generate = (expires_in: number) =>
  Endpoint.make({
    method: "POST",
    path: "/one-time-token/generate",
    summary: "Makes a token that signs the user in elsewhere, once.",
    access: "session",
    input: NoInput,
    output: Schema.Struct({ token: Schema.String, expires_in: Schema.Int }),
    handler: Effect.fn("oneTimeToken.generate")(function* () {
      const token = yield* randomToken
      const hash = yield* tokenHash(kind, token)
      const expires_at = DateTime.add(yield* DateTime.now, { seconds: expires_in })
      const generation = Effect.gen(function* () {
        const { session } = yield* rereadSession
        const pending = { hash, session_id: session.row.id, session_token_hash: session.row.token_hash, expires_at }
        yield* (yield* Store).commit([check(Sessions, session), insert(OneTimeTokens, pending)])
      })
      yield* retryOnConflict(generation)
      return Endpoint.reply({ token, expires_in })
    }),
  })

const verify = Endpoint.make({
  method: "POST",
  path: "/one-time-token/verify",
  summary: "Takes such a token: a session of its own for the same user, as old as the one that made it.",
  access: "public",
  signsIn: "session",
  input: Schema.Struct({ token: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [[InvalidToken, 401]],
  invalid: InvalidToken,
  handler: Effect.fn("oneTimeToken.verify")(function* ({ token }) {
    const store = yield* Store
    const pending = yield* store.take(OneTimeTokens, { hash: yield* tokenHash(kind, token) })
    if (Option.isNone(pending) || !DateTime.isLessThan(yield* DateTime.now, pending.value.expires_at)) return yield* new InvalidToken()

    const { session: lifetimes } = yield* Settings
    const redemption = Effect.gen(function* () {
      const found = yield* store.readWithReferenced(Sessions, { id: pending.value.session_id }, "user_id")
      if (Option.isNone(found)) return yield* new InvalidToken()
      const [session, user] = found.value
      // A stolen copy of the session could have made the token before the step-up: it must not gain the new proof.
      if (pending.value.session_token_hash !== session.row.token_hash) return yield* new InvalidToken()
      if (!isLive(session.row, yield* DateTime.now, lifetimes)) return yield* new InvalidToken()
      return yield* handOff(session, user)
    })
    const issued = yield* retryOnConflict(redemption)
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Hands a session on to another browser or machine by a token that works once. */
export const oneTimeToken = Module.define({
  name: "one_time_token",
  settings: Schema.Struct({
    /** Lifetime of a token, seconds. */
    expires_in: Seconds.pipe(orElse(60)),
  }),
  parts: ({ expires_in }) => ({
    tables: [OneTimeTokens],
    endpoints: [generate(expires_in), verify],
  }),
})
