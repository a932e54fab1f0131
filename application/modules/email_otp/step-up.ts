import { Effect, Schema } from "effect"
import { InvalidOtp } from "../../../domain/errors.ts"
import * as Codes from "../../../domain/sign-in/codes.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"

/** A step-up by a code that was mailed to the user's own address. */
export const byMailedCode = (codes: Codes.CodeTable, settings: Codes.CodeSettings) =>
  StepUp.make({
    input: Schema.String,
    errors: [InvalidOtp],
    multi_factor: false,
    prove: ({ email }, typed, renew) => Codes.guess(codes, settings, email, typed)((proof) => Effect.asSome(renew([proof]))),
  })
