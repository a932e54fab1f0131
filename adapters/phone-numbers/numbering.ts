import { Option } from "effect"
import { type CountryCode, isSupportedCountry, type PhoneNumber as Parsed, parsePhoneNumberFromString } from "libphonenumber-js/min"
import metadata from "libphonenumber-js/min/metadata"
import type { PhoneNumber } from "../../domain/ports/phone-numbers.ts"

/** What people write between the digits of a number, and characters that are not visible. */
const separators = /[\s()./\p{Pd}\u2212]|\p{Default_Ignorable_Code_Point}/gu

/** No number has more digits (ITU-T E.164 §6.1), so further digits make no other number. */
const maxDigits = 15

/**
 * Reads a number. The text may have only digits, separators and a plus sign: networks and gateways take letters, `,`, `;`, `*` and `#` for
 * an extension or a pause, so that each suffix would be another spelling of the same number.
 */
export const read = (typed: string, country?: string): Option.Option<PhoneNumber> => {
  const text = typed.normalize("NFKC").replace(separators, "")
  if (!/^\+?\p{Nd}+$/u.test(text)) return Option.none()
  return text.startsWith("+") ? international(text) : national(text, country)
}

const international = (text: string): Option.Option<PhoneNumber> => {
  const parsed = parsePhoneNumberFromString(text, { extract: false })
  if (parsed !== undefined) return Option.some(numberOf(parsed))
  return /^\+[1-9]\d*$/.test(text) ? Option.some({ e164: cut(text), grouped: cut(text), country: "unknown" }) : Option.none()
}

const national = (text: string, country: string | undefined): Option.Option<PhoneNumber> => {
  if (country === undefined || !isSupportedCountry(country)) return Option.none()
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false })
  return parsed?.isPossible() ? Option.some(numberOf(parsed)) : Option.none()
}

const cut = (e164: string) => e164.slice(0, "+".length + maxDigits)

const numberOf = (parsed: Parsed): PhoneNumber => {
  const { number, country, countryCallingCode } = parsed
  const e164 = cut(number)
  return {
    e164,
    grouped: e164 === number ? parsed.formatInternational().replaceAll(" ", "\u00a0") : e164,
    country: country ?? mainCountry(countryCallingCode) ?? `+${countryCallingCode}`,
  }
}

/** The country with most numbers of a calling code; an area code that no country uses counts for it. None for services such as `+800`. */
const mainCountry = (callingCode: Parsed["countryCallingCode"]): CountryCode | undefined => {
  const [main] = metadata.country_calling_codes[callingCode] ?? []
  return main !== undefined && isSupportedCountry(main) ? main : undefined
}
