import { Option, Result } from "effect"
import { InvalidRequest, PasswordTooLong, PasswordTooShort } from "../errors.ts"

/** The rules for new passwords. */
interface PasswordRules {
  /** In Unicode code points, like `max_password_length`. */
  readonly min_password_length: number
  readonly max_password_length: number
  /** Contains lowercased passwords. */
  readonly blocklist: { has(password: string): boolean }
}

/** The form of a password that is hashed: some keyboards produce `é` as one code point, others as two (RFC 8265 §4.2.1). */
const normalise = (password: string): string => password.normalize("NFC")

/** Limit on the code units that compose into one code point of a normalised password. No character needs that many. */
const unitsPerCodePoint = 8

/**
 * The maximum length of an existing password, in code points. A password from another system or from earlier settings can be longer than a
 * new one.
 */
const maxExistingLength = 512

/**
 * Normalises a password for sign-in. None for a text that is longer than any password: normalisation takes quadratic time in runs of
 * combining marks, so the length is checked first.
 */
export const normalisedForSignIn = (
  typed: string,
  { max_password_length }: Pick<PasswordRules, "max_password_length">,
): Option.Option<string> =>
  typed.length > unitsPerCodePoint * Math.max(maxExistingLength, max_password_length) ? Option.none() : Option.some(normalise(typed))

const codePoints = (text: string): number => Array.from(text).length

/** A new password in normalised form, or the rule that it breaks. */
export const check = (
  password: string,
  rules: PasswordRules,
): Result.Result<string, InstanceType<typeof PasswordTooShort | typeof PasswordTooLong | typeof InvalidRequest>> => {
  const { min_password_length: min, max_password_length: max } = rules
  const tooLong = () => Result.fail(new PasswordTooLong({ message: `The password may have at most ${max} characters.` }))
  if (password.length > unitsPerCodePoint * max) return tooLong()
  const normal = normalise(password)
  const length = codePoints(normal)
  if (length < min) return Result.fail(new PasswordTooShort({ message: `The password must have at least ${min} characters.` }))
  if (length > max) return tooLong()
  if (rules.blocklist.has(normal.toLowerCase()))
    return Result.fail(new InvalidRequest({ reason: "common_password", message: "This password is too common. Choose another." }))
  return Result.succeed(normal)
}
