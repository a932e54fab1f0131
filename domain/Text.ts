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

/** A part of a domain name between its dots; marks are what some scripts write vowels with (RFC 1035 §2.3.4, RFC 5890). */
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"

/** One `@`, nothing blank or unseen, a domain name; at most 64 characters before the `@` and 254 in all (RFC 5321 §4.5.3.1). */
const shape = new RegExp(`^(?=.{1,254}$)[^\\s@\\p{Cc}\\p{Cf}<>()[\\]\\\\,;:"]{1,64}@${label}(?:\\.${label})*$`, "u")

const isEmail = (text: string) => shape.test(text) && !isSynthetic(text) && !/^\.|\.\.|\.@/.test(text)

/** An e-mail address as people type it, trimmed and lowercased on the way in. */
export const Email = Schema.String.check(storable).pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.check(Schema.makeFilter(isEmail, { expected: "an e-mail address" })),
)

/** How much of a text counts when it is looked for: databases refuse to index much more. */
const searchedLength = 100

/** A text in the form in which it is looked for by its beginning: in lower case, composed, without blanks before it. */
export const searchable = (text: string): string =>
  Array.from(text.trimStart().normalize("NFC").toLowerCase()).slice(0, searchedLength).join("")
