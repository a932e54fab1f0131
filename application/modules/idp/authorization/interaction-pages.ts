import { Effect, Option } from "effect"
import { filled } from "../../../../domain/mail/links.ts"
import { isProved, type StoredSession } from "../../../../domain/sessions/session.ts"
import { Settings } from "../../../../domain/settings.ts"
import type { Client } from "../clients/client.ts"
import { singles } from "../parameters.ts"
import { type IncomingRequest, keepRequest, lifetime, resumption, storeRequest } from "./stored-requests.ts"

/** The pages that a request can need, by the error that the client gets if the page is not configured. */
const pages = {
  login_required: "sign_in",
  account_selection_required: "choose_account",
  interaction_required: "choose_organization",
  consent_required: "consent",
} as const
export const isPaged = (error: string): error is keyof typeof pages => error in pages

/** The address of a page, and the `request_uri` of the request that it is for. */
export interface InteractionPage {
  readonly url: string
  readonly reference: string
}

/**
 * The page that resolves this error of a request, and the reference of the request. The request is stored, and the page sends the browser back to it. Null in four cases:
 * the page is not configured; an administrator asks in the name of the user; the request has `prompt=none`; or the user has already signed in for this request, so that another sign-in
 * would not meet it either.
 */
export const interactionPage = Effect.fnUntraced(function* interactionPage(
  error: string,
  { client_id }: Pick<Client, "client_id">,
  { parameters, request_uri, stored }: IncomingRequest,
  session: Option.Option<StoredSession>,
) {
  const { links, base_path } = yield* Settings
  const { prompt = "", login_hint = "", ui_locales = "" } = singles(parameters)
  const isCreation = error === "login_required" && prompt.split(" ").includes("create")
  const template = isCreation ? links.create_account : isPaged(error) ? links[pages[error]] : undefined
  if (Option.exists(session, (own) => !isProved(own))) return null
  if (template === undefined || prompt.split(" ").includes("none")) return null
  if (error === "login_required" && Option.exists(session, ({ id }) => stored?.row.proved_in === id)) return null

  const reference = request_uri ?? (yield* storeRequest(client_id, singles({ ...parameters, request_uri: "" }), lifetime))
  if (request_uri !== null) yield* keepRequest(request_uri)
  const url = filled(template, {
    return_to: resumption(base_path, client_id, reference),
    request_uri: reference,
    login_hint,
    prompt: Option.isSome(session) ? "login" : "",
    ui_locales,
  })
  return { url, reference } satisfies InteractionPage
})
