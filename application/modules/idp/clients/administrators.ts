import { Effect, Redacted } from "effect"
import { none, permissions, permitted } from "../../../../domain/administration/permissions.ts"
import type { SettingsValue } from "../../../../domain/settings.ts"
import type { Finding } from "../../../service/module.ts"
import { issuer } from "../issuer.ts"
import type { Settings } from "../settings.ts"
import type { Metadata } from "./client.ts"

// Clients that administer this service with access tokens of their own.

/** The resource server (RFC 8707) whose access tokens permit administration. */
export const administration = Effect.map(issuer, (url) => `${url}/admin`)

/** 128 random bits in base64url: a token must not be guessed with a greater probability (RFC 6749 section 10.10). */
const leastSecret = 22

/** Whether this is the secret of a confidential client that is too short to be random enough. */
const isGuessable = (secret: string) => secret !== "" && secret.length < leastSecret

/** Finds scopes without effect: those that begin like a permission but are none, such as `users:ban`, and permissions without the resource; and secrets that can be guessed. */
export const findings = ({ clients }: Pick<Settings, "clients">, { public_url, base_path }: SettingsValue): ReadonlyArray<Finding> => {
  const resource = `${public_url}${base_path}/admin`
  const known: ReadonlyArray<string> = permissions
  const resourceOf = (scope: string) => scope.split(":")[0]
  const resources = new Set(known.map(resourceOf))
  const administering = clients.filter((client) => client.resources.includes(resource))
  const wrong = administering.flatMap(({ client_id, scopes }) =>
    scopes
      .filter((scope) => scope.includes(":") && resources.has(resourceOf(scope)) && !known.includes(scope))
      .map(
        (scope): Finding => ({
          severity: "warning",
          text: `the client ${client_id} has the scope ${scope}, which is no permission of administrators`,
        }),
      ),
  )
  const idle = clients.flatMap(({ client_id, grant_types, resources, scopes }): ReadonlyArray<Finding> => {
    const permission = scopes.find((scope) => known.includes(scope))
    if (permission === undefined || !grant_types.includes("client_credentials") || resources.includes(resource)) return []
    const text = `the scope ${permission} of the client ${client_id} permits no administration here: its resources lack ${resource}`
    return [{ severity: "warning", text }]
  })
  const guessable = clients
    .filter(({ client_secret }) => isGuessable(Redacted.value(client_secret)))
    .map(({ client_id }): Finding => {
      const text = `the client_secret of the client ${client_id} has fewer than ${leastSecret} characters, and can be guessed`
      return { severity: "warning", text }
    })
  return [...wrong, ...idle, ...guessable]
}

/** What these scopes permit. */
export const permittedBy = (scopes: ReadonlyArray<string>) => permitted(permissions.filter((each) => scopes.includes(each)))

/** What a client is permitted if it can request tokens for the administration; otherwise nothing. */
export const permissionsOfClient = Effect.fnUntraced(function* permissionsOfClient({ grant_types, resources, scopes }: Metadata) {
  return grant_types.includes("client_credentials") && resources.includes(yield* administration) ? permittedBy(scopes) : none
})
