import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { CountedMachine } from "../../application/service/module.ts"
import { verifiedTokenHash } from "../../domain/sessions/session-token.ts"
import { lengthOf } from "./body-size.ts"
import { clientCertificate } from "./client-certificate.ts"
import { formBody, isForm } from "./form-body.ts"
import { jsonBody } from "./json-body.ts"

/** The maximum size, in bytes, of a body that is read before the request is counted. A body without `Content-Length` is read only afterwards. */
const maxUncountedBytes = 8192

/** The programs against which requests count. */
type Counted = Pick<Auth<unknown>, "countedKey" | "countedMachine">

/** The client or the key of a request with a valid credential of a machine. A session precedes it, as in the call. */
const machineAuthenticator = (countedMachine: CountedMachine) =>
  Effect.fnUntraced(function* clientOfMachine({ headers }: HttpServerRequest.HttpServerRequest, credential: string | null) {
    if (credential !== null && (yield* verifiedTokenHash(credential)) !== null) return null
    return yield* countedMachine({ authorization: headers["authorization"] ?? null, api_key: headers["x-api-key"] ?? null })
  })

/**
 * Authenticates the client of a request; undefined where neither the endpoint's protocol has clients nor machines call. The handler reads
 * the same body again.
 */
export const makeClientAuthenticator = (
  maxBodyBytes: number,
  trustedProxies: ReadonlyArray<string>,
  { countedKey, countedMachine }: Counted,
) => {
  const form = formBody(maxBodyBytes)
  const json = jsonBody(maxBodyBytes)
  const machine = countedMachine === undefined ? undefined : machineAuthenticator(countedMachine)
  const key = countedKey === undefined ? undefined : machineAuthenticator(countedKey)

  return (endpoint: AnyEndpoint | undefined, hasMachines: boolean) => {
    const client = endpoint?.protocol?.client
    if (client === undefined) return hasMachines ? (endpoint?.access === "member" ? key : machine) : undefined
    const certificateOf = clientCertificate(trustedProxies, endpoint)
    return (request: HttpServerRequest.HttpServerRequest) => {
      const isShort = (lengthOf(request.headers) ?? Number.POSITIVE_INFINITY) <= maxUncountedBytes
      const body = isShort ? Effect.orElseSucceed(isForm(request) ? form(request) : json(request), () => ({})) : Effect.succeed({})
      const authorization = request.headers["authorization"] ?? null
      const client_certificate = certificateOf?.(request.headers, Option.getOrNull(request.remoteAddress)) ?? null
      return Effect.flatMap(body, (body) => client({ authorization, client_certificate, body }))
    }
  }
}
