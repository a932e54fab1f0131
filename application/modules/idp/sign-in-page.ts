import { DateTime, Effect, Option } from "effect"
import { filled } from "../../../domain/mail/links.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { provedAt } from "../../../domain/sessions/session.ts"
import { Settings } from "../../../domain/settings.ts"
import type { Parameters } from "./authorization-request.ts"
import type { Client } from "./client.ts"
import { singles } from "./parameters.ts"
import { storeRequest } from "./stored-requests.ts"

/** Time for the user to sign in, seconds. */
const patience = 600

interface Waiting {
  readonly client: Client
  readonly parameters: typeof Parameters.Type
  readonly requested_at: DateTime.Utc | null
  readonly session: Option.Option<StoredSession>
}

/**
 * The page on which the user signs in for a request that needs it. The request is stored, and the page leads back to exactly this request.
 * Null without such a page, with `prompt=none`, and for users who have signed in for this request: another sign-in would not satisfy it either.
 */
export const signInPage = Effect.fnUntraced(function* signInPage({ client, parameters, requested_at, session }: Waiting) {
  const { links, base_path } = yield* Settings
  const { prompt = "", login_hint = "" } = singles(parameters)
  if (links.sign_in === undefined || prompt.split(" ").includes("none")) return null
  if (requested_at !== null && Option.exists(session, (own) => DateTime.isGreaterThan(provedAt(own), requested_at))) return null

  const { client_id } = client
  const request_uri = yield* storeRequest(client_id, singles({ ...parameters, request_uri: "" }), patience)
  const return_to = `${base_path}/oauth2/authorize?${new URLSearchParams({ client_id, request_uri })}`
  return filled(links.sign_in, { return_to, login_hint, prompt: Option.isSome(session) ? "login" : "" })
})
