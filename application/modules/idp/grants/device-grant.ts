import { DateTime, Effect, Option } from "effect"
import { Policies } from "../../../../domain/policies.ts"
import { orFail, removeVersioned, Store, update, type Versioned } from "../../../../domain/ports/store.ts"
import { liveSessionWith } from "../../../../domain/sessions/sessions.ts"
import { liveAt } from "../../../../domain/storage/live.ts"
import { type Client, deviceCodeGrant } from "../clients/client.ts"
import { AccessDenied, AuthorizationPending, ExpiredToken, InvalidGrant, SlowDown } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { type DeviceCode, DeviceCodes, deviceCodeHash, firstInterval } from "./device-codes.ts"
import * as Grant from "./grant.ts"
import { redeemGrant } from "./redeemed-grant.ts"

/** The parameters of a poll (RFC 8628 section 3.4). */
type Presented = Grant.Presented<"device_code", "resource">

/** The longest interval of a device that polls too fast, seconds. */
const longestInterval = 60

/** Refuses a poll before the user's decision. A poll that is too early makes the interval longer (RFC 8628 section 3.5). */
const refusePoll = Effect.fnUntraced(function* refusePoll(stored: Versioned<DeviceCode>) {
  const { polled_at, interval } = stored.row
  const now = yield* DateTime.now
  const isEarly = polled_at !== null && DateTime.toEpochMillis(now) - DateTime.toEpochMillis(polled_at) < interval * 1000
  const next = isEarly ? Math.min(interval + firstInterval, longestInterval) : interval
  yield* (yield* Store).commit([update(DeviceCodes, stored, { polled_at: now, interval: next })])
  return yield* isEarly ? new SlowDown() : new AuthorizationPending()
})

/** The session in which the user allowed the request, and the user. Fails if the session has ended. */
const sessionOf = ({ session_id }: DeviceCode) =>
  orFail(session_id === null ? Effect.succeedNone : liveSessionWith(session_id), () => new InvalidGrant())

const poll = Effect.fnUntraced(function* pollDeviceCode(settings: Settings, client: Client, presented: Presented) {
  const hash = yield* deviceCodeHash(presented.device_code)
  const stored = yield* (yield* Store).read(DeviceCodes, { hash })
  if (Option.isNone(stored) || stored.value.row.client_id !== client.client_id) return yield* new InvalidGrant()
  const { row } = stored.value
  if (!liveAt(DeviceCodes, yield* DateTime.now)(row)) return yield* new ExpiredToken()
  if (row.decision === "denied") return yield* new AccessDenied()
  if (row.decision === "pending") return yield* refusePoll(stored.value)

  const [{ row: session }, user] = yield* sessionOf(row)
  yield* Effect.mapError((yield* Policies).passGates(user.row), ({ message }) => new InvalidGrant({ message }))
  const { scope, resource, amr, acr, consent_id } = row
  const auth_time = row.auth_time ?? session.authenticated_at
  const grant = { scope, resource, nonce: null, auth_time, amr, acr, requested: null, consent_id }
  const removal = removeVersioned(DeviceCodes, stored.value)
  return yield* redeemGrant(settings, client, presented, { hash, grant, user, session, membership: null, removal })
})

/** Exchanges the code of a request that the user allowed for tokens, once (RFC 8628 section 3.4). */
export const deviceGrant = Grant.make({ type: deviceCodeGrant, required: ["device_code"], optional: ["resource"], issue: poll })
