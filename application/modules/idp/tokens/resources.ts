import { Effect } from "effect"
import type { Client } from "../clients/client.ts"
import { InvalidTarget } from "../errors.ts"

// Resource indicators (RFC 8707): the resource servers that an access token is for. Lists are texts separated by blanks.

export const listed = (resource: string) => [...new Set(resource.split(" "))].filter((each) => each !== "")

/** A list whose members are all permitted; undefined if one is not, or there is none. */
export const chosenFrom = (permitted: ReadonlyArray<string>, list: string): string | undefined => {
  const chosen = listed(list)
  return chosen.length > 0 && chosen.every((each) => permitted.includes(each)) ? chosen.join(" ") : undefined
}

/** The resource servers of a request; null for none. Fails unless the client may request tokens for all of them. */
export const requestedResource = Effect.fnUntraced(function* requestedResource({ resources }: Client, resource: string | undefined) {
  return resource === undefined ? null : (chosenFrom(resources, resource) ?? (yield* new InvalidTarget()))
})

/** The resource servers of one access token: those of the grant, or fewer of them (RFC 8707 section 2.2). */
export const narrowedResource = Effect.fnUntraced(function* narrowedResource(
  client: Client,
  granted: string | null,
  resource: string | undefined,
) {
  if (granted === null || resource === undefined) return granted ?? (yield* requestedResource(client, resource))
  return chosenFrom(listed(granted), resource) ?? (yield* new InvalidTarget())
})

/** The audience of an access token: this service, or the resource servers (RFC 9068 section 3). */
export const audienceOf = (issuer: string, resource: string | null): string | ReadonlyArray<string> => {
  const [only = issuer, ...more] = listed(resource ?? "")
  return more.length === 0 ? only : [only, ...more]
}
