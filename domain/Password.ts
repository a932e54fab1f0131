import { Result } from "effect"
import { InvalidRequest, PasswordTooLong, PasswordTooShort } from "./Errors.ts"

/** What a new password has to be like. */
export interface PasswordRules {
  /** In Unicode code points, as is the maximum. */
  readonly min_password_length: number
  readonly max_password_length: number
  /** Asked for the lowercased password. */
  readonly blocklist: { has(password: string): boolean }
}

/** The one form of a password that is hashed: keyboards differ in whether `é` is one code point or two (RFC 8265 §4.2.1). */
export const normalise = (password: string): string => password.normalize("NFC")

const codePoints = (text: string): number => Array.from(text).length

/** A new password in normalised form, or the rule that it breaks. */
export const check = (
  password: string,
  rules: PasswordRules,
): Result.Result<string, InstanceType<typeof PasswordTooShort | typeof PasswordTooLong | typeof InvalidRequest>> => {
  const normal = normalise(password)
  const length = codePoints(normal)
  if (length < rules.min_password_length) return Result.fail(new PasswordTooShort())
  if (length > rules.max_password_length) return Result.fail(new PasswordTooLong())
  if (rules.blocklist.has(normal.toLowerCase()))
    return Result.fail(new InvalidRequest({ message: "This password is too common. Choose another." }))
  return Result.succeed(normal)
}
