import { Effect, Schema } from "effect"
import { InvalidOtp } from "../../../domain/Errors.ts"
import * as Codes from "../../Codes.ts"
import * as StepUp from "../../StepUp.ts"

/** A step-up by a code that was mailed to the user's own address. */
export const byMailedCode = (codes: Codes.CodeTable, settings: Codes.CodeSettings) =>
  StepUp.make({
    input: Schema.String,
    errors: [InvalidOtp],
    multi_factor: false,
    prove: ({ email }, typed, renew) => Codes.guess(codes, settings, email, typed)((proof) => Effect.asSome(renew([proof]))),
  })
