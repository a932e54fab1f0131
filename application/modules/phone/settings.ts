import { Schema } from "effect"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { about } from "../../../domain/settings.ts"

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" })

/** Regions with a name that have no telephone numbers of their own, such as EU. */
const withoutNumbers = new Set("AQ BV CP CQ DG EA EU EZ GS HM IC PN QO TF UM UN XA XB ZZ".split(" "))

const isCountry = (code: string) => {
  if (!/^[A-Z]{2}$/.test(code) || withoutNumbers.has(code)) return false
  // The canonical form replaces codes that are not of ISO 3166-1, such as UK by GB.
  return new Intl.Locale(`und-${code}`).region === code && names.of(code) !== undefined
}

const Country = Schema.String.check(
  Schema.makeFilter(isCountry, { expected: "a country of ISO 3166-1 in two capital letters, such as DE or GB" }),
)

export const PhoneSettings = Schema.Struct({
  ...CodeSettings.fields,
  countries: Schema.optionalKey(Schema.NonEmptyArray(Country)).pipe(
    about(
      'The countries whose numbers are accepted, as codes of ISO 3166-1 (`["DE", "US"]`); other numbers are refused with `400 invalid_request` before anything is counted. Default: all.',
    ),
  ),
  default_country: Schema.optionalKey(Country).pipe(
    about("The country whose numbers can be entered without their calling code (`030 901820`); without it, they are refused."),
  ),
})
export type PhoneSettings = typeof PhoneSettings.Type
