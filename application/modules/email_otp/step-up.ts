import { Effect, Schema } from "effect"
import { InvalidOtp } from "../../../domain/errors.ts"
import { remove } from "../../../domain/ports/store.ts"
import * as Codes from "../../../domain/sign-in/codes.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"

/** A step-up by a code that the signed-in user requested for their own address. It then no longer signs in. */
export const byMailedCode = (codes: Codes.CodeTable, signInCodes: Codes.CodeTable, settings: Codes.CodeSettings) =>
  StepUp.make({
    input: Schema.String,
    errors: [InvalidOtp],
    multi_factor: false,
    prove: ({ email }, typed, renew) =>
      Codes.guess(codes, settings, email, typed)((proof) => Effect.asSome(renew([proof, remove(signInCodes, email)]))),
  })
