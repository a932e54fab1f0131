import { Effect, Option, Schema } from "effect"
import { InvalidOtp, InvalidToken } from "../../../domain/errors.ts"
import { otherLinkRemovals } from "../../../domain/mail/mailed-tokens.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { revokeAll } from "../../../domain/sessions/sessions.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { resumeWith } from "../../../domain/sign-in/issuing.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { factorNotices } from "./emails.ts"
import { confirmation, Enrolment, newEnrolment } from "./enrolment.ts"
import type { TwoFactorSettings } from "./settings.ts"
import { TwoFactors } from "./tables.ts"

// Enrolment during a sign-in, before the session, if a factor is required (`required`).

/**
 * A pending sign-in of a user without a second factor. The token of a sign-in that waits for a code must not replace the app, nor add one to
 * codes that are sent.
 */
const pendingSignIn = Effect.fnUntraced(function* signInAwaitingEnrolment(challenge_token: string) {
  const pendingSignIn = yield* Challenges.pendingSignIn(challenge_token)
  const user_id = pendingSignIn.user.row.id
  if ((yield* (yield* Policies).factorsHeldBy(user_id)).second) return yield* new InvalidToken()
  const app = yield* (yield* Store).read(TwoFactors, { user_id })
  return { pendingSignIn, app }
})

export const enrol = (settings: TwoFactorSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/2fa/totp/enrol",
    name: "twoFactorTotpEnrol",
    summary: "Creates a secret for an authenticator app, and backup codes, for a sign-in that must enrol one first.",
    access: "public",
    input: Schema.Struct({ challenge_token: Schema.String }),
    output: Enrolment,
    errors: [InvalidToken],
    passesGates: true,
    handler: Effect.fnUntraced(function* twoFactorEnrol({ challenge_token }) {
      const { pendingSignIn: waiting, app: current } = yield* pendingSignIn(challenge_token)
      const { user } = waiting
      const { app, write } = yield* newEnrolment(settings, user.row, current)
      yield* (yield* Store).commit([check(Users, user), write])
      return Endpoint.reply(app)
    }, retryOnConflict),
  })

export const confirmEnrolment = Endpoint.make({
  method: "POST",
  path: "/2fa/totp/enrol/confirm",
  name: "twoFactorTotpEnrolConfirm",
  summary: "Enables the second factor with a first code of the app, ends the user's other sessions, and continues the sign-in.",
  access: "public",
  signsIn: "challenge",
  methods: ["otp"],
  input: Schema.Struct({ challenge_token: Schema.String, code: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [InvalidToken, InvalidOtp],
  handler: Effect.fnUntraced(function* twoFactorConfirmEnrolment({ challenge_token, code }) {
    const { pendingSignIn: waiting, app } = yield* pendingSignIn(challenge_token)
    if (Option.isNone(app)) return yield* new InvalidOtp()
    const confirmed = yield* confirmation(app.value, code)
    if (Option.isNone(confirmed)) {
      yield* (yield* Store).commit([Challenges.missed(waiting)])
      return yield* new InvalidOtp()
    }
    const { user } = waiting
    // Writes the user, so that a concurrent sign-in by one factor gets no session.
    const links = yield* otherLinkRemovals(user.row)
    const writes = [confirmed.value, ...(yield* revokeAll(user)), ...links, ...(yield* factorNotices(user.row, "enabled"))]
    const issued = yield* resumeWith(waiting, writes, "multi_factor")
    return Endpoint.reply({ user: issued.user }, issued)
  }, retryOnConflict),
})
