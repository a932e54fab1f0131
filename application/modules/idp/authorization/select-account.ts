import { Effect, Schema } from "effect"
import { InvalidState } from "../../../../domain/errors.ts"
import { retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { AuthorizationRequests } from "../tables.ts"
import { resumed, storedRequest } from "./stored-requests.ts"

/** The endpoint of the page on which users choose the account for a request with `prompt=select_account`. */
export const selectAccount = Endpoint.make({
  method: "POST",
  path: "/oauth2/select-account",
  summary: "Chooses the account of this session for the request of a client. The browser then goes to `redirect`.",
  access: "session",
  input: Schema.Struct({ request_uri: Schema.String }),
  output: Endpoint.Redirect,
  errors: [InvalidState],
  handler: Effect.fnUntraced(function* identityProviderSelectAccount({ request_uri }) {
    const { session } = yield* CurrentSession
    const stored = yield* storedRequest(request_uri)
    yield* (yield* Store).commit([update(AuthorizationRequests, stored, { selected_in: session.id })])
    return yield* resumed(stored.row.client_id, request_uri)
  }, retryOnConflict),
})
