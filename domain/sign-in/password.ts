import { Option, Result } from "effect"
import { InvalidRequest, PasswordTooLong, PasswordTooShort } from "../errors.ts"

/** What a new password has to be like. */
interface PasswordRules {
  /** In Unicode code points, as is the maximum. */
  readonly min_password_length: number
  readonly max_password_length: number
  /** Asked for the lowercased password. */
  readonly blocklist: { has(password: string): boolean }
}

/** The one form of a password that is hashed: keyboards differ in whether `é` is one code point or two (RFC 8265 §4.2.1). */
const normalise = (password: string): string => password.normalize("NFC")

/** The most code units that one code point of a normalised password may be typed as; no letter is composed of as many. */
const unitsPerCodePoint = 8

/** In code points: passwords that were set in other systems, or under other settings, may be longer than new ones. */
const longestKept = 512

/**
 * The normalised form of a password that somebody signs in with; none for a text that is longer than any password. The time that
 * normalising takes grows with the square of a run of combining marks, so that the length is judged first.
 */
export const presented = (typed: string, { max_password_length }: Pick<PasswordRules, "max_password_length">): Option.Option<string> =>
  typed.length > unitsPerCodePoint * Math.max(longestKept, max_password_length) ? Option.none() : Option.some(normalise(typed))

const codePoints = (text: string): number => Array.from(text).length

/** A new password in normalised form, or the rule that it breaks. */
export const check = (
  password: string,
  rules: PasswordRules,
): Result.Result<string, InstanceType<typeof PasswordTooShort | typeof PasswordTooLong | typeof InvalidRequest>> => {
  const { min_password_length: least, max_password_length: most } = rules
  const tooLong = () => Result.fail(new PasswordTooLong({ message: `The password may have at most ${most} characters.` }))
  if (password.length > unitsPerCodePoint * most) return tooLong()
  const normal = normalise(password)
  const length = codePoints(normal)
  if (length < least) return Result.fail(new PasswordTooShort({ message: `The password has to have at least ${least} characters.` }))
  if (length > most) return tooLong()
  if (rules.blocklist.has(normal.toLowerCase()))
    return Result.fail(new InvalidRequest({ message: "This password is too common. Choose another." }))
  return Result.succeed(normal)
}
