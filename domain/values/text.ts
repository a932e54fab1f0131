import { Option, Schema, SchemaTransformation } from "effect"

/** Text that every supported database can store: no NUL, no unpaired surrogate. */
const storable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0"), { expected: "well-formed text" })

/** Text as the user typed it, not normalised. */
export const Text = Schema.String.check(storable)

/** Whether a text is a well-formed language tag (BCP 47). */
export const isLanguageTag = (text: string): boolean => /^[A-Za-z0-9-]{2,35}$/.test(text) && canonicalTags(text).length === 1

const canonicalTags = (tag: string) => {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}

/**
 * Whether the service generated this address for a user who signed up without one (`…@phone.service`, `…@siwe.local`, `provider:id`).
 * Users cannot sign up with such an address or change to it, and no mail is sent to it. Real addresses contain no colon.
 */
export const isSynthetic = (email: string): boolean => /@(phone\.service|siwe\.local)$|:/.test(email)

/** A part of a domain name between its dots (RFC 1035 §2.3.4). */
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

/** One `@`, no blanks or invisible characters, a domain name; at most 64 characters before the `@` and 254 in all (RFC 5321 §4.5.3.1). */
const shape = new RegExp(`^(?=.{1,254}$)[^\\s@\\p{Cc}\\p{Cf}<>()[\\]\\\\,;:"]{1,64}@${label}(?:\\.${label})*$`, "u")

/** Allows combining marks, which some scripts use for vowels (RFC 5890). Rejects invisible characters and compatibility look-alikes. */
const isUnicodeDomain = (text: string) =>
  /[^\0-\x7f]/.test(text) &&
  /^[\p{L}\p{M}\p{N}.-]{1,254}$/u.test(text) &&
  !/(^|\.)[\p{M}-]|-(\.|$)/u.test(text) &&
  !/\p{Default_Ignorable_Code_Point}/u.test(text) &&
  text === text.normalize("NFKC")

/**
 * The address with its domain in the ASCII form of the DNS (`xn--…`). Browsers convert what the user types, other clients do not, and
 * both spellings name the same mailbox. An invalid domain stays unchanged, and the check that follows rejects it.
 */
const inAscii = (address: string) => {
  const [local, domain, ...rest] = address.split("@", 3)
  if (domain === undefined || rest.length > 0 || !isUnicodeDomain(domain)) return address
  return `${local}@${URL.parse(`https://${domain}`)?.hostname ?? domain}`
}

const isEmail = (text: string) => shape.test(text) && !isSynthetic(text) && !/^\.|\.\.|\.@/.test(text)

/** Rejects long texts before they are lowercased. The limit leaves room for surrounding blanks. */
const isShort = Schema.makeFilter((text: string) => text.length <= 1000, { expected: "an email address" })

/** The text with its ASCII letters in lower case. `toLowerCase` also maps the Kelvin sign to `k`, so that another name would match. */
export const lowercased = (text: string): string => text.replace(/[A-Z]/g, (capital) => capital.toLowerCase())

/** Rejects the Kelvin sign: it would be lowercased to `k`, and so be the address of another mailbox. */
const staysItself = Schema.makeFilter((text: string) => !text.includes("\u212a"), { expected: "an email address" })

/** An email address. Decoding trims and lowercases it and converts its domain to ASCII. */
export const Email = Schema.String.annotate({ format: "email" })
  .check(isShort, storable, staysItself)
  .pipe(
    Schema.decode(SchemaTransformation.trim()),
    Schema.decode(SchemaTransformation.toLowerCase()),
    Schema.decode(SchemaTransformation.transform({ decode: inAscii, encode: (address) => address })),
    Schema.check(Schema.makeFilter(isEmail, { expected: "an email address" })),
  )

const decodeEmail = Schema.decodeUnknownOption(Email)

/** What a user typed to name a user by their address, as addresses are stored. Also for synthetic addresses, which are no `Email`. */
export const addressTyped = (typed: string): string => Option.getOrElse(decodeEmail(typed), () => lowercased(typed.trim()))

/** Code points of a text that are indexed for prefix search: databases reject much longer index entries. */
const searchedLength = 100

/** Code points of a text that are normalised. Up to four compose into one; normalising long runs of combining marks would take minutes. */
const composedLength = 4 * searchedLength

/** The first `length` code points of a text. */
const prefixOf = (text: string, length: number): string =>
  Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join("")

/** The form in which prefix search compares texts: lower case, NFC, without leading blanks. */
export const searchable = (text: string): string =>
  prefixOf(prefixOf(text.trimStart(), composedLength).normalize("NFC").toLowerCase(), searchedLength)

/** The last of several words, as prefix search compares it; null for a single word, which the whole text begins with. */
export const searchableLastWord = (text: string): string | null => {
  const words = text.trim().split(/\s+/)
  return words.length < 2 ? null : searchable(words.at(-1) ?? "")
}

/** The domain of an address, as prefix search compares it. */
export const searchableDomain = (address: string): string => searchable(address.slice(address.lastIndexOf("@") + 1))

/** The beginning of a domain that a user typed behind `@`. A whole one in another script is converted to ASCII, as addresses are stored. */
export const domainTyped = (typed: string): string => searchableDomain(inAscii(`a@${typed.trim()}`))
