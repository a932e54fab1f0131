import { Effect, Option } from "effect"
import { grantingIn } from "../../../../domain/administration/grants.ts"
import { all, type Permitted, permitted } from "../../../../domain/administration/permissions.ts"
import { permissionsIn, ServiceAccounts, serviceAccountOf } from "../../../../domain/administration/service-accounts.ts"
import { Unauthorized } from "../../../../domain/errors.ts"
import type { Credential, HeldByMachine, Machine, MachineRequest, PresentedCredentials } from "../../../../domain/policies.ts"
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
  return Option.map(held, ({ checks: unchanged, ...own }) => ({ token, held: { ...own, checks: [...checks, ...unchanged] } }))
})

/** These permissions, as far as a client and its service account have them now. */
const limitedTo = Effect.fnUntraced(function* limitedTo(permissions: Permitted, { client, stored }: Found) {
  const ofClient = yield* permissionsOfClient(client)
  const account = yield* accountOf(client)
  return Option.map(account, ({ own, organization_id, unchanged }): HeldByMachine => {
    const held = [...permissions].filter((permission) => ofClient.has(permission) && own.has(permission))
    const checks = [...unchanged, ...Option.toArray(stored).map((row) => check(StoredClients, row))]
    return { ...principalOf(client), grants: grantingIn(organization_id, held), checks }
  })
})

const principalOf = ({ client_id, service_account }: Client): Pick<Machine, "kind" | "id"> =>
  service_account === null ? { kind: "client", id: client_id } : { kind: "service_account", id: service_account }

/** The grants of a client without a token. */
export const heldByClient = (settings: Settings) =>
  Effect.fnUntraced(function* grantsOfClient({ kind, id }: Credential) {
    const found = kind === "client" ? yield* findClient(settings, id) : Option.none()
    return Option.isNone(found) ? Option.none<HeldByMachine>() : yield* limitedTo(all, found.value)
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

/** The client whose token for the administration the request has; null without one. */
export const clientOfMachine = Effect.fnUntraced(function* clientOfMachine({ authorization }: PresentedCredentials) {
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
    const { token, held } = found.value
    yield* checkBinding(settings, token, { ...sent, ...request }).pipe(Effect.mapError(unauthorized))
    const services = yield* Effect.context<Effect.Services<ReturnType<typeof heldBy>>>()
    const reread = orFail(heldBy(settings, sent.token), () => new Unauthorized()).pipe(
      Effect.map(({ held }) => held),
      Effect.provideContext(services),
    )
    const { kind, id, grants } = held
    return Option.some<Machine>({ kind, id, credential: { kind: "client", id: token.client_id }, grants, reread })
  })

/** The endpoints declare this code only. A client that lacks the nonce of a proof gets it (RFC 9449 section 9). */
const unauthorized = ({ _tag, fields = {} }: { readonly _tag: string; readonly fields?: Readonly<Record<string, string>> }) =>
  new Unauthorized({ fields: _tag === "use_dpop_nonce" ? { ...fields, "www-authenticate": 'DPoP error="use_dpop_nonce"' } : fields })
