import { Effect, Schema } from "effect"
import { InvalidCredentials, InvalidOtp, InvalidRequest } from "../../../../domain/errors.ts"
import { check, retryOnConflict } from "../../../../domain/ports/store.ts"
import { rereadSession } from "../../../../domain/sessions/sessions.ts"
import { checkPassword } from "../../../../domain/sign-in/passwords.ts"
import * as StepUp from "../../../../domain/sign-in/step-up.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { boundToSession, redeem } from "./codes.ts"
import { channels, isUsable, type SentMethod } from "./methods.ts"

/**
 * A step-up by the password and a sent code. The code alone would not do: the session may have been opened by a mailed code itself. The
 * code is checked first, so that a stolen session alone does not learn whether a password is right.
 */
export const byPasswordAndCode = (method: SentMethod) =>
  StepUp.make({
    input: Schema.Struct({ password: Schema.String, code: Schema.String }),
    errors: [InvalidOtp, InvalidCredentials, InvalidRequest],
    multi_factor: true,
    methods: ["pwd", channels[method].proves],
    prove: Effect.fnUntraced(function* proveByPasswordAndCode(_user, { password, code }, renew) {
      const { session, user } = yield* rereadSession
      if (!(yield* isUsable(method, user.row, "pwd"))) return yield* new InvalidOtp()
      const consumed = yield* redeem(yield* boundToSession(session.row, user), method, code)
      const { account } = yield* checkPassword(user.row.id, password)
      return yield* renew([consumed, check(Accounts, account)])
    }, retryOnConflict),
  })
