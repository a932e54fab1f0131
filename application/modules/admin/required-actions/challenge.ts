import { Effect, Option, Schema } from "effect"
import { EmailNotVerified } from "../../../../domain/errors.ts"
import { type OpenedSession, Policies } from "../../../../domain/policies.ts"
import { remove } from "../../../../domain/ports/store.ts"
import * as Challenges from "../../../../domain/sign-in/challenges.ts"
import { requireVerifiedAddress } from "../../../../domain/sign-in/verification.ts"
import type { User } from "../../../../domain/users/user.ts"
import { isOpen, keyOf, RequiredActionName, RequiredActions, requiredOf } from "./table.ts"

/** The response to a sign-in of a user who has to do something first. */
const RequiredActionsChallenge = Schema.Struct({
  required_actions: Schema.Array(RequiredActionName).pipe(
    Schema.annotateKey({ description: "The first one is to be done with this token, or by the link of a mail for `verify_email`." }),
  ),
  two_factor_enrolment_required: Schema.optionalKey(Schema.Literal(true)),
  ...Challenges.ChallengeFields,
}).annotate({ identifier: "RequiredActionsChallenge" })

/** After all other challenges, requires what administrators have asked the user for. Endpoints of another module enrol factors. */
const challenge = Challenges.make({
  of: "every_sign_in",
  isLast: true,
  output: RequiredActionsChallenge,
  errors: [EmailNotVerified],
  answeredBy: (members) =>
    "two_factor_enrolment_required" in members ? Effect.map(Policies, ({ factorEnrolment }) => factorEnrolment) : Effect.undefined,
  ask: Effect.fnUntraced(function* askForActions(user: User) {
    const required_actions = yield* Effect.filter(yield* requiredOf(user.id), (action) => isOpen(user, action))
    if (required_actions.length === 0) return Option.none()
    if (required_actions[0] !== "enrol_factor") return Option.some({ required_actions })
    yield* requireVerifiedAddress(user)
    return Option.some({ required_actions, two_factor_enrolment_required: true as const })
  }),
})

/** Removes the rows of what the user has done, in the commit that opens the session. A hand-off has passed no challenge. */
const doneActions = Effect.fnUntraced(function* doneActions({ user, proof }: OpenedSession) {
  if (proof === "hand_off" || proof === "session") return { writes: [] }
  const done = yield* Effect.filter(yield* requiredOf(user.id), (action) => Effect.map(isOpen(user, action), (open) => !open))
  return { writes: done.map((action) => remove(RequiredActions, keyOf(user.id, action))) }
})

/** Every new password counts, such as one by a mailed link. */
const passwordDone = ({ id }: User) => [remove(RequiredActions, keyOf(id, "change_password"))]

/** The parts of the module that ask for required actions, and note what users have done. */
export const requiredActions = {
  challenge,
  sessionOpened: doneActions,
  passwordChanged: (user: User) => Effect.succeed(passwordDone(user)),
  // An account that returns to the owner of its address loses the password that was to be replaced.
  reclaims: [(user: User) => Effect.succeed({ writes: passwordDone(user), kept: [] })],
}
