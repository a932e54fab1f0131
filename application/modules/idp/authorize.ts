import { DateTime, Effect, Option } from "effect"
import { InvalidClient, InvalidRedirectUri } from "../../../domain/errors.ts"
import { check, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { provedAt } from "../../../domain/sessions/session.ts"
import { current, rereadSession } from "../../../domain/sessions/sessions.ts"
import * as Core from "../../../domain/settings.ts"
import { Sessions } from "../../../domain/storage/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { AuthorizationRequest } from "./authorization-request.ts"
import { Parameters, read, refused, validatedClient } from "./authorization-request.ts"
import type { Client } from "./client.ts"
import { formPost } from "./form-post.ts"
import { subjectOf } from "./id-token.ts"
import { issuer } from "./issuer.ts"
import { singles } from "./parameters.ts"
import { redirection } from "./redirect-uri.ts"
import { checkForm, unpacked } from "./request-form.ts"
import type { Settings } from "./settings.ts"
import { knownScopes } from "./settings.ts"
import { signInPage } from "./sign-in-page.ts"
import { isStored, storedRequest } from "./stored-requests.ts"
import { AuthorizationRequests, codes } from "./tables.ts"

/**
 * Without a sign-in page, sign-ins of the last 60 seconds satisfy `prompt=login`: the client sends the user to a page of its own, and repeats
 * the request.
 */
const recentSignIn = 60

const isNewProof = Effect.fnUntraced(function* isNewProof(session: StoredSession, age: number, requested_at: DateTime.Utc | null) {
  if (requested_at !== null) return DateTime.isGreaterThan(provedAt(session), requested_at)
  return (yield* Core.Settings).links.sign_in === undefined && age <= recentSignIn * 1000
})

const loginRequired = refused("login_required", "The user has to sign in first.")

/** Fails unless the session satisfies the request. No consent is required: all clients are registered in the configuration. */
const checkSession = Effect.fnUntraced(function* checkSession(
  settings: Settings,
  request: AuthorizationRequest,
  requested_at: DateTime.Utc | null,
  { session, user }: CurrentSession["Service"],
) {
  const { prompts, id_token_hint, max_age = Number.POSITIVE_INFINITY } = request
  const isProvedForRequest = requested_at !== null && DateTime.isGreaterThan(provedAt(session), requested_at)
  const age = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(provedAt(session))
  if (age > max_age * 1000 && !isProvedForRequest) return yield* loginRequired
  if (prompts.includes("login") && !(yield* isNewProof(session, age, requested_at))) return yield* loginRequired

  if (prompts.includes("select_account")) return yield* refused("account_selection_required", "Account selection is not supported.")
  if (id_token_hint === undefined) return
  const subject = yield* subjectOf(settings, id_token_hint)
  if (Option.isNone(subject)) return yield* refused("invalid_request", "id_token_hint is not an id_token of this issuer.")
  if (subject.value !== user.id) return yield* loginRequired
})

/** An authorization request, and the stored one that it refers to. */
interface Begun {
  readonly parameters: typeof Parameters.Type
  readonly request_uri: string | null
  readonly requested_at: DateTime.Utc | null
  readonly isSigned: boolean
}

/** The parameters of the request, or those of the stored request that it names: the others of the URL do not count (RFC 9126 section 4). */
const begun = Effect.fnUntraced(function* begun(settings: Settings, input: typeof Parameters.Type) {
  const { client_id, request_uri } = singles(input)
  if (request_uri === undefined || !isStored(request_uri)) {
    const direct: Begun = { ...(yield* unpacked(settings, input)), request_uri: null, requested_at: null }
    return direct
  }
  const { row } = yield* storedRequest(client_id, request_uri)
  const referred: Begun = { parameters: row.parameters, request_uri, requested_at: row.requested_at, isSigned: true }
  return referred
})

/** Issues a code for the caller's session. The code is removed with the session. A stored request is answered once. */
const issueCode = Effect.fnUntraced(function* issueCode(
  client: Client,
  redirect_uri: string,
  { scope, resource, code_challenge, nonce, jkt }: AuthorizationRequest,
  stored: string | null,
  code_ttl: number,
) {
  const issue = Effect.gen(function* () {
    const { session } = yield* rereadSession
    const answered = stored === null ? [] : [removeVersioned(AuthorizationRequests, yield* storedRequest(client.client_id, stored))]
    const auth_time = provedAt(session.row)
    const asked = { client_id: client.client_id, redirect_uri, scope, resource, code_challenge, nonce, jkt }
    // As of now, not of the exchange: a stolen copy of the session could request the code before the user steps up.
    const proof = { auth_time, amr: session.row.multi_factor === true ? "mfa" : null }
    const { token: code, write } = yield* codes.issue({ session_id: session.row.id, ...asked, ...proof }, code_ttl)
    yield* (yield* Store).commit([check(Sessions, session), write, ...answered])
    return code
  })
  return yield* retryOnConflict(issue)
})

const handler = (settings: Settings) => {
  const known = knownScopes(settings)
  return Effect.fn("identityProvider.authorize")(function* (input: typeof Parameters.Type) {
    const { parameters, request_uri, requested_at, isSigned } = yield* begun(settings, input)
    const { client, redirect_uri } = yield* validatedClient(settings, parameters)
    const own = yield* current
    const granting = Effect.gen(function* () {
      yield* checkForm(client, { isPushed: request_uri !== null, isSigned })
      const request = yield* read(client, known, parameters)
      if (Option.isNone(own)) return yield* loginRequired
      yield* checkSession(settings, request, requested_at, own.value)
      const code = yield* issueCode(client, redirect_uri, request, request_uri, settings.code_ttl).pipe(
        Effect.provideService(CurrentSession, own.value),
        Effect.catchTag("unauthorized", () => Effect.fail(loginRequired)),
      )
      return { code }
    })
    const outcome = yield* Effect.catchTag(granting, "Refused", ({ error, error_description }) =>
      Effect.succeed({ error, error_description }),
    )
    const { state, response_mode } = singles(parameters)
    if ("error" in outcome && outcome.error === loginRequired.error) {
      const page = yield* signInPage({ client, parameters, requested_at, session: Option.map(own, ({ session }) => session) })
      if (page !== null) return { ...Endpoint.reply({ redirect: page }), location: page }
    }
    const answer = { ...outcome, state, iss: yield* issuer }
    const session = Option.isSome(own) && own.value.refreshed ? own.value : "keep"
    if (response_mode === "form_post") {
      return { ...Endpoint.reply({ redirect: redirect_uri }, session), text: yield* formPost(redirect_uri, answer) }
    }
    const redirect = redirection(redirect_uri, answer)
    return { ...Endpoint.reply({ redirect }, session), location: redirect }
  })
}

/** The authorization endpoint (OpenID Connect Core section 3.1.2.1), for GET and POST. */
export const authorize = (settings: Settings) => {
  const shared = {
    path: "/oauth2/authorize",
    summary: "Redirects the browser back to the client, with a code if the user is signed in.",
    access: "public",
    input: Parameters,
    output: Endpoint.Redirect,
    errors: [InvalidClient, InvalidRedirectUri],
    protocol: { form: true, navigable: true, text: "text/html" },
    handler: handler(settings),
  } as const
  return [Endpoint.make({ ...shared, method: "GET" }), Endpoint.make({ ...shared, method: "POST", name: "oauth2AuthorizeForm" })] as const
}
