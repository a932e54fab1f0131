import { DateTime, Effect, Option } from "effect"
import { InvalidClient, InvalidRedirectUri } from "../../../domain/errors.ts"
import { check, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { provedAt } from "../../../domain/sessions/session.ts"
import { current, rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/storage/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { AuthorizationRequest } from "./authorization-request.ts"
import { Parameters, read, refused, validatedClient } from "./authorization-request.ts"
import { issuer, subjectOf } from "./id-token.ts"
import { singles } from "./parameters.ts"
import { redirection } from "./redirect-uri.ts"
import type { Client, Settings } from "./settings.ts"
import { knownScopes } from "./settings.ts"
import { codes } from "./tables.ts"

/** Sign-ins of the last 60 seconds satisfy `prompt=login`: this service has no sign-in page of its own to show. */
const recentSignIn = 60

const loginRequired = refused("login_required", "The user has to sign in first.")

/** Fails unless the session satisfies the request. No consent is required: all clients are registered in the configuration. */
const checkSession = Effect.fnUntraced(function* checkSession(request: AuthorizationRequest, { session, user }: CurrentSession["Service"]) {
  const { prompts, id_token_hint, max_age = Number.POSITIVE_INFINITY } = request
  const age = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(provedAt(session))
  const oldest = prompts.includes("login") ? Math.min(max_age, recentSignIn) : max_age
  if (age > oldest * 1000) return yield* loginRequired

  if (prompts.includes("select_account")) return yield* refused("account_selection_required", "Account selection is not supported.")
  if (id_token_hint === undefined) return
  const subject = yield* subjectOf(id_token_hint)
  if (Option.isNone(subject)) return yield* refused("invalid_request", "id_token_hint is not an id_token of this issuer.")
  if (subject.value !== user.id) return yield* loginRequired
})

/** Issues a code for the caller's session. The code is removed with the session. */
const issueCode = Effect.fnUntraced(function* issueCode(
  client: Client,
  redirect_uri: string,
  { scope, code_challenge, nonce }: AuthorizationRequest,
  code_ttl: number,
) {
  const issue = Effect.gen(function* () {
    const { session } = yield* rereadSession
    const auth_time = provedAt(session.row)
    const asked = { client_id: client.client_id, redirect_uri, scope, code_challenge, nonce }
    const { token: code, write } = yield* codes.issue({ session_id: session.row.id, ...asked, auth_time }, code_ttl)
    yield* (yield* Store).commit([check(Sessions, session), write])
    return code
  })
  return yield* retryOnConflict(issue)
})

const handler = (settings: Settings) => {
  const known = knownScopes(settings)
  return Effect.fn("identityProvider.authorize")(function* (input: typeof Parameters.Type) {
    const { client, redirect_uri } = yield* validatedClient(settings.clients, input)
    const own = yield* current
    const granting = Effect.gen(function* () {
      const request = yield* read(client, known, input)
      if (Option.isNone(own)) return yield* loginRequired
      yield* checkSession(request, own.value)
      const code = yield* issueCode(client, redirect_uri, request, settings.code_ttl).pipe(
        Effect.provideService(CurrentSession, own.value),
        Effect.catchTag("unauthorized", () => Effect.fail(loginRequired)),
      )
      return { code }
    })
    const outcome = yield* Effect.catchTag(granting, "Refused", ({ error, error_description }) =>
      Effect.succeed({ error, error_description }),
    )
    const redirect = redirection(redirect_uri, { ...outcome, state: singles(input).state, iss: yield* issuer })
    const session = Option.isSome(own) && own.value.refreshed ? own.value : "keep"
    return { ...Endpoint.reply({ redirect }, session), location: redirect }
  })
}

/** OpenID Connect Core section 3.1.2.1: GET and POST. */
export const authorize = (settings: Settings) => {
  const shared = {
    path: "/oauth2/authorize",
    summary: "Redirects the browser back to the client, with a code if the user is signed in.",
    access: "public",
    input: Parameters,
    output: Endpoint.Redirect,
    errors: [InvalidClient, InvalidRedirectUri],
    protocol: { form: true, navigable: true },
    handler: handler(settings),
  } as const
  return [Endpoint.make({ ...shared, method: "GET" }), Endpoint.make({ ...shared, method: "POST", name: "oauth2AuthorizeForm" })] as const
}
