import { Effect, Option } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { check, remove, removeVersioned, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { isProved } from "../../../../domain/sessions/session.ts"
import { current, rereadSession } from "../../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { redirection } from "../../../../domain/values/redirect-uri.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { acrOf, amrOf } from "../claims/acr.ts"
import { membershipChecks } from "../claims/organization.ts"
import { type Client, offlineAccess } from "../clients/client.ts"
import { InvalidClient, InvalidRedirectUri } from "../errors.ts"
import { issuer } from "../issuer.ts"
import { singles } from "../parameters.ts"
import { knownScopes, type Settings } from "../settings.ts"
import { AuthorizationRequests, codes } from "../tables.ts"
import { agentDocument } from "./agent-document.ts"
import { type AuthorizationRequest, Parameters, read, validatedClient } from "./authorization-request.ts"
import { checkConsent } from "./consent.ts"
import { Consents } from "./consent-table.ts"
import { formPost } from "./form-post.ts"
import { type InteractionPage, interactionPage, isPaged } from "./interaction-pages.ts"
import { chosenMembership } from "./organization-choice.ts"
import { answering, leading } from "./proofs.ts"
import { checkForm, type UnpackedRequest, unpackedRequest } from "./request-form.ts"
import { responseModeIn } from "./request-object.ts"
import { checkSession, loginRequired } from "./session-demands.ts"
import { type IncomingRequest, incomingRequest, storedRequest } from "./stored-requests.ts"

/** A request that can be answered with a code. */
interface Granted {
  readonly client: Client
  readonly redirect_uri: string
  readonly request: AuthorizationRequest
  readonly incoming: UnpackedRequest
}

/** Tokens of an administrator in the name of a user end with the session. */
const withoutOffline = (scope: string) =>
  scope
    .split(" ")
    .filter((each) => each !== offlineAccess)
    .join(" ")

/** Issues a code for the caller's session. The code is removed with the session and the consent. A stored request is answered once. */
const issueCode = Effect.fnUntraced(function* issueCode({ client, redirect_uri, request, incoming }: Granted, code_ttl: number) {
  const { scope, requested, resource, code_challenge, nonce, jkt } = request
  const issue = Effect.gen(function* () {
    const { session } = yield* rereadSession
    const stored = incoming.request_uri === null ? null : yield* storedRequest(incoming.request_uri)
    const membership = yield* chosenMembership(request, stored?.row ?? null, session.row.user_id)
    const consent = yield* checkConsent({ client, redirect_uri, request, stored: stored?.row ?? null, session: session.row })
    const isOwn = isProved(session.row)
    const granted = isOwn ? scope : withoutOffline(scope)
    const content = { client_id: client.client_id, redirect_uri, scope: granted, requested, resource, code_challenge, nonce, jkt }
    // The proof at this time, not at the exchange: an attacker with a copy of the session could request the code before the user steps up.
    const acr = acrOf(session.row, [...request.acr.values, ...request.acr_values])
    const proof = { auth_time: isOwn ? session.row.proved_at : null, amr: amrOf(session.row), acr }
    const member_id = membership?.member.row.id ?? null
    const references = { session_id: session.row.id, consent_id: consent?.row.id ?? null, member_id }
    const { token: code, write } = yield* codes.issue({ ...references, ...content, ...proof }, code_ttl)
    const answered = stored === null ? [] : [removeVersioned(AuthorizationRequests, stored)]
    const unchanged = [check(Sessions, session), ...(consent === null ? [] : [check(Consents, consent)])]
    yield* (yield* Store).commit([...unchanged, ...membershipChecks(membership), write, ...answered])
    return code
  })
  return yield* retryOnConflict(issue)
})

const unknownRequest = new InvalidRequest({ message: "request_uri is unknown, expired, already used or of another client." })

/** The answer to a valid request: a code, or an error that the client gets. */
const outcomeOf = (settings: Settings, granted: Omit<Granted, "request">, own: Option.Option<CurrentSession["Service"]>) =>
  Effect.gen(function* () {
    const { client, incoming } = granted
    yield* checkForm(client, { isPushed: incoming.request_uri !== null, isSigned: incoming.isSigned })
    const request = yield* read(client, knownScopes(settings), incoming.parameters)
    if (Option.isNone(own)) return yield* loginRequired
    yield* checkSession(settings, client, request, incoming.stored?.row ?? null, own.value)
    const code = yield* issueCode({ ...granted, request }, settings.code_ttl).pipe(
      Effect.provideService(CurrentSession, own.value),
      Effect.catchTags({ unauthorized: () => Effect.fail(loginRequired), invalid_state: () => Effect.fail(unknownRequest) }),
    )
    return { code }
  }).pipe(Effect.catchTag("Refused", ({ error, error_description }) => Effect.succeed({ error, error_description })))

/** A denied request is answered once, like an allowed one. */
const removeDenied = Effect.fnUntraced(function* removeDenied({ stored }: IncomingRequest) {
  if (stored !== null) yield* Effect.orDie((yield* Store).commit([remove(AuthorizationRequests, stored.row.hash)]))
})

/** A client without a page here lets the user sign in on its own, and repeats the pushed request. */
const cookiesAfter = (outcome: object, { request_uri }: IncomingRequest) => {
  const isOpen = "error" in outcome && isPaged(String(outcome.error))
  return request_uri !== null && isOpen ? Effect.map(leading(request_uri), (cookie) => [cookie]) : answering(request_uri)
}

/** Sends the browser to a page, which sends it back to the request. */
const interaction = Effect.fnUntraced(function* interaction({ url, reference }: InteractionPage) {
  return { ...Endpoint.reply({ redirect: url }), location: url, cookies: [yield* leading(reference)] }
})

const handler = (settings: Settings) =>
  Effect.fnUntraced(function* identityProviderAuthorize(input: typeof Parameters.Type) {
    const requested = yield* Effect.mapError(incomingRequest(input), () => unknownRequest)
    const own = yield* current
    const first = yield* Effect.catchTag(agentDocument(settings, requested, own), "invalid_state", () => Effect.fail(unknownRequest))
    if (first !== null) return yield* interaction(first)
    const incoming = yield* unpackedRequest(settings, requested)
    const { client, redirect_uri } = yield* validatedClient(settings, incoming.parameters)
    const outcome = yield* outcomeOf(settings, { client, redirect_uri, incoming }, own)
    if ("error" in outcome) {
      const session = Option.map(own, ({ session }) => session)
      const page = yield* Effect.mapError(interactionPage(outcome.error, client, incoming, session), () => unknownRequest)
      if (page !== null) return yield* interaction(page)
      if (outcome.error === "access_denied") yield* removeDenied(incoming)
    }
    const { state, request, response_mode = request === undefined ? undefined : responseModeIn(request) } = singles(incoming.parameters)
    const answer = { ...outcome, state, iss: yield* issuer }
    const session = Option.isSome(own) && own.value.refreshed ? own.value : "keep"
    const cookies = yield* cookiesAfter(outcome, incoming)
    if (response_mode === "form_post") {
      return { ...Endpoint.reply({ redirect: redirect_uri }, session), cookies, text: yield* formPost(redirect_uri, answer) }
    }
    const redirect = redirection(redirect_uri, answer)
    return { ...Endpoint.reply({ redirect }, session), cookies, location: redirect }
  })

/** The authorization endpoint (OpenID Connect Core section 3.1.2.1), for GET and POST. */
export const authorize = (settings: Settings) => {
  const shared = {
    path: "/oauth2/authorize",
    summary: "Redirects the browser back to the client, with a code if the user is signed in.",
    access: "public",
    impersonation: "read",
    input: Parameters,
    output: Endpoint.Redirect,
    errors: [InvalidClient, InvalidRedirectUri],
    protocol: { form: true, navigable: true, text: "text/html" },
    handler: handler(settings),
  } as const
  return [Endpoint.make({ ...shared, method: "GET" }), Endpoint.make({ ...shared, method: "POST", name: "oauth2AuthorizeForm" })] as const
}
