import { Schema, SchemaTransformation } from "effect"

/** Text that every database can hold: no NUL, no half of a surrogate pair. */
const storable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0"), { expected: "well-formed text" })

/** Text as somebody typed it; kept byte for byte. */
export const Text = Schema.String.check(storable)

/**
 * Addresses that the service makes up for users who came without one (`…@phone.service`, `…@siwe.local`, `provider:id`): nobody can sign
 * up with one or change to it, and nobody reads what is mailed there. An address that people have is without a colon.
 */
export const isSynthetic = (email: string): boolean => /@(phone\.service|siwe\.local)$|:/.test(email)

/** A part of a domain name between its dots (RFC 1035 §2.3.4). */
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

/** One `@`, nothing blank or unseen, a domain name; at most 64 characters before the `@` and 254 in all (RFC 5321 §4.5.3.1). */
const shape = new RegExp(`^(?=.{1,254}$)[^\\s@\\p{Cc}\\p{Cf}<>()[\\]\\\\,;:"]{1,64}@${label}(?:\\.${label})*$`, "u")

/** Marks are what some scripts write vowels with (RFC 5890). What looks like something else, or like nothing, is not in a domain name. */
const isUnicodeDomain = (text: string) =>
  /[^\0-\x7f]/.test(text) &&
  /^[\p{L}\p{M}\p{N}.-]{1,254}$/u.test(text) &&
  !/(^|\.)[\p{M}-]|-(\.|$)/u.test(text) &&
  !/\p{Default_Ignorable_Code_Point}/u.test(text) &&
  text === text.normalize("NFKC")

/**
 * An address with its domain as the DNS has it (`xn--…`): browsers turn what is typed into that, other clients do not, and both
 * are the same mailbox. What cannot be a domain is left, to be refused.
 */
const inAscii = (address: string) => {
  const [local, domain, ...rest] = address.split("@", 3)
  if (domain === undefined || rest.length > 0 || !isUnicodeDomain(domain)) return address
  return `${local}@${URL.parse(`https://${domain}`)?.hostname ?? domain}`
}

const isEmail = (text: string) => shape.test(text) && !isSynthetic(text) && !/^\.|\.\.|\.@/.test(text)

/** Longer texts are refused before they are lowercased: no address is as long, whatever blanks stand around it. */
const isShort = Schema.makeFilter((text: string) => text.length <= 1000, { expected: "an e-mail address" })

/** An e-mail address as people type it; trimmed, lowercased, and its domain put into ASCII, on the way in. */
export const Email = Schema.String.check(isShort, storable).pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.decode(SchemaTransformation.transform({ decode: inAscii, encode: (address) => address })),
  Schema.check(Schema.makeFilter(isEmail, { expected: "an e-mail address" })),
)

/** How much of a text counts when it is looked for: databases refuse to index much more. */
const searchedLength = 100

/** How much of a text is composed: four code points at most make one. Long runs of combining marks would take minutes. */
const composedLength = 4 * searchedLength

/** The beginning of a text, in code points. */
const beginning = (text: string, length: number): string =>
  Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join("")

/** A text in the form in which it is looked for by its beginning: in lower case, composed, without blanks before it. */
export const searchable = (text: string): string =>
  beginning(beginning(text.trimStart(), composedLength).normalize("NFC").toLowerCase(), searchedLength)
