import { DateTime, Effect, Option } from "effect"
import { insert, Store, update, type Versioned } from "../../../../domain/ports/store.ts"
import * as Core from "../../../../domain/settings.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { isOfDevice } from "../../../../domain/values/redirect-uri.ts"
import type { Client } from "../clients/client.ts"
import { scopeOfClaim } from "../clients/standard-claims.ts"
import type * as Tables from "../tables.ts"
import { type AuthorizationRequest, refused } from "./authorization-request.ts"
import { type Consent, Consents } from "./consent-table.ts"

const consentRequired = refused("consent_required", "The user has to allow this first.")
const accessDenied = refused("access_denied", "The user has not allowed this.")

/** A request of a client that may need the user's consent. */
interface ClientRequest {
  readonly client: Client
  readonly redirect_uri: string
  readonly request: Pick<AuthorizationRequest, "prompts" | "scope" | "requested">
  readonly stored: Tables.AuthorizationRequest | null
  readonly session: { readonly id: string; readonly user_id: string }
}

/** The stored consent of a user to a client. */
export const consentOf = (user_id: string, client_id: string) => Store.use(({ read }) => read(Consents, { user_id, client_id }))

/** The scopes of a request, and the scopes of its single claims. */
export const neededScopes = ({ scope, requested }: Pick<AuthorizationRequest, "scope" | "requested">): string => {
  const claims = [...(requested?.userinfo ?? []), ...(requested?.id_token ?? [])]
  return [...new Set([...scope.split(" "), ...claims.flatMap((claim) => scopeOfClaim(claim) ?? [])])].join(" ")
}

/** The scopes that a consent does not contain yet. */
export const missingScopes = (scope: string, consent: Option.Option<Versioned<Consent>>): ReadonlyArray<string> => {
  const allowed = Option.match(consent, { onNone: (): ReadonlyArray<string> => [], onSome: ({ row }) => row.scope.split(" ") })
  return scope.split(" ").filter((each) => !allowed.includes(each))
}

/** The writes that add scopes to a user's consent, and the id of the consent. Scopes that the user allowed before stay allowed. */
export const allowance = Effect.fnUntraced(function* allowance(user_id: string, client_id: string, scope: string) {
  const consent = yield* consentOf(user_id, client_id)
  const now = yield* DateTime.now
  if (Option.isSome(consent)) {
    const added = [consent.value.row.scope, ...missingScopes(scope, consent)].join(" ")
    return { id: consent.value.row.id, writes: [update(Consents, consent.value, { scope: added, granted_at: now })] }
  }
  const row: Consent = { id: yield* newId, user_id, client_id, scope, granted_at: now, created_at: now }
  return { id: row.id, writes: [insert(Consents, row)] }
})

/**
 * Whether the user must decide for this request, even if they have allowed the same before. They always must for apps on their
 * device: another app can use the same scheme, or listen on the same port (RFC 8252 section 8.6). They always must for agents, because anyone
 * can name the same client.
 */
const needsDecision = Effect.fnUntraced(function* needsDecision({ client, redirect_uri, request: { prompts } }: ClientRequest) {
  if (client.agent !== undefined) return true
  const hasPage = (yield* Core.Settings).links.consent !== undefined
  return (prompts.includes("consent") && (client.consent || hasPage)) || (client.consent && isOfDevice(redirect_uri))
})

/** The user's stored consent, on which the code depends; null if there is none. Fails if the request needs a decision that the user has not made. */
export const checkConsent = Effect.fnUntraced(function* checkConsent(clientRequest: ClientRequest) {
  const { client, request, stored, session } = clientRequest
  if (stored?.denied_in === session.id) return yield* accessDenied
  const consent = yield* consentOf(session.user_id, client.client_id)
  if (client.consent && missingScopes(neededScopes(request), consent).length > 0) return yield* consentRequired
  // Not the time of the consent: it may be that of another request, which an attacker's older one would then share.
  if (stored?.allowed_in !== session.id && (yield* needsDecision(clientRequest))) return yield* consentRequired
  return Option.getOrNull(consent)
})
