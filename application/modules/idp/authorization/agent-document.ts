import { Effect, Option } from "effect"
import type { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { isProved } from "../../../../domain/sessions/session.ts"
import { readableDocument, readDocument } from "../clients/agents/documents.ts"
import { clientOf } from "../clients/stored-clients.ts"
import { singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
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
  const { client_id } = singles(incoming.parameters)
  if (client_id === undefined || (yield* readableDocument(settings, client_id)) === undefined) return null
  const reader = Option.filter(own, ({ session }) => isProved(session))
  yield* readDocument(settings, client_id, Option.match(reader, { onNone: () => null, onSome: ({ user }) => user.id }))
  if (Option.isSome(own) || Option.isSome(yield* clientOf(settings, client_id))) return null
  return yield* interactionPage("login_required", { client_id }, incoming, Option.none())
})
