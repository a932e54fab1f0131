import { Schema } from "effect"

/** A secret text: faults and logs never show its value. */
export const hidden = (isValid: (text: string) => boolean, wanted: string) =>
  Schema.RedactedFromValue(
    Schema.String.check(Schema.makeFilter(isValid, { expected: wanted })).pipe(
      Schema.annotateKey({ messageMissingKey: `Expected ${wanted}` }),
    ),
  )
