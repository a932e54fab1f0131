import { Effect } from "effect"
import { InvalidState } from "../../../../domain/errors.ts"
import { knownScopes, type Settings } from "../settings.ts"
import { read, validatedClient } from "./authorization-request.ts"
import { neededScopes } from "./consent.ts"
import { storedRequest } from "./stored-requests.ts"

/** A stored request with its client and its scopes, for the pages on which users decide. */
export const openRequest = Effect.fnUntraced(function* openRequest(settings: Settings, request_uri: string) {
  const stored = yield* storedRequest(request_uri)
  const { parameters } = stored.row
  return yield* validatedClient(settings, parameters).pipe(
    Effect.flatMap(({ client, redirect_uri }) =>
      Effect.map(read(client, knownScopes(settings), parameters), (request) => ({
        stored,
        client,
        redirect_uri,
        request,
        scope: neededScopes(request),
      })),
    ),
    // The settings of the client have changed since the request was stored.
    Effect.mapError(() => new InvalidState()),
  )
})
