import { Effect, Option, Schema } from "effect"
import { EmailNotVerified, InvalidOtp, InvalidToken, invalidMember } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { orFail, retryOnConflict, update } from "../../../domain/ports/store.ts"
import type { Authentication } from "../../../domain/sessions/sign-in.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { resume } from "../../../domain/sign-in/issuing.ts"
import { shownMethods } from "../../../domain/sign-in/sign-in-start.ts"
import { requireVerifiedAddress } from "../../../domain/sign-in/verification.ts"
import { type StoredUser, User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { isRemembered, remember } from "./browsers.ts"
import { guess, redeem } from "./codes.ts"
import { SecondFactorUnavailable } from "./errors.ts"
import { guess as guessSent } from "./sent-codes/codes.ts"
import { channels, isOn, isUsable, maskedRecipient, offeredBy, type SentMethod, sentMethods } from "./sent-codes/methods.ts"
import type { TwoFactorSettings } from "./settings.ts"
import { confirmedOf, TwoFactors } from "./tables.ts"

const appMethods = ["totp", "backup_code"] as const

/** The response to a sign-in of a user with a second factor. */
export const TwoFactorChallenge = Schema.Struct({
  two_factor_required: Schema.Literal(true),
  methods: Schema.Array(Schema.Literals([...appMethods, ...sentMethods]).annotate({ identifier: "TwoFactorMethod" })),
  code_recipients: Schema.optionalKey(
    Schema.Struct({ email: Schema.optionalKey(Schema.String), sms: Schema.optionalKey(Schema.String) }).annotate({
      description: "Where `POST /2fa/codes/send` sends a code, masked, by method; absent without such a method.",
    }),
  ),
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

/** After a sign-in with a single factor, requires a code from users with a second factor. */
const askForCode = (settings: TwoFactorSettings) => {
  const days = settings.remember_browser?.days
  return Effect.fnUntraced(function* askForCode(user: StoredUser, authentication: Authentication) {
    if (authentication !== "single_factor") return Option.none()
    const hasApp = Option.isSome(yield* confirmedOf(user.id))
    const sent = yield* sentMethodsOf(settings, user)
    if (!hasApp && sent.length === 0) return Option.none()
    const proved = yield* shownMethods
    const usable = yield* Effect.filter(sent, (method) => isUsable(method, user, proved))
    if (!hasApp && usable.length === 0) return yield* withoutMethod(settings, user)
    return Option.some({
      two_factor_required: true as const,
      methods: [...(hasApp ? appMethods : []), ...usable],
      ...(usable.length === 0 ? {} : { code_recipients: yield* recipientsOf(usable, user) }),
      ...(days === undefined ? {} : { remember_browser_days: days }),
    })
  })
}

/** The methods with sent codes that the user has turned on. */
const sentMethodsOf = (settings: TwoFactorSettings, { id }: User) => Effect.filter(offeredBy(settings), (method) => isOn(method, id))

/** Refuses a sign-in that no factor of the user can complete, unless the browser is remembered. */
const withoutMethod = Effect.fnUntraced(function* withoutMethod({ remember_browser }: TwoFactorSettings, { id }: User) {
  if (remember_browser !== undefined && (yield* isRemembered(id))) return Option.none()
  return yield* new SecondFactorUnavailable()
})

const recipientsOf = Effect.fnUntraced(function* recipientsOf(methods: ReadonlyArray<SentMethod>, user: StoredUser) {
  const recipients = yield* Effect.forEach(methods, (method) => Effect.map(maskedRecipient(method, user), (masked) => [method, masked]))
  return Object.fromEntries(recipients)
})

/** The errors of the challenge: none where only apps are offered. */
const errorsOf = (settings: TwoFactorSettings) => (offeredBy(settings).length === 0 ? [] : [SecondFactorUnavailable])

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
  Challenges.make({ of: "single_factor", output: TwoFactorChallenge, errors: errorsOf(settings), ask: askForCode(settings) })

const asksForFactor = (settings: TwoFactorSettings) => {
  const askHolders = askForCode(settings)
  return Challenges.make({
    of: "every_sign_in",
    output: Schema.Union([TwoFactorChallenge, TwoFactorEnrolmentChallenge]),
    errors: [EmailNotVerified, ...errorsOf(settings)],
    ask: Effect.fnUntraced(function* askForSecondFactor(user: StoredUser, authentication: Authentication) {
      const challenge = yield* askHolders(user, authentication)
      return Option.isSome(challenge) ? challenge : yield* askToEnrol(user, settings.required)
    }),
  })
}

export const challenger = (settings: TwoFactorSettings) => (settings.required === "none" ? asksForCode(settings) : asksForFactor(settings))

const sentCode = Schema.optionalKey(Schema.String.annotate({ description: "A code of `POST /2fa/codes/send`." }))

const Input = Schema.Struct({
  challenge_token: Schema.String,
  code: Schema.optionalKey(Schema.String),
  backup_code: Schema.optionalKey(Schema.String),
  email_code: sentCode,
  sms_code: sentCode,
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
    summary: "Completes a sign-in with the second factor: a code of the app, a backup code, or a sent code.",
    access: "public",
    signsIn: "challenge",
    input: Input,
    output: Schema.Struct({ user: User }),
    errors: [InvalidToken, InvalidOtp],
    handler: Effect.fnUntraced(function* twoFactorChallenge(input) {
      const { consume, proves } = yield* checkOf(input)
      const pendingSignIn = yield* Challenges.pendingSignIn(input.challenge_token)
      const consumed = yield* consume(pendingSignIn)
      const user_id = pendingSignIn.user.row.id
      const remembered = input.remember_browser && remembering !== undefined ? yield* remember(user_id, remembering.days) : notRemembered
      const issued = yield* resume(pendingSignIn, [...consumed, ...remembered.writes], "multi_factor", [proves])
      return { ...Endpoint.reply({ user: issued.user }, issued), cookies: remembered.cookies }
    }, retryOnConflict),
  })

const notRemembered = { writes: [], cookies: [] }

/** The check of the one code that the input has, which returns the writes that consume it, and the method that the code proves. */
const checkOf = Effect.fnUntraced(function* checkOf(input: Input) {
  const given = kinds.filter((kind) => input[kind] !== undefined)
  const [kind] = given
  if (kind === undefined || given.length > 1) return yield* invalidMember("code", "expected either a code or a backup_code")
  const typed = input[kind] ?? ""
  const method = sentMethods.find((each) => kind === `${each}_code`)
  if (method !== undefined)
    return { proves: channels[method].proves, consume: (pending: Challenges.PendingSignInOfUser) => bySentCode(method, pending, typed) }
  const checkCode = kind === "code" ? guess : redeem
  return { proves: "otp" as const, consume: (pending: Challenges.PendingSignInOfUser) => byApp(checkCode, pending, typed) }
})

const kinds = ["code", "backup_code", ...sentMethods.map((method) => `${method}_code` as const)] as const

const byApp = Effect.fnUntraced(function* byApp(
  checkCode: typeof guess | typeof redeem,
  pending: Challenges.PendingSignInOfUser,
  typed: string,
) {
  const app = yield* orFail(confirmedOf(pending.user.row.id), () => new InvalidToken())
  return [update(TwoFactors, app, yield* checkCode(app, typed, [Challenges.missed(pending)]))]
})

const bySentCode = Effect.fnUntraced(function* bySentCode(method: SentMethod, waiting: Challenges.PendingSignInOfUser, typed: string) {
  const { pending, user } = waiting
  if (!(yield* isUsable(method, user.row, pending.row.methods))) return yield* new InvalidToken()
  return yield* guessSent(waiting, method, typed)
})
