import { Effect, Option, Schema } from "effect"
import { InvalidOtp, InvalidRequest, invalidMember } from "../../../domain/errors.ts"
import * as Codes from "../../../domain/limits/codes.ts"
import { remove } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { mayProve } from "../../../domain/sign-in/linked-accounts.ts"
import { credentialOf } from "../../../domain/sign-in/passwords.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"
import { isTestCode } from "../../../domain/users/test-users.ts"
import { hasAddressSince } from "../../../domain/users/user.ts"

/** A step-up by a code that the signed-in user requested for their own address. The code can then no longer be used to sign in. */
export const byMailedCode = (codes: Codes.CodeTable, signInCodes: Codes.CodeTable, settings: Codes.CodeSettings) =>
  StepUp.make({
    input: Schema.String,
    errors: [InvalidOtp, InvalidRequest],
    multi_factor: false,
    methods: ["otp"],
    prove: Effect.fnUntraced(function* proveByEmailCode({ email }, typed, renew) {
      yield* requireOwnMailbox
      const { user } = yield* CurrentSession
      if (!mayProve(user, { is_test: yield* isTestCode(email, typed) })) return yield* new InvalidOtp()
      return yield* Codes.guess(codes, settings, email, typed)((proof) => Effect.asSome(renew([proof, remove(signInCodes, email)])))
    }),
  })

/**
 * Refuses users who have a password, and users whose address is unverified or has changed since the sign-in. Otherwise an attacker with a
 * stolen session could change the address and prove the mailbox of the new one.
 */
const requireOwnMailbox = Effect.gen(function* () {
  const { session, user } = yield* CurrentSession
  if (Option.isSome(yield* credentialOf(user.id)))
    return yield* invalidMember("otp", "this account has a password. Send the password instead.")
  if (!user.email_verified || !hasAddressSince(user, session.authenticated_at))
    return yield* invalidMember("otp", "the address is not verified, or has changed since this sign-in. Sign in again.")
})
