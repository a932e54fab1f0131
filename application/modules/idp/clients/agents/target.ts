import { type Agent, type Client, offlineAccess } from "../client.ts"
import type { Resource } from "./resources.ts"

/** The scopes of an access token, and the resource server that it is for; null for this service. */
interface Target {
  readonly scope: string
  readonly resource: string | null
}

/** The only resource server that has all of these scopes; undefined if none or several have them. */
const onlyServerOf = (resources: ReadonlyArray<Resource>, scopes: ReadonlyArray<string>) => {
  const [first, ...others] = resources.filter((server) => scopes.every((each) => server.scopes.includes(each)))
  return others.length === 0 ? first : undefined
}

/**
 * What an agent requests. Without `resource`, it is the only resource server that has all the requested scopes. Scopes of other servers are left
 * out: clients of the Model Context Protocol repeat those of earlier requests. Undefined if nothing is left, or the server is not clear.
 */
export const agentTarget = (
  { scopes: permitted }: Client,
  { resources }: Agent,
  resource: string | null,
  scope: string | undefined,
): Target | undefined => {
  const isOfServer = (each: string) => resources.some(({ scopes }) => scopes.includes(each))
  const requested = [...new Set((scope ?? "").split(" "))].filter((each) => permitted.includes(each))
  const special = requested.filter(isOfServer)
  const server =
    resources.find((each) => each.resource === resource) ?? (special.length === 0 ? undefined : onlyServerOf(resources, special))
  if (server === undefined && special.length > 0) return undefined

  const own = server?.scopes ?? []
  const granted =
    scope === undefined
      ? defaultOf(
          own,
          permitted.filter((each) => !isOfServer(each)),
        )
      : requested.filter((each) => !isOfServer(each) || own.includes(each))
  return granted.length === 0 ? undefined : { scope: granted.join(" "), resource: server?.resource ?? null }
}

/** The scopes of a request that names none: those of the resource server, or of the user's claims. */
const defaultOf = (own: ReadonlyArray<string>, standard: ReadonlyArray<string>) =>
  own.length > 0 ? own : standard.filter((each) => each !== offlineAccess)
