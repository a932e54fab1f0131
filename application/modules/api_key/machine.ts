import { Effect, Option } from "effect"
import { Unauthorized } from "../../../domain/errors.ts"
import type { Machine, OrganizationKey, PresentedCredentials } from "../../../domain/policies.ts"
import { find } from "../../../domain/ports/store.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { examine, hashOf, principalOf } from "./examine.ts"
import { keyTest } from "./key-form.ts"
import type { ApiKeySettings } from "./settings.ts"
import { ApiKeySecrets } from "./tables.ts"
import type { Uses } from "./uses.ts"

/** The key in a request; undefined without one. */
const presentedKey = ({ prefix }: ApiKeySettings, { api_key, authorization }: PresentedCredentials) => {
  const sent = api_key ?? /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]
  return sent !== undefined && keyTest(prefix)(sent) ? sent : undefined
}

/** The key against which a request counts. */
export const countedKey = (settings: ApiKeySettings) =>
  Effect.fnUntraced(function* countedKey(presented: PresentedCredentials) {
    const text = presentedKey(settings, presented)
    if (text === undefined) return null
    const secret = yield* find(ApiKeySecrets, { hash: yield* hashOf(text) })
    return Option.isNone(secret) ? null : `api_key:${secret.value.key_id}`
  })

/** The key of an organization with a statement in the request. */
export const organizationKeyOf = (settings: ApiKeySettings, uses: Uses) =>
  Effect.fnUntraced(function* keyOfOrganization() {
    const machine = yield* machineOf(settings, uses)()
    return Option.filter(machine, (machine): machine is OrganizationKey => "organization" in machine)
  })

/** The program that administers this service with the key in the request. */
export const machineOf = (settings: ApiKeySettings, uses: Uses) =>
  Effect.fnUntraced(function* machineOfKey() {
    const caller = yield* Caller
    const text = presentedKey(settings, caller)
    if (text === undefined || (caller.from_browser && !settings.browsers)) return Option.none<Machine>()
    const live = yield* examine(settings, text, caller.ip_address)
    if (typeof live === "string") return Option.none<Machine>()
    yield* uses.note(live.key.row.id, caller.ip_address)
    const services = yield* Effect.context<Effect.Services<ReturnType<typeof examine>>>()
    const reread = Effect.flatMap(examine(settings, text, caller.ip_address), (again) =>
      typeof again === "string" ? Effect.fail(new Unauthorized()) : Effect.succeed(again.held),
    )
    const { organization } = live.held
    return Option.some<Machine | OrganizationKey>({
      ...principalOf(live.key.row),
      ...(organization === undefined ? {} : { organization }),
      credential: { kind: "api_key", id: live.key.row.id },
      grants: live.held.grants,
      reread: Effect.provideContext(reread, services),
    })
  })
