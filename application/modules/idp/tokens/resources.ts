import { Effect } from "effect"
import { resourceAt } from "../clients/agents/resources.ts"
import type { Client } from "../clients/client.ts"
import { InvalidTarget } from "../errors.ts"

// Resource indicators (RFC 8707): the resource servers that an access token is for. Lists are texts separated by blanks.

export const listed = (resource: string) => [...new Set(resource.split(" "))].filter((each) => each !== "")

/** A list whose members are all permitted; undefined if one is not, or there is none. */
export const chosenFrom = (permitted: ReadonlyArray<string>, list: string): string | undefined => {
  const chosen = listed(list)
  return chosen.length > 0 && chosen.every((each) => permitted.includes(each)) ? chosen.join(" ") : undefined
}

/** What a client may choose from these resource servers. An agent names exactly one, which may be spelled differently. */
const chosenBy = ({ agent }: Client, permitted: ReadonlyArray<string>, resource: string): string | undefined => {
  if (agent === undefined) return chosenFrom(permitted, resource)
  const server = resourceAt(agent.resources, resource)
  return server !== undefined && permitted.includes(server.resource) ? server.resource : undefined
}

/** The resource servers of a request; null for none. Fails unless the client may request tokens for all of them. */
export const requestedResource = Effect.fnUntraced(function* requestedResource(client: Client, resource: string | undefined) {
  return resource === undefined ? null : (chosenBy(client, client.resources, resource) ?? (yield* new InvalidTarget()))
})

/** The resource servers of one access token: those of the grant, or fewer of them (RFC 8707 section 2.2). */
export const narrowedResource = Effect.fnUntraced(function* narrowedResource(
  client: Client,
  granted: string | null,
  resource: string | undefined,
) {
  if (client.agent !== undefined && granted !== null && !client.resources.includes(granted)) return yield* new InvalidTarget()
  if (resource === undefined) return granted
  // The user of an agent has seen which resource server it wants to use.
  if (granted === null && client.agent !== undefined) return yield* new InvalidTarget()
  if (granted === null) return yield* requestedResource(client, resource)
  return chosenBy(client, listed(granted), resource) ?? (yield* new InvalidTarget())
})

/** The form of an access token, and its lifetime in seconds: for agents, those of the resource server. */
export const accessTokenRules = ({ agent, access_token_format, access_token_ttl }: Client, resource: string | null) => {
  const server = agent?.resources.find((each) => each.resource === resource)
  return server === undefined
    ? { format: access_token_format, ttl: access_token_ttl }
    : { format: server.access_token_format, ttl: server.access_token_ttl }
}

/** The audience of an access token: this service, or the resource servers (RFC 9068 section 3). */
export const audienceOf = (issuer: string, resource: string | null): string | ReadonlyArray<string> => {
  const [only = issuer, ...more] = listed(resource ?? "")
  return more.length === 0 ? only : [only, ...more]
}
