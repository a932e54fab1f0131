import { Schema, SchemaTransformation } from "effect"

/** Text that every database can hold: no NUL, no half of a surrogate pair. */
const storable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0"), { expected: "well-formed text" })

/** Text as somebody typed it; kept byte for byte. */
export const Text = Schema.String.check(storable)

/** Addresses that the service makes up for users who came without one; nobody can sign up with, or change to, such an address. */
const synthetic = /@(phone\.service|siwe\.local)$/

/** One `@`, no blanks or control characters, a domain of letters, digits, dots and hyphens; at most 254 characters (RFC 5321 §4.5.3.1). */
const shape =
  /^[^\s@\p{Cc}<>()[\]\\,;:"]{1,64}@(?=.{1,189}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u

const isEmail = (text: string) => shape.test(text) && !synthetic.test(text) && !/^\.|\.\.|\.@/.test(text)

/** An e-mail address as people type it, trimmed and lowercased on the way in. */
export const Email = Schema.String.check(storable).pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.check(Schema.makeFilter(isEmail, { expected: "an e-mail address" })),
)
