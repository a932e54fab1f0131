import { DateTime, Effect, Option } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { InvalidOtp, RateLimited } from "../../../domain/errors.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Store, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { allowed, missed, noFailures, pauseOf } from "../../../domain/sign-in/lockout.ts"
import { counterBytes, stepAt, truncated } from "../../../domain/sign-in/totp.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import { appKeyPrefix, secretPurpose, slowPrefix, type TwoFactor, TwoFactors } from "./tables.ts"

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
const groupLength = 5
/** Characters of a backup code, which a person can type on a phone. The store has slow hashes, because short codes can be tried (ASVS 6.5.2). */
const codeLength = 2 * groupLength
/** The first characters of a code are its name among those of its user, so that a guess needs one slow hash. The others are secret, 40 bits. */
const nameLength = 2

/** New backup codes, in the clear and hashed. */
export const newBackupCodes = Effect.fnUntraced(function* newBackupCodes(app: App, count: number) {
  const byName = new Map<string, string>()
  while (byName.size < count) {
    const code = yield* newBackupCode
    byName.set(nameOf(code), code)
  }
  const codes = [...byName.values()]
  return { codes: codes.map((code) => code.replace(inGroups, "$&-")), hashes: yield* Effect.forEach(codes, (code) => hashOf(app, code)) }
})

const inGroups = new RegExp(`^.{${groupLength}}`)

const newBackupCode = Effect.gen(function* () {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(codeLength)
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("")
})

const nameOf = (code: string) => code.slice(0, nameLength)

/** Accepts every spelling of a backup code: case, spaces, hyphens, and characters that look like digits. */
const plain = (typed: string) => typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0")

const backupPurpose = "two_factor/backup_code"

type App = Pick<TwoFactor, "user_id" | "secret">

/** Keyed by the app's own secret: with a key derived from the service's secret, a rotation of that secret would invalidate the codes. */
const macOf = Effect.fnUntraced(function* macOfCode({ user_id, secret }: App, code: string) {
  const bytes = yield* opened(secret)
  if (Option.isNone(bytes)) return Option.none()
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, bytes.value)
  return Option.some(Base64Url.encode(yield* mac.sign(key, utf8.encode(`${backupPurpose}:${user_id}:${code}`))))
}, Effect.orDie)

const prefixOf = (code: string) => `${slowPrefix}${nameOf(code)}:`

/** A slow hash of the code's HMAC: an attacker with the database alone could not even begin to try codes. */
const hashOf = Effect.fnUntraced(function* hashOf(app: App, code: string) {
  const mac = Option.getOrThrow(yield* macOf(app, code))
  return `${prefixOf(code)}${yield* (yield* PasswordHasher).hash(mac)}`
})

/** The stored hash of a typed code. Undefined for any other text, after the same work. */
const matching = Effect.fnUntraced(function* matchingHash(app: TwoFactor, code: string) {
  const mac = yield* macOf(app, code)
  if (Option.isNone(mac)) return undefined
  const early = yield* matchingEarly(app, code, mac.value)
  if (early !== undefined) return early
  const prefix = prefixOf(code)
  const named = app.backup_codes.find((hash) => hash.startsWith(prefix))
  const { correct } = yield* (yield* PasswordHasher).verify(mac.value, named?.slice(prefix.length) ?? null)
  return correct ? named : undefined
})

/** The same for the codes of earlier versions: of 125 bits with the HMAC, or keyed by the service's secret. */
const matchingEarly = Effect.fnUntraced(function* matchingEarlyHash({ user_id, backup_codes }: TwoFactor, code: string, mac: string) {
  const keys = yield* Keys
  const given = utf8.encode(`${appKeyPrefix}${mac}`)
  for (const hash of backup_codes.filter((each) => !each.startsWith(slowPrefix)))
    if (Mac.timingSafeEqual(utf8.encode(hash), given) || (yield* keys.verify(backupPurpose, `${user_id}:${code}`, hash))) return hash
  return undefined
})

/** The changes that consume a backup code. None for any other text. */
const matchBackupCode = Effect.fnUntraced(function* matchBackupCode(app: TwoFactor, typed: string) {
  const hash = yield* matching(app, plain(typed))
  if (hash === undefined) return Option.none()
  return Option.some({ backup_codes: app.backup_codes.filter((each) => each !== hash), ...(yield* renewed(app.secret)) })
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
