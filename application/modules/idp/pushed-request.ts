import { Effect, Schema } from "effect"
import { InvalidClient, InvalidRequest, InvalidScope } from "../../../domain/errors.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Parameters, read, validatedClient } from "./authorization-request.ts"
import { authenticate, Credentials, provenClient } from "./client-authentication.ts"
import { distinct } from "./parameters.ts"
import { oauthRefusal } from "./refusals.ts"
import type { Settings } from "./settings.ts"
import { knownScopes } from "./settings.ts"
import { storeRequest } from "./stored-requests.ts"

/** Seconds in which the browser has to arrive with the request. */
const lifetime = 60

const Input = Schema.Struct({ ...Parameters.fields, ...Credentials.fields })

/** The endpoint for pushed authorization requests (RFC 9126): the client sends the parameters itself, and the browser only a reference. */
export const pushedRequest = (settings: Settings) => {
  const known = knownScopes(settings)
  return Endpoint.make({
    method: "POST",
    path: "/oauth2/par",
    summary: "Stores an authorization request of a client, and returns the request_uri with which the browser begins it.",
    access: "public",
    input: Input,
    output: Schema.Struct({ request_uri: Schema.String, expires_in: Schema.Int }),
    errors: [InvalidScope, [InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, created: true, client: provenClient(settings), refusal: oauthRefusal },
    handler: Effect.fn("identityProvider.pushRequest")(function* (input) {
      const single = yield* distinct<string>(input)
      const client = yield* authenticate(settings, single)
      const { client_secret: _, client_assertion: __, client_assertion_type: ___, request_uri, ...rest } = single
      const parameters = { ...rest, client_id: client.client_id }
      if (request_uri !== undefined) return yield* new InvalidRequest({ message: "request_uri cannot be pushed." })
      yield* validatedClient(settings.clients, parameters).pipe(
        Effect.andThen(read(client, known, parameters)),
        Effect.catchTags({
          invalid_redirect_uri: ({ message }) => Effect.fail(new InvalidRequest({ message })),
          Refused: ({ error, error_description: message }) =>
            Effect.fail(error === "invalid_scope" ? new InvalidScope({ message }) : new InvalidRequest({ message })),
        }),
      )
      return Endpoint.reply({ request_uri: yield* storeRequest(client.client_id, parameters, lifetime), expires_in: lifetime })
    }),
  })
}
