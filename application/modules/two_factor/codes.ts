import { DateTime, Effect, Option } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { InvalidOtp, RateLimited } from "../../../domain/errors.ts"
import { Store, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { allowed, missed, noFailures, pauseOf } from "../../../domain/sign-in/lockout.ts"
import { counterBytes, stepAt, truncated } from "../../../domain/sign-in/totp.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import { appKeyPrefix, secretPurpose, type TwoFactor, TwoFactors } from "./tables.ts"

/** The length of a secret, bytes: that of the output of SHA-1, as RFC 4226 section 4 recommends. */
const secretBytes = 20

/** A new secret for an app, in the clear and encrypted. */
export const newSecret = Effect.gen(function* () {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(secretBytes)
  return { bytes, sealed: yield* (yield* Keys).seal(secretPurpose, Base64Url.encode(bytes)) }
})

const opened = Effect.fnUntraced(function* openedSecret(sealed: string) {
  return Option.flatMap(yield* (yield* Keys).open(secretPurpose, sealed), strictBase64Url)
})

/** The time steps before and after the current one whose codes are accepted, for inaccurate clocks. */
const drift = 1

/** Used steps are stored longer than they are accepted, since the clocks of instances differ. */
const remembered = 20

/** Encrypts the secret under the newest of the service's secrets. */
const renewed = Effect.fnUntraced(function* resealedSecret(secret: string) {
  return { secret: Option.getOrElse(yield* (yield* Keys).reseal(secretPurpose, secret), () => secret) }
})

/** The changes that consume a code of the app: it is accepted once. None for any other text. */
export const matchCode = Effect.fnUntraced(function* matchCode({ secret, used_steps }: TwoFactor, typed: string) {
  const bytes = yield* opened(secret)
  if (Option.isNone(bytes)) return Option.none()
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha1, bytes.value)
  const given = utf8.encode(typed.replace(/\s/g, ""))
  const now = stepAt(yield* DateTime.now)
  let step: number | undefined
  for (const each of [now, now - drift, now + drift]) {
    const right = utf8.encode(truncated(yield* mac.sign(key, counterBytes(each))))
    if (Mac.timingSafeEqual(right, given) && !used_steps.includes(each)) step ??= each
  }
  if (step === undefined) return Option.none()
  return Option.some({ used_steps: [...used_steps.filter((used) => used > now - remembered), step], ...(yield* renewed(secret)) })
}, Effect.orDie)

const utf8 = new TextEncoder()

/** The characters of backup codes, 5 bits each (Crockford's base32): without letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const groups = 5
const groupLength = 5

/**
 * The length of a backup code, 125 bits. The stored HMACs are fast to compute: an attacker with the key and the database could find shorter
 * codes by trying all of them (OWASP ASVS 6.5.2 requires 112 bits or a password hash).
 */
const codeLength = groups * groupLength

/** New backup codes, in the clear and hashed. */
export const newBackupCodes = Effect.fnUntraced(function* newBackupCodes(app: App, count: number) {
  const codes = yield* Effect.forEach(Array.from({ length: count }), () => newBackupCode)
  return { codes, hashes: yield* Effect.forEach(codes, (code) => Effect.map(hashOf(app, code), Option.getOrThrow)) }
})

const newBackupCode = Effect.gen(function* () {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(codeLength)
  const code = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("")
  return (code.match(inGroups) ?? []).join("-")
})

const inGroups = new RegExp(`.{${groupLength}}`, "g")

const bound = (user_id: string, typed: string) => `${user_id}:${plain(typed)}`

/** Accepts every spelling of a backup code: case, spaces, hyphens, and characters that look like digits. */
const plain = (typed: string) => typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0")

const backupPurpose = "two_factor/backup_code"

type App = Pick<TwoFactor, "user_id" | "secret">

/** Keyed by the app's own secret: with a key derived from the service's secret, a rotation of that secret would invalidate the codes. */
const hashOf = Effect.fnUntraced(function* hashOf({ user_id, secret }: App, code: string) {
  const bytes = yield* opened(secret)
  if (Option.isNone(bytes)) return Option.none()
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, bytes.value)
  const tag = yield* mac.sign(key, utf8.encode(`${backupPurpose}:${bound(user_id, code)}`))
  return Option.some(`${appKeyPrefix}${Base64Url.encode(tag)}`)
}, Effect.orDie)

/** The changes that consume a backup code. None for any other text. */
const matchBackupCode = Effect.fnUntraced(function* matchBackupCode(app: TwoFactor, typed: string) {
  const keys = yield* Keys
  const given = Option.map(yield* hashOf(app, typed), (text) => utf8.encode(text))
  for (const hash of app.backup_codes) {
    const matches = Option.isSome(given) && Mac.timingSafeEqual(utf8.encode(hash), given.value)
    // Codes of earlier versions are keyed by the service's secret.
    if (!matches && !(yield* keys.verify(backupPurpose, bound(app.user_id, typed), hash))) continue
    return Option.some({ backup_codes: app.backup_codes.filter((each) => each !== hash), ...(yield* renewed(app.secret)) })
  }
  return Option.none()
})

/**
 * Checks one guess at the code of an app, and returns the changes that consume the right one. A wrong guess is counted in one commit with
 * the writes `missing`. A new challenge does not reset the count, since a code has only a million values.
 */
export const guess = Effect.fnUntraced(function* guessCode(app: Versioned<TwoFactor>, typed: string, missing: ReadonlyArray<Write> = []) {
  const now = yield* DateTime.now
  const pause = pauseOf(app.row, now)
  if (pause > 0) return yield* new RateLimited({ retryAfter: pause, limit: allowed })
  const match = yield* matchCode(app.row, typed)
  if (Option.isSome(match)) return { ...noFailures, ...match.value }
  yield* (yield* Store).commit([...missing, update(TwoFactors, app, missed(app.row, now))])
  return yield* new InvalidOtp()
})

/** The same with a backup code. Backup codes cannot be guessed, so guesses at them are not counted; a count could lock out the owner. */
export const redeem = Effect.fnUntraced(function* redeemCode(app: Versioned<TwoFactor>, typed: string, missing: ReadonlyArray<Write> = []) {
  const match = yield* matchBackupCode(app.row, typed)
  if (Option.isSome(match)) return { ...noFailures, ...match.value }
  if (missing.length > 0) yield* (yield* Store).commit(missing)
  return yield* new InvalidOtp()
})
