import { Effect } from "effect"
import type { Client } from "../clients/client.ts"
import { InvalidTarget } from "../errors.ts"

// Resource indicators (RFC 8707): the resource servers that an access token is for. Lists are texts separated by blanks.

export const listed = (resource: string) => [...new Set(resource.split(" "))].filter((each) => each !== "")

/** The resource servers of a request; null for none. Fails unless the client may request tokens for all of them. */
export const requestedResource = Effect.fnUntraced(function* requestedResource({ resources }: Client, resource: string | undefined) {
  if (resource === undefined) return null
  const requested = listed(resource)
  const isPermitted = requested.length > 0 && requested.every((each) => resources.includes(each))
  return isPermitted ? requested.join(" ") : yield* new InvalidTarget()
})

/** The resource servers of one access token: those of the grant, or fewer of them (RFC 8707 section 2.2). */
export const narrowedResource = Effect.fnUntraced(function* narrowedResource(
  client: Client,
  granted: string | null,
  resource: string | undefined,
) {
  if (granted === null || resource === undefined) return granted ?? (yield* requestedResource(client, resource))
  const requested = listed(resource)
  const isGranted = requested.length > 0 && requested.every((each) => listed(granted).includes(each))
  return isGranted ? requested.join(" ") : yield* new InvalidTarget()
})

/** The audience of an access token: this service, or the resource servers (RFC 9068 section 3). */
export const audienceOf = (issuer: string, resource: string | null): string | ReadonlyArray<string> => {
  const [only = issuer, ...more] = listed(resource ?? "")
  return more.length === 0 ? only : [only, ...more]
}
