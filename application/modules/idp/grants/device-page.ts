import { Effect, Option, Schema } from "effect"
import { type AuthError, InvalidOtp } from "../../../../domain/errors.ts"
import { countedEntry } from "../../../../domain/limits/limits.ts"
import { check, conflictIfTaken, retryOnConflict, Store, update, type Versioned, type Write } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { allowance, consentOf, missingScopes } from "../authorization/consent.ts"
import { RequestedScope } from "../authorization/consent-page.ts"
import { acrOf, amrOf } from "../claims/acr.ts"
import type { Client } from "../clients/client.ts"
import { PublicClient, publicClient } from "../clients/public-client.ts"
import { clientOf } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import { type DeviceCode, DeviceCodes, userCodeHash } from "./device-codes.ts"

const Input = Schema.Struct({ user_code: Schema.String.check(Schema.isMaxLength(64)) })

const DeviceRequest = Schema.Struct({ client: PublicClient, scopes: Schema.Array(RequestedScope) }).annotate({
  identifier: "DeviceRequest",
  description: "The request of a device for which the user decides.",
})

/** The open request with a user code, and its client. */
const open = Effect.fnUntraced(function* openRequest(settings: Settings, user_code: string) {
  const stored = yield* readLive(DeviceCodes, { user_code_hash: yield* userCodeHash(user_code) })
  if (Option.isNone(stored) || stored.value.row.decision !== "pending") return yield* new InvalidOtp()
  const client = yield* clientOf(settings, stored.value.row.client_id)
  return Option.isNone(client) ? yield* new InvalidOtp() : { stored: stored.value, client: client.value }
})

/** Each wrong code counts: an attacker could otherwise search for the codes of other devices (RFC 8628 section 5.1). */
const counted = countedEntry("device_user_code")

const showRequest = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/device",
    summary: "Returns what a device requests, for the page on which the user enters the code of the device.",
    access: "session",
    input: Input,
    output: DeviceRequest,
    errors: [InvalidOtp],
    handler: Effect.fnUntraced(function* identityProviderDevice({ user_code }) {
      const { stored, client } = yield* counted(open(settings, user_code))
      const { user } = yield* CurrentSession
      const missing = missingScopes(stored.row.scope, yield* consentOf(user.id, client.client_id))
      const scopes = stored.row.scope.split(" ").map((scope) => ({ scope, granted: !missing.includes(scope) }))
      return Endpoint.reply({ client: publicClient(client), scopes })
    }),
  })

/** The writes that allow a request. */
const allowed = Effect.fnUntraced(function* allowed(stored: Versioned<DeviceCode>, client: Client) {
  const { session } = yield* rereadSession
  const consent = client.consent ? yield* allowance(session.row.user_id, client.client_id, stored.row.scope) : { id: null, writes: [] }
  const decision = update(DeviceCodes, stored, {
    decision: "allowed",
    session_id: session.row.id,
    consent_id: consent.id,
    auth_time: session.row.proved_at,
    amr: amrOf(session.row),
    acr: acrOf(session.row, []),
  })
  return [check(Sessions, session), ...consent.writes, decision]
})

const denied = (stored: Versioned<DeviceCode>) => Effect.succeed([update(DeviceCodes, stored, { decision: "denied" })])

/** Decides a request. Of several concurrent decisions, one takes effect. */
const decide = <E extends AuthError, R>(
  settings: Settings,
  writesOf: (stored: Versioned<DeviceCode>, client: Client) => Effect.Effect<ReadonlyArray<Write>, E, R>,
) =>
  Effect.fnUntraced(function* identityProviderDecideDevice({ user_code }: typeof Input.Type) {
    const decision = Effect.gen(function* () {
      const { stored, client } = yield* open(settings, user_code)
      yield* conflictIfTaken((yield* Store).commit(yield* writesOf(stored, client)))
    })
    yield* counted(retryOnConflict(decision))
    return Endpoint.reply(Endpoint.succeeded)
  })

const shared = { method: "POST", access: "session", input: Input, output: Endpoint.Success, errors: [InvalidOtp] } as const

/** The endpoints of the page on which users enter the code of a device (RFC 8628 section 3.3). */
export const devicePage = (settings: Settings) =>
  [
    showRequest(settings),
    Endpoint.make({
      ...shared,
      path: "/oauth2/device/allow",
      summary: "Allows the request of a device.",
      handler: decide(settings, allowed),
    }),
    Endpoint.make({
      ...shared,
      path: "/oauth2/device/deny",
      summary: "Denies the request of a device.",
      handler: decide(settings, denied),
    }),
  ] as const
