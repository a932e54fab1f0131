import { Effect, Option } from "effect"
import { type Client, hasKeys, needsPush } from "../clients/client.ts"
import { clientOf } from "../clients/stored-clients.ts"
import { singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { Parameters, refused } from "./authorization-request.ts"
import { signedParameters } from "./request-object.ts"
import type { IncomingRequest } from "./stored-requests.ts"

/** Whether an authorization request was pushed, and whether it is signed. */
interface Form {
  readonly isPushed: boolean
  readonly isSigned: boolean
}

/** The request of an agent can be stored before its keys are known. */
const maySignRequests = (client: Client) => hasKeys(client) && client.agent === undefined

/** The parameters of a request, or those of the request object in it. `isSigned`: whether the client has signed them. */
export const unpacked = Effect.fnUntraced(function* unpacked(settings: Settings, parameters: typeof Parameters.Type) {
  const { client_id, request } = singles(parameters)
  const client = yield* clientOf(settings, client_id)
  if (request === undefined || Option.isNone(client) || !maySignRequests(client.value)) return { parameters, isSigned: false }
  const signed = yield* signedParameters(client.value, Object.keys(Parameters.fields), request)
  return Option.match(signed, {
    onNone: () => ({ parameters, isSigned: false }),
    onSome: (parameters: typeof Parameters.Type) => ({ parameters, isSigned: true }),
  })
})

/** An authorization request whose request object, if it has one, is verified. */
export interface UnpackedRequest extends IncomingRequest {
  readonly isSigned: boolean
}

/** The request with its effective parameters. A stored request has them already. */
export const unpackedRequest = Effect.fnUntraced(function* unpackedRequest(settings: Settings, incoming: IncomingRequest) {
  const read = incoming.stored === null ? yield* unpacked(settings, incoming.parameters) : { isSigned: true }
  return { ...incoming, ...read } satisfies UnpackedRequest
})

/** Refuses a request that is not pushed or not signed although the client requires it (RFC 9126, RFC 9101). */
export const checkForm = Effect.fnUntraced(function* checkForm(client: Client, { isPushed, isSigned }: Form) {
  if (needsPush(client) && !isPushed) {
    return yield* refused("invalid_request", "The client must push its authorization requests.")
  }
  if (client.require_signed_request_object && !isSigned) {
    return yield* refused("invalid_request", "The client must sign its authorization requests.")
  }
})
