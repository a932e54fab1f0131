import { Option, Predicate, Schema } from "effect"
import { isStorable } from "../../../../domain/ports/store.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import type { Client } from "../clients/client.ts"
import { scopeOfClaim } from "../clients/standard-claims.ts"

// The parameter `claims` (OpenID Connect Core section 5.5).

/** How a claim is requested; null for one without further conditions. */
const ClaimRequest = Schema.NullOr(
  Schema.Struct({
    essential: Schema.optionalKey(Schema.Boolean),
    value: Schema.optionalKey(Schema.Unknown),
    values: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  }),
)
type ClaimRequest = typeof ClaimRequest.Type

const Members = Schema.optionalKey(Schema.Record(Schema.String, ClaimRequest))
const Parameter = Schema.Struct({ userinfo: Members, id_token: Members })

/** The names of the claims that a client requested one by one. */
export const RequestedClaims = Schema.Struct({ userinfo: Schema.Array(Schema.String), id_token: Schema.Array(Schema.String) })
export type RequestedClaims = typeof RequestedClaims.Type

const texts = (request: ClaimRequest | undefined): ReadonlyArray<string> =>
  [...(request?.value === undefined ? [] : [request.value]), ...(request?.values ?? [])].filter(Predicate.isString)

/** Only the claims of scopes that the client may request: `claims` gives no further permission. */
const namesIn = (members: Readonly<Record<string, unknown>> = {}, { scopes }: Client) =>
  Object.keys(members).filter((name) => {
    const scope = scopeOfClaim(name)
    return scope !== undefined && scopes.includes(scope)
  })

/** The content of the parameter `claims`. */
export interface ClaimsParameter {
  readonly names: RequestedClaims | null
  readonly acr: { readonly values: ReadonlyArray<string>; readonly isEssential: boolean }
  /** The only users whom the client accepts; empty: all. */
  readonly subjects: ReadonlyArray<string>
  /** The ids of the only organizations that the client accepts; empty: all. */
  readonly organizations: ReadonlyArray<string>
}

/** The content of the parameter; none if it is malformed. Unknown claims are ignored. */
export const requestedClaims = (client: Client, text: string): Option.Option<ClaimsParameter> =>
  Option.gen(function* () {
    if (!isStorable(text)) return yield* Option.none()
    const json = yield* strictJsonObject(new TextEncoder().encode(text))
    const { userinfo, id_token } = yield* Schema.decodeUnknownOption(Parameter)(json)
    const names: RequestedClaims = { userinfo: namesIn(userinfo, client), id_token: namesIn(id_token, client) }
    const acr = id_token?.["acr"]
    return {
      names,
      acr: { values: texts(acr), isEssential: acr?.essential === true },
      subjects: [...texts(id_token?.["sub"]), ...texts(userinfo?.["sub"])],
      organizations: [...texts(id_token?.["org_id"]), ...texts(userinfo?.["org_id"])],
    }
  })
