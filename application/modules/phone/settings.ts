import { Schema } from "effect"
import { CodeSettings } from "../../../domain/limits/codes.ts"

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
  /** The countries whose numbers are accepted (ISO 3166-1 alpha-2). Without it, numbers of all countries are. */
  countries: Schema.optionalKey(Schema.NonEmptyArray(Country)),
  /**
   * The country whose numbers can be entered without their calling code. With it, numbers are stored in the form of ITU-T E.164. Without
   * it, such numbers are refused.
   */
  default_country: Schema.optionalKey(Country),
})
export type PhoneSettings = typeof PhoneSettings.Type
