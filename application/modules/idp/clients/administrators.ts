import { Effect } from "effect"
import { none, permissions, permitted } from "../../../../domain/administration/permissions.ts"
import { issuer } from "../issuer.ts"
import type { Metadata } from "./client.ts"

// Clients that administer this service with access tokens of their own.

/** The resource server (RFC 8707) whose access tokens permit administration. */
export const administration = Effect.map(issuer, (url) => `${url}/admin`)

/** What these scopes permit. */
export const permittedBy = (scopes: ReadonlyArray<string>) => permitted(permissions.filter((each) => scopes.includes(each)))

/** What a client is permitted if it can request tokens for the administration; otherwise nothing. */
export const permissionsOfClient = Effect.fnUntraced(function* permissionsOfClient({ grant_types, resources, scopes }: Metadata) {
  return grant_types.includes("client_credentials") && resources.includes(yield* administration) ? permittedBy(scopes) : none
})
