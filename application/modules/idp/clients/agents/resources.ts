import { Schema } from "effect"
import { about, orElse, Seconds } from "../../../../../domain/settings.ts"
import { ResourceUri, ScopeToken } from "../client-values.ts"

/** A resource server in the configuration, for which agents may request access tokens. */
export const Resource = Schema.Struct({
  resource: ResourceUri.pipe(
    about("The identifier (RFC 8707), which becomes the `aud` of access tokens: for a server of the Model Context Protocol its URL."),
  ),
  aliases: Schema.Array(ResourceUri).pipe(orElse([], "Further spellings of the identifier, such as one with a final slash.")),
  name: Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" })).pipe(
    about("The name that users see."),
  ),
  scopes: Schema.Array(ScopeToken).pipe(orElse([], "The scopes of this server. `texts` can describe each to users (`scope.NAME`).")),
  access_token_format: Schema.Literals(["jwt", "opaque"]).pipe(orElse("jwt", "The form of the access tokens of agents.")),
  access_token_ttl: Seconds.check(Schema.isLessThanOrEqualTo(3600)).pipe(
    orElse(600, "Lifetime of the access tokens of agents in seconds, at most 3600."),
  ),
})
export type Resource = typeof Resource.Type

/** Scheme and host in lower case, without a default port, and `/` for an empty path. The rest counts byte by byte. */
const canonical = (text: string): string => {
  const [, , rest] = /^([a-z][a-z\d+.-]*:\/\/[^/?]*)(.*)$/i.exec(text) ?? []
  const url = rest === undefined ? null : URL.parse(text)
  if (url === null || rest === undefined) return text
  return `${url.protocol}//${url.host.toLowerCase()}${rest.startsWith("/") ? "" : "/"}${rest}`
}

const spellings = ({ resource, aliases }: Resource) => [resource, ...aliases].map(canonical)

/** The resource server with this identifier or alias. */
export const resourceAt = (resources: ReadonlyArray<Resource>, text: string): Resource | undefined =>
  resources.find((each) => spellings(each).includes(canonical(text)))

/** The indices of resource servers with an identifier or alias of an earlier one. */
export const repeatedResources = (resources: ReadonlyArray<Resource>): ReadonlyArray<number> =>
  resources.flatMap((each, index) => {
    const earlier = resources.slice(0, index).flatMap(spellings)
    return spellings(each).some((text) => earlier.includes(text)) ? [index] : []
  })
