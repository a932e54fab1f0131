import { DateTime, Effect, Option, Schema } from "effect"
import type { Issued, SignsIn } from "../sessions/sign-in.ts"
import * as SignedCookie from "../sessions/signed-cookie.ts"
import { Settings } from "../settings.ts"
import { randomToken } from "../tokens/keys.ts"
import { passwordSetAt } from "../users/credential-account.ts"

// Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser that signed in before has its own budget of
// failed sign-ins, so that attackers cannot lock its user out. The cookie is no credential: a stolen one only gives access to that budget.

/** The users who signed in with this browser. */
const Devices = Schema.Array(Schema.Struct({ user_id: Schema.String, nonce: Schema.String, expires_at: Schema.DateTimeUtc }))

/** 400 days in seconds, the longest lifetime that browsers allow for a cookie. */
const lifetime = 34_560_000

/** The maximum number of users in one cookie, so that it stays below the 4096 bytes that browsers store. */
const maxUsers = 5

const kept = SignedCookie.hostBound("known_device", (name) => {
  const sealed = SignedCookie.makeSealed(name, Devices, lifetime)
  // Earlier versions did not encrypt the cookie. Its browser keeps its budget, and gets an encrypted one at the next sign-in.
  const former = SignedCookie.make(name, Devices, lifetime)
  return { ...sealed, read: Effect.flatMap(sealed.read, (devices) => (Option.isSome(devices) ? Effect.succeed(devices) : former.read)) }
})

const devices = Effect.gen(function* () {
  const read = yield* (yield* kept).read
  const now = yield* DateTime.now
  return Option.getOrElse(read, () => []).filter(({ expires_at }) => DateTime.isLessThan(now, expires_at))
})

/**
 * Identifies the caller's browser if this user signed in with it before; none otherwise. A new password invalidates older cookies: an
 * attacker who knew the old password could have collected many, each with its own budget of guesses.
 */
export const knownDevice = (user_id: string) =>
  Effect.map(
    deviceOf(user_id),
    Option.map(({ nonce }) => nonce),
  )

const deviceOf = Effect.fnUntraced(function* deviceOf(user_id: string) {
  const device = (yield* devices).find((device) => device.user_id === user_id)
  if (device === undefined) return Option.none()
  const issued_at = DateTime.subtract(device.expires_at, { seconds: lifetime })
  const isOlder = Option.exists(yield* passwordSetAt(user_id), (set_at) => DateTime.isLessThan(issued_at, set_at))
  return isOlder ? Option.none() : Option.some({ nonce: device.nonce, issued_at })
})

/**
 * Whether the user of this id signed in with the caller's browser before, and has not changed their password since. Always false without
 * `rate_limit` and `session.notify_new_browser`, which set the cookie.
 */
export const isKnownBrowser = (user_id: string) => Effect.map(deviceOf(user_id), Option.isSome)

/** The same for a sign-in after this moment. */
export const isKnownSince = (user_id: string, since: DateTime.Utc) =>
  Effect.map(
    deviceOf(user_id),
    Option.exists(({ issued_at }) => DateTime.isGreaterThan(issued_at, since)),
  )

/**
 * The cookie with this user added. Each sign-in sets a new nonce, so that a copy of the previous cookie does not share the owner's budget.
 */
const remembered = Effect.fnUntraced(function* rememberedDevices(user_id: string) {
  const others = (yield* devices).filter((device) => device.user_id !== user_id)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  const device = { user_id, nonce: yield* randomToken, expires_at }
  return yield* (yield* kept).write([...others, device].slice(-maxUsers))
})

/**
 * The device cookie of a response that opens a session, if the user authenticated. An endpoint that only replaces the caller's session
 * (`signsIn` is `session`) sets no cookie. Otherwise an attacker with a stolen session could collect device cookies, and each cookie allows
 * more guesses at the password.
 */
export const rememberDevice = Effect.fnUntraced(function* rememberDevice(signsIn: SignsIn, session: Issued | "clear" | "keep") {
  if (signsIn === "session" || typeof session === "string") return []
  return yield* rememberBrowser(session.user.id)
})

/** The cookie of a browser whose user has just proved who they are, for instance by the current password. */
export const rememberBrowser = Effect.fnUntraced(function* rememberBrowser(user_id: string) {
  const { rate_limit, session } = yield* Settings
  return rate_limit.enabled || session.notify_new_browser ? [yield* remembered(user_id)] : []
})
