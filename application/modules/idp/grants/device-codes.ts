import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { insert, Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Keys, randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"
import { Consents } from "../authorization/consent-table.ts"

/** Lifetime of a device code, seconds. */
export const deviceCodeTtl = 600

/** Seconds between two polls of a device, at first (RFC 8628 section 3.2). */
export const firstInterval = 5

const DeviceCode = Schema.Struct({
  /** The hash of the device code. */
  hash: Schema.String,
  /** HMAC of the user code: a plain hash of so few letters could be reversed by trying them all. */
  user_code_hash: Schema.String,
  client_id: Schema.String,
  scope: Schema.String,
  /** The requested resource servers, separated by blanks. */
  resource: Schema.NullOr(Schema.String),
  decision: Schema.Literals(["pending", "allowed", "denied"]),
  /** The session in which the user allowed the request. */
  session_id: Schema.NullOr(Schema.String),
  consent_id: Schema.NullOr(Schema.String),
  /** The time of the user's last proof of identity before the decision, and its methods. */
  auth_time: Schema.NullOr(Schema.DateTimeUtc),
  amr: Schema.NullOr(Schema.String),
  acr: Schema.NullOr(Schema.String),
  /** Seconds between two polls. */
  interval: Schema.Int,
  polled_at: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type DeviceCode = typeof DeviceCode.Type

/** The requests of devices (RFC 8628). The row of an allowed request is removed with its session and its consent. */
export const DeviceCodes = Table.make("device_code", DeviceCode, {
  key: "hash",
  unique: ["user_code_hash"],
  references: { session_id: Sessions, consent_id: Consents },
  expires: "expires_at",
  data: {
    personal: ["client_id", "scope", "resource", "decision", "auth_time", "amr", "acr", "expires_at"],
    secret: ["hash", "user_code_hash"],
    other: ["session_id", "consent_id", "interval", "polled_at"],
  },
})

/** Consonants only, so that no code is a word (RFC 8628 section 6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ"

/** 34 bits: enough for ten minutes with few guesses (RFC 8628 section 5.1). */
const letters = 8

/** A new user code, such as `WDJB-MJHT`. */
const newUserCode = Effect.gen(function* () {
  const { intBetween } = yield* SecureRandom.SecureRandom
  const drawn = yield* Effect.replicateEffect(intBetween(0, alphabet.length, { halfOpen: true }), letters)
  const code = drawn.map((index) => alphabet[index]).join("")
  return `${code.slice(0, 4)}-${code.slice(4)}`
})

/** The letters of a typed user code. Case, blanks and punctuation are ignored (RFC 8628 section 6.1). */
const lettersOf = (typed: string) => typed.toUpperCase().replaceAll(/[^A-Z]/g, "")

export const userCodeHash = (typed: string) => Keys.use(({ sign }) => sign("device_user_code", lettersOf(typed)))

export const deviceCodeHash = (device_code: string) => tokenHash("device_code", device_code)

/** Stores the request of a device; fails with `Taken` if another device has the same user code. */
export const storeDeviceCode = Effect.fnUntraced(function* storeDeviceCode(request: Pick<DeviceCode, "client_id" | "scope" | "resource">) {
  const [device_code, user_code] = [yield* randomToken, yield* newUserCode]
  const row: DeviceCode = {
    ...request,
    hash: yield* deviceCodeHash(device_code),
    user_code_hash: yield* userCodeHash(user_code),
    decision: "pending",
    session_id: null,
    consent_id: null,
    auth_time: null,
    amr: null,
    acr: null,
    interval: firstInterval,
    polled_at: null,
    expires_at: after(yield* DateTime.now, deviceCodeTtl),
  }
  yield* (yield* Store).commit([insert(DeviceCodes, row)])
  return { device_code, user_code }
})
