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
import { offeredBy } from "./sent-codes/methods.ts"
import { byPasswordAndCode } from "./sent-codes/step-up.ts"
import { factorTables } from "./sent-codes/tables.ts"
import type { TwoFactorSettings } from "./settings.ts"
import { confirmedOf, isConfirmed, type TwoFactor, TwoFactors } from "./tables.ts"

/** A confirmed app or, where they are offered, codes that are sent; one of which every sign-in by one factor needs. */
export const factorOf = (settings: TwoFactorSettings): Factor<Store> => ({
  second: true,
  heldBy: Effect.fnUntraced(function* heldByUsers(userIds: ReadonlyArray<string>) {
    const apps = yield* findEach(TwoFactors, userIds)
    const sent = yield* Effect.forEach(offeredBy(settings), (method) => findEach(factorTables[method], userIds))
    return new Set([...[...apps.values()].filter(isConfirmed).map(({ user_id }) => user_id), ...sent.flatMap((held) => [...held.keys()])])
  }),
})

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

/** The proofs for `POST /step-up`, by member. */
export const stepUpsOf = (settings: TwoFactorSettings): Readonly<Record<string, StepUp.StepUp<any>>> => ({
  code: by(guess),
  backup_code: by(redeem),
  ...Object.fromEntries(offeredBy(settings).map((method) => [`${method}_code`, byPasswordAndCode(method)])),
})
