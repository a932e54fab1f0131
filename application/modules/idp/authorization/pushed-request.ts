import { Effect, Schema } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { authenticate, Credentials, clientProtocol } from "../clients/client-authentication.ts"
import { provedKey } from "../clients/dpop.ts"
import { InvalidClient, InvalidDpopProof, InvalidRequestObject, InvalidScope, InvalidTarget, UseDpopNonce } from "../errors.ts"
import { distinct, singles } from "../parameters.ts"
import { oauthRefusal } from "../refusals.ts"
import { knownScopes, type Settings } from "../settings.ts"
import { Parameters, read, validatedClient } from "./authorization-request.ts"
import { checkForm, unpacked } from "./request-form.ts"
import { storeRequest } from "./stored-requests.ts"

/** Seconds within which the browser must start the request. */
const lifetime = 60

const refusals = { invalid_scope: InvalidScope, invalid_target: InvalidTarget, invalid_request_object: InvalidRequestObject }

/** The error of a request that the authorization endpoint would refuse too. */
const refusalOf = (error: string, message: string) =>
  error === "invalid_scope" || error === "invalid_target" || error === "invalid_request_object"
    ? new refusals[error]({ message })
    : new InvalidRequest({ message })

/** The key that binds the code: that of the DPoP proof, which must be `dpop_jkt` if both are given (RFC 9449 section 10.1). */
const bindingOf = Effect.fnUntraced(function* bindingOf(settings: Settings, dpop_jkt: string | undefined) {
  const { dpop } = yield* Caller
  if (dpop === null) return {}
  const jkt = yield* provedKey(settings, dpop, { method: "POST", path: "/oauth2/par" })
  if (dpop_jkt !== undefined && dpop_jkt !== jkt) return yield* new InvalidDpopProof({ message: "dpop_jkt is not the key of the proof." })
  return { dpop_jkt: jkt }
})

const Input = Schema.Struct({ ...Parameters.fields, ...Credentials.fields })

/** The endpoint for pushed authorization requests (RFC 9126): the client sends the parameters, and the browser sends only a reference to them. */
export const pushedRequest = (settings: Settings) => {
  const known = knownScopes(settings)
  return Endpoint.make({
    method: "POST",
    path: "/oauth2/par",
    summary: "Stores an authorization request of a client, and returns the request_uri with which the browser starts it.",
    access: "public",
    input: Input,
    output: Schema.Struct({ request_uri: Schema.String, expires_in: Schema.Int }),
    errors: [InvalidDpopProof, UseDpopNonce, InvalidRequestObject, InvalidScope, InvalidTarget, [InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, created: true, ...clientProtocol(settings), refusal: oauthRefusal },
    handler: Effect.fnUntraced(function* identityProviderPushRequest(input) {
      const single = yield* distinct<string>(input)
      const client = yield* authenticate(settings, single)
      const { client_secret: _, client_assertion: __, client_assertion_type: ___, request_uri, ...rest } = single
      const { parameters: given, isSigned } = yield* unpacked(settings, { ...rest, client_id: client.client_id })
      const parameters = { ...given, ...(yield* bindingOf(settings, singles(given)["dpop_jkt"])) }
      if (request_uri !== undefined) return yield* new InvalidRequest({ message: "request_uri cannot be pushed." })
      yield* checkForm(client, { isPushed: true, isSigned }).pipe(
        Effect.andThen(validatedClient(settings, parameters)),
        Effect.andThen(read(client, known, parameters)),
        Effect.catchTags({
          invalid_redirect_uri: ({ message }) => Effect.fail(new InvalidRequest({ message })),
          Refused: ({ error, error_description: message }) => Effect.fail(refusalOf(error, message)),
        }),
      )
      return Endpoint.reply({
        request_uri: yield* storeRequest(client.client_id, singles({ ...parameters, client_id: client.client_id }), lifetime),
        expires_in: lifetime,
      })
    }),
  })
}
