import { Effect, Option } from "effect"
import { grantingIn } from "../../../../domain/administration/grants.ts"
import { all, type Permitted, permitted } from "../../../../domain/administration/permissions.ts"
import { permissionsIn, ServiceAccounts, serviceAccountOf } from "../../../../domain/administration/service-accounts.ts"
import { Unauthorized } from "../../../../domain/errors.ts"
import type { HeldByClient, Machine, MachineRequest } from "../../../../domain/policies.ts"
import { check, orFail, type Write } from "../../../../domain/ports/store.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { administration, permissionsOfClient, permittedBy } from "../clients/administrators.ts"
import type { Client } from "../clients/client.ts"
import { type Found, findClient, StoredClients } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import { AccessTokens, accessKind } from "../tables.ts"
import { isOfClient, liveAccessToken } from "./access-token.ts"
import { checkBinding, tokenIn, tokenInHeader } from "./presented-token.ts"
import { listed } from "./resources.ts"

/** An access token of a client for the administration of this service, and what it permits now; none for every other token. */
const heldBy = Effect.fnUntraced(function* permissionsHeldBy(settings: Settings, access_token: string) {
  const live = yield* liveAccessToken(settings, access_token)
  if (Option.isNone(live)) return Option.none()
  const { client, storedClient, token, user, checks } = live.value
  if (user !== null || !listed(token.resource ?? "").includes(yield* administration)) return Option.none()
  const held = yield* limitedTo(permittedBy(listed(token.scope)), { client, stored: storedClient })
  return Option.map(held, ({ grants, checks: unchanged, service_account_id }) => ({
    token,
    service_account_id,
    held: { grants, checks: [...checks, ...unchanged] },
  }))
})

/** These permissions, as far as a client and its service account have them now. */
const limitedTo = Effect.fnUntraced(function* limitedTo(permissions: Permitted, { client, stored }: Found) {
  const ofClient = yield* permissionsOfClient(client)
  const account = yield* accountOf(client)
  return Option.map(account, ({ own, organization_id, unchanged }): HeldByClient => {
    const held = [...permissions].filter((permission) => ofClient.has(permission) && own.has(permission))
    const checks = [...unchanged, ...Option.toArray(stored).map((row) => check(StoredClients, row))]
    return { service_account_id: client.service_account, grants: grantingIn(organization_id, held), checks }
  })
})

/** The grants of a client without a token. */
export const heldByClient = (settings: Settings) =>
  Effect.fnUntraced(function* grantsOfClient(client_id: string) {
    const found = yield* findClient(settings, client_id)
    return Option.isNone(found) ? Option.none<HeldByClient>() : yield* limitedTo(all, found.value)
  })

/** The permissions of the service account of a client; all without one. None if the client names an unknown one. */
const accountOf = Effect.fnUntraced(function* accountOf({ service_account }: Client) {
  const unlimited: Limits = { own: all, organization_id: null, unchanged: [] }
  if (service_account === null) return Option.some(unlimited)
  const account = yield* serviceAccountOf(service_account)
  return Option.map(
    account,
    (account): Limits => ({
      own: permitted(permissionsIn(account.row)),
      organization_id: account.row.organization_id,
      unchanged: [check(ServiceAccounts, account)],
    }),
  )
})

interface Limits {
  readonly own: Permitted
  readonly organization_id: string | null
  readonly unchanged: ReadonlyArray<Write>
}

/** The client whose token for the administration is in this `Authorization`; null without one. */
export const clientOfMachine = Effect.fnUntraced(function* clientOfMachine(authorization: string) {
  const sent = tokenIn(authorization)
  const stored = sent === undefined ? Option.none() : yield* readLive(AccessTokens, { hash: yield* tokenHash(accessKind, sent.token) })
  if (Option.isNone(stored) || !isOfClient(stored.value.row)) return null
  const { client_id, resource } = stored.value.row
  return listed(resource ?? "").includes(yield* administration) ? client_id : null
})

/** The client that administers this service with the access token of the request. */
export const machineOf = (settings: Settings) =>
  Effect.fnUntraced(function* machineOfRequest(request: MachineRequest) {
    const sent = yield* tokenInHeader
    if (sent === undefined) return Option.none<Machine>()
    const found = yield* heldBy(settings, sent.token)
    if (Option.isNone(found)) return Option.none<Machine>()
    const { token, held, service_account_id } = found.value
    yield* checkBinding(settings, token, { ...sent, ...request }).pipe(Effect.mapError(unauthorized))
    const services = yield* Effect.context<Effect.Services<ReturnType<typeof heldBy>>>()
    const reread = orFail(heldBy(settings, sent.token), () => new Unauthorized()).pipe(
      Effect.map(({ held }) => held),
      Effect.provideContext(services),
    )
    return Option.some<Machine>({ client_id: token.client_id, service_account_id, grants: held.grants, reread })
  })

/** The endpoints declare this code only. A client that lacks the nonce of a proof gets it (RFC 9449 section 9). */
const unauthorized = ({ _tag, fields = {} }: { readonly _tag: string; readonly fields?: Readonly<Record<string, string>> }) =>
  new Unauthorized({ fields: _tag === "use_dpop_nonce" ? { ...fields, "www-authenticate": 'DPoP error="use_dpop_nonce"' } : fields })
