import { Effect, Option } from "effect"
import { permitted } from "../../../../domain/administration/permissions.ts"
import { Unauthorized } from "../../../../domain/errors.ts"
import type { Machine, MachineRequest } from "../../../../domain/policies.ts"
import { check, orFail, Store } from "../../../../domain/ports/store.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { administration, permissionsOfClient, permittedBy } from "../clients/administrators.ts"
import { clientOf } from "../clients/clients.ts"
import { StoredClients } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import { AccessTokens, accessKind } from "../tables.ts"
import { isOfClient, liveAccessToken } from "./access-token.ts"
import { checkBinding, tokenIn, tokenInHeader } from "./presented-token.ts"
import { listed } from "./resources.ts"

/** An access token of a client for the administration of this service, and what it permits now; none for every other token. */
const heldBy = Effect.fnUntraced(function* permissionsHeldBy(settings: Settings, access_token: string) {
  const live = yield* liveAccessToken(settings, access_token)
  if (Option.isNone(live)) return Option.none()
  const { client, token, user, checks } = live.value
  if (user !== null || !listed(token.resource ?? "").includes(yield* administration)) return Option.none()
  const stored = yield* (yield* Store).read(StoredClients, { client_id: client.client_id })
  const ofClient = yield* permissionsOfClient(client)
  const permissions = permitted([...permittedBy(listed(token.scope))].filter((permission) => ofClient.has(permission)))
  return Option.some({
    token,
    held: { permissions, checks: [...checks, ...Option.toArray(stored).map((row) => check(StoredClients, row))] },
  })
})

/** The client whose token for the administration is in this `Authorization`; null without one. */
export const clientOfMachine = (settings: Settings) =>
  Effect.fnUntraced(function* clientOfMachineRequest(authorization: string) {
    const sent = tokenIn(authorization)
    const stored = sent === undefined ? Option.none() : yield* readLive(AccessTokens, { hash: yield* tokenHash(accessKind, sent.token) })
    if (Option.isNone(stored) || !isOfClient(stored.value.row)) return null
    const { client_id, resource } = stored.value.row
    if (!listed(resource ?? "").includes(yield* administration)) return null
    return Option.isSome(yield* clientOf(settings, client_id)) ? client_id : null
  })

/** The client that administers this service with the access token of the request. */
export const machineOf = (settings: Settings) =>
  Effect.fnUntraced(function* machineOfRequest(request: MachineRequest) {
    const sent = yield* tokenInHeader
    if (sent === undefined) return Option.none<Machine>()
    const found = yield* heldBy(settings, sent.token)
    if (Option.isNone(found)) return Option.none<Machine>()
    const { token, held } = found.value
    yield* checkBinding(settings, token, { ...sent, ...request }).pipe(Effect.mapError(unauthorized))
    const services = yield* Effect.context<Effect.Services<ReturnType<typeof heldBy>>>()
    const reread = orFail(heldBy(settings, sent.token), () => new Unauthorized()).pipe(
      Effect.map(({ held }) => held),
      Effect.provideContext(services),
    )
    return Option.some<Machine>({ client_id: token.client_id, permissions: held.permissions, reread })
  })

/** The endpoints declare this code only. A client that lacks the nonce of a proof gets it (RFC 9449 section 9). */
const unauthorized = ({ _tag, fields = {} }: { readonly _tag: string; readonly fields?: Readonly<Record<string, string>> }) =>
  new Unauthorized({ fields: _tag === "use_dpop_nonce" ? { ...fields, "www-authenticate": 'DPoP error="use_dpop_nonce"' } : fields })
