import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidOtp, InvalidRequest, InvalidToken } from "../../../domain/Errors.ts"
import { User } from "../../../domain/User.ts"
import * as Endpoint from "../../Endpoint.ts"
import { Gates } from "../../Gates.ts"
import { randomToken, tokenHash } from "../../Keys.ts"
import type { Challenger } from "../../Module.ts"
import type { Held, Write } from "../../ports/Store.ts"
import { decide, insert, removeHeld, Store, update } from "../../ports/Store.ts"
import { issue } from "../../Sessions.ts"
import { guess, redeem } from "./codes.ts"
import type { TwoFactor, TwoFactorChallenge } from "./tables.ts"
import { confirmedOf, TwoFactorChallenges, TwoFactors } from "./tables.ts"

const kind = "two-factor-challenge"

/** Seconds that a challenge waits for its code. */
const expires_in = 300

/** The wrong code that ends a challenge. */
const maxFailures = 5

const methods = ["totp", "backup_code"] as const

/** What a sign-in is answered whose user has a second factor. The token opens nothing but the endpoint below. */
export const TwoFactorChallengeBody = Schema.Struct({
  two_factor_required: Schema.Literal(true),
  challenge_token: Schema.String,
  methods: Schema.Array(Schema.Literals(methods).annotate({ identifier: "TwoFactorMethod" })),
  /** Seconds. */
  expires_in: Schema.Int,
}).annotate({ identifier: "TwoFactorChallenge" })

/** Asks whoever has confirmed an app for its code. */
export const challenger = {
  output: TwoFactorChallengeBody,
  ask: Effect.fnUntraced(function* ({ user, revision }) {
    if (Option.isNone(yield* confirmedOf(user.id))) return Option.none()
    const challenge_token = yield* randomToken
    const hash = yield* tokenHash(kind, challenge_token)
    const expires_at = DateTime.add(yield* DateTime.now, { seconds: expires_in })
    const pending = { hash, user_id: user.id, user_revision: revision, failures: 0, expires_at }
    const body: typeof TwoFactorChallengeBody.Type = { two_factor_required: true, challenge_token, methods, expires_in }
    return Option.some({ body, writes: [insert(TwoFactorChallenges, pending)] })
  }),
} satisfies Challenger<any>

const Input = Schema.Struct({
  challenge_token: Schema.String,
  code: Schema.optionalKey(Schema.String),
  backup_code: Schema.optionalKey(Schema.String),
})
type Input = typeof Input.Type

export const challenge = Endpoint.make({
  method: "POST",
  path: "/2fa/totp/challenge",
  summary: "Ends a sign-in with the second factor: a code of the app, or a backup code.",
  access: "public",
  signsIn: "multi_factor",
  input: Input,
  output: Schema.Struct({ user: User }),
  errors: [InvalidRequest, InvalidToken, InvalidOtp],
  handler: Effect.fn("twoFactor.challenge")(function* (input) {
    const try_ = yield* tryOf(input)
    const attempt = Effect.gen(function* () {
      const { pending, user, app } = yield* standing(input.challenge_token)
      const changes = yield* try_(app, [missed(pending)])
      return yield* issue(user, [removeHeld(TwoFactorChallenges, pending), update(TwoFactors, app, changes)])
    })
    const issued = yield* decide(attempt)
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** One of the two codes is tried, never both. */
const tryOf = Effect.fnUntraced(function* ({ code, backup_code }: Input) {
  if (code !== undefined && backup_code === undefined)
    return (app: Held<TwoFactor>, missing: ReadonlyArray<Write>) => guess(app, code, missing)
  if (backup_code !== undefined && code === undefined)
    return (app: Held<TwoFactor>, missing: ReadonlyArray<Write>) => redeem(app, backup_code, missing)
  return yield* new InvalidRequest({ message: "code: expected either a code or a backup_code" })
})

/** A challenge that still holds: nothing about its user has changed since the first factor, and no gate has closed. */
const standing = Effect.fnUntraced(function* (token: string) {
  const store = yield* Store
  const found = yield* store.follow(TwoFactorChallenges, { hash: yield* tokenHash(kind, token) }, "user_id")
  if (Option.isNone(found)) return yield* new InvalidToken()
  const [pending, user] = found.value
  if (!DateTime.isLessThan(yield* DateTime.now, pending.row.expires_at)) return yield* new InvalidToken()

  yield* (yield* Gates).pass(user.row)
  const { user_revision } = pending.row
  if (user_revision !== null && user_revision !== user.revision) return yield* new InvalidToken()
  const app = yield* store.read(TwoFactors, { user_id: user.row.id })
  if (Option.isNone(app) || app.value.row.confirmed_at === null) return yield* new InvalidToken()
  return { pending, user, app: app.value }
})

const missed = (pending: Held<TwoFactorChallenge>): Write => {
  const failures = pending.row.failures + 1
  return failures < maxFailures ? update(TwoFactorChallenges, pending, { failures }) : removeHeld(TwoFactorChallenges, pending)
}
