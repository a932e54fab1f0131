import { Effect, Schema } from "effect"
import { type AuthError, InvalidOtp } from "../../../domain/errors.ts"
import type { Factor } from "../../../domain/policies.ts"
import {
  type Conflict,
  findEach,
  orFail,
  retryOnConflict,
  type Store,
  type Taken,
  update,
  type Versioned,
} from "../../../domain/ports/store.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"
import { guess, redeem } from "./codes.ts"
import { confirmedOf, isConfirmed, type TwoFactor, TwoFactors } from "./tables.ts"

/** A confirmed app, whose code every sign-in by one factor needs. */
export const app: Factor<Store> = {
  second: true,
  heldBy: (userIds) =>
    Effect.map(findEach(TwoFactors, userIds), (apps) => new Set([...apps.values()].filter(isConfirmed).map(({ user_id }) => user_id))),
}

/** A step-up by one of the user's codes, which `redeem` checks. */
const by = <R>(
  redeem: (
    app: Versioned<TwoFactor>,
    typed: string,
  ) => Effect.Effect<Partial<TwoFactor>, AuthError<"invalid_otp" | "rate_limited" | "overloaded"> | Conflict | Taken, R>,
) =>
  StepUp.make({
    input: Schema.String,
    errors: [InvalidOtp],
    multi_factor: true,
    methods: ["otp"],
    prove: Effect.fnUntraced(function* proveByCode({ id }, typed, renew) {
      const app = yield* orFail(confirmedOf(id), () => new InvalidOtp())
      return yield* renew([update(TwoFactors, app, yield* redeem(app, typed))])
    }, retryOnConflict),
  })

export const stepUps = { code: by(guess), backup_code: by(redeem) }
