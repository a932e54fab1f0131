import { Effect, Option } from "effect"
import type { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { isProved } from "../../../../domain/sessions/session.ts"
import { readDocument } from "../clients/agents/documents.ts"
import { singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { requestFault } from "./authorization-request.ts"
import { interactionPage } from "./interaction-pages.ts"
import type { IncomingRequest } from "./stored-requests.ts"

/**
 * Reads the metadata document of an agent, if the request is one of an agent. The page on which the user first signs in, if only a signed-in
 * user may cause that a document is read; null otherwise.
 */
export const agentDocument = Effect.fnUntraced(function* agentDocument(
  settings: Settings,
  incoming: IncomingRequest,
  own: Option.Option<CurrentSession["Service"]>,
) {
  const { client_id = "" } = singles(incoming.parameters)
  // A guest has proved nothing, so anyone can be as many guests as they like.
  const reader = Option.filter(own, ({ session, user }) => isProved(session) && !user.is_guest)
  const isRead = yield* readDocument(settings, client_id, Option.match(reader, { onNone: () => null, onSome: ({ user }) => user.id }))
  if (isRead || requestFault(incoming.parameters) !== undefined) return null
  return yield* interactionPage(
    "login_required",
    { client_id },
    incoming,
    Option.map(own, ({ session }) => session),
  )
})
