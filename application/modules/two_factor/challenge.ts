import { Effect, Option, Schema } from "effect"
import { EmailNotVerified, InvalidOtp, InvalidToken, invalidMember } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { orFail, retryOnConflict, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import type { Authentication } from "../../../domain/sessions/sign-in.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { resume } from "../../../domain/sign-in/issuing.ts"
import { requireVerifiedAddress } from "../../../domain/sign-in/verification.ts"
import { type StoredUser, User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { remember } from "./browsers.ts"
import { guess, redeem } from "./codes.ts"
import type { TwoFactorSettings } from "./settings.ts"
import { confirmedOf, type TwoFactor, TwoFactors } from "./tables.ts"

const methods = ["totp", "backup_code"] as const

/** The response to a sign-in of a user with a second factor. */
export const TwoFactorChallenge = Schema.Struct({
  two_factor_required: Schema.Literal(true),
  methods: Schema.Array(Schema.Literals(methods).annotate({ identifier: "TwoFactorMethod" })),
  remember_browser_days: Schema.optionalKey(
    Schema.Int.annotate({ description: "For how many days the answer can have the browser remembered; absent if it cannot." }),
  ),
  ...Challenges.ChallengeFields,
}).annotate({ identifier: "TwoFactorChallenge" })

/** The response to a sign-in of a user without a factor where one is required. */
export const TwoFactorEnrolmentChallenge = Schema.Struct({
  two_factor_enrolment_required: Schema.Literal(true),
  ...Challenges.ChallengeFields,
}).annotate({ identifier: "TwoFactorEnrolmentChallenge" })

/** After a sign-in with a single factor, requires a code from users with a confirmed app. */
const askForCode = ({ remember_browser }: TwoFactorSettings) => {
  const body = {
    two_factor_required: true as const,
    methods,
    ...(remember_browser === undefined ? {} : { remember_browser_days: remember_browser.days }),
  }
  return Effect.fnUntraced(function* askForCode(user: User, authentication: Authentication) {
    if (authentication !== "single_factor") return Option.none()
    return Option.map(yield* confirmedOf(user.id), () => body)
  })
}

/** After any sign-in, requires users without the required factor to enrol one; guests after they have proved an address. */
const askToEnrol = Effect.fnUntraced(function* askToEnrol(user: StoredUser, required: TwoFactorSettings["required"]) {
  if (user.is_guest) return Option.none()
  if (required === "admins" && (yield* (yield* Policies).granted(user)).length === 0) return Option.none()
  const { any } = yield* (yield* Policies).factorsHeldBy(user.id)
  if (any) return Option.none()
  yield* requireVerifiedAddress(user)
  return Option.some({ two_factor_enrolment_required: true as const })
})

const asksForCode = (settings: TwoFactorSettings) =>
  Challenges.make({ of: "single_factor", output: TwoFactorChallenge, ask: askForCode(settings) })

const asksForFactor = (settings: TwoFactorSettings) => {
  const askHolders = askForCode(settings)
  return Challenges.make({
    of: "every_sign_in",
    output: Schema.Union([TwoFactorChallenge, TwoFactorEnrolmentChallenge]),
    errors: [EmailNotVerified],
    ask: Effect.fnUntraced(function* askForSecondFactor(user: StoredUser, authentication: Authentication) {
      const challenge = yield* askHolders(user, authentication)
      return Option.isSome(challenge) ? challenge : yield* askToEnrol(user, settings.required)
    }),
  })
}

export const challenger = (settings: TwoFactorSettings) => (settings.required === "none" ? asksForCode(settings) : asksForFactor(settings))

const Input = Schema.Struct({
  challenge_token: Schema.String,
  code: Schema.optionalKey(Schema.String),
  backup_code: Schema.optionalKey(Schema.String),
  remember_browser: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether later sign-ins in this browser need no second factor; without effect unless the service offers it.",
    }),
  ),
})
type Input = typeof Input.Type

export const challenge = ({ remember_browser: remembering }: TwoFactorSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/2fa/totp/challenge",
    name: "twoFactorTotpChallenge",
    summary: "Completes a sign-in with the second factor: a code of the app, or a backup code.",
    access: "public",
    signsIn: "challenge",
    methods: ["otp"],
    input: Input,
    output: Schema.Struct({ user: User }),
    errors: [InvalidToken, InvalidOtp],
    handler: Effect.fnUntraced(function* twoFactorChallenge(input) {
      const checkCode = yield* codeCheckOf(input)
      const pendingSignIn = yield* Challenges.pendingSignIn(input.challenge_token)
      const user_id = pendingSignIn.user.row.id
      const app = yield* orFail(confirmedOf(user_id), () => new InvalidToken())
      const changes = yield* checkCode(app, [Challenges.missed(pendingSignIn)])
      const remembered = input.remember_browser && remembering !== undefined ? yield* remember(user_id, remembering.days) : notRemembered
      const issued = yield* resume(pendingSignIn, [update(TwoFactors, app, changes), ...remembered.writes], "multi_factor")
      return { ...Endpoint.reply({ user: issued.user }, issued), cookies: remembered.cookies }
    }, retryOnConflict),
  })

const notRemembered = { writes: [], cookies: [] }

/** The check of the one code that the input has: of the app, or a backup code. */
const codeCheckOf = Effect.fnUntraced(function* codeCheckOf({ code, backup_code }: Input) {
  if (code !== undefined && backup_code === undefined)
    return (app: Versioned<TwoFactor>, missing: ReadonlyArray<Write>) => guess(app, code, missing)
  if (backup_code !== undefined && code === undefined)
    return (app: Versioned<TwoFactor>, missing: ReadonlyArray<Write>) => redeem(app, backup_code, missing)
  return yield* invalidMember("code", "expected either a code or a backup_code")
})
