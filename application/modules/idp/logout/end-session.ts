import { Effect, Option, Schema } from "effect"
import { Forbidden, InvalidRequest, InvalidState } from "../../../../domain/errors.ts"
import { liveSession } from "../../../../domain/limits/live-session.ts"
import { filled } from "../../../../domain/mail/links.ts"
import type { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { current, revoke } from "../../../../domain/sessions/sessions.ts"
import * as Core from "../../../../domain/settings.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { InvalidRedirectUri } from "../errors.ts"
import { singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { framesOf, signedOutPage } from "./front-channel-logout.ts"
import { isOfSession, LogoutParameters, type LogoutRequest, storedLogout, storeLogout, validLogout } from "./logout-requests.ts"

/** What the browser does after the end of a session. */
const SignedOut = Schema.Struct({
  /** The URL of the client to which the browser is redirected afterwards. */
  redirect: Schema.NullOr(Schema.String),
  /** The pages of clients to load in frames first (OpenID Connect Front-Channel Logout section 3). */
  frames: Schema.Array(Schema.String),
}).annotate({ identifier: "SignedOut", description: "What the browser does after the end of a session." })

/** Ends a session, and returns the frames of its clients. */
const end = Effect.fnUntraced(function* end(settings: Settings, { session, user }: CurrentSession["Service"]) {
  const frames = yield* framesOf(settings, session.id)
  yield* revoke(session.id, user.id)
  return frames
})

/** The answer after the end of the session, which clears the cookie. */
const signedOut = (redirect: string | null, frames: ReadonlyArray<string>) => {
  const reply = Endpoint.reply({ redirect, frames }, "clear")
  return redirect !== null && frames.length === 0 ? { ...reply, location: redirect } : { ...reply, text: signedOutPage(redirect, frames) }
}

/** The page on which the user confirms the end of their session. */
const confirmation = Effect.fnUntraced(function* confirmation(request: LogoutRequest, reference: string | undefined) {
  const template = (yield* Core.Settings).links.sign_out
  if (template === undefined) {
    return yield* new Forbidden({ message: "Only a client with an id_token of this session can end it here." })
  }
  const logout_request = reference ?? (yield* storeLogout(request))
  const page = filled(template, { logout_request, ui_locales: request.ui_locales ?? "" })
  return { ...Endpoint.reply({ redirect: page, frames: [] }), location: page }
})

/** The request itself, or the stored one that it names. */
const requestOf = Effect.fnUntraced(function* requestOf(settings: Settings, input: typeof LogoutParameters.Type) {
  const { logout_request } = singles(input)
  if (logout_request === undefined) return yield* validLogout(settings, input)
  const stored = yield* storedLogout(logout_request)
  return Option.isNone(stored) ? yield* new InvalidState() : stored.value
})

const shared = {
  path: "/oauth2/logout",
  access: "public",
  input: LogoutParameters,
  output: SignedOut,
  errors: [Forbidden, InvalidRequest, InvalidRedirectUri, InvalidState],
  impersonation: "read",
  protocol: { form: true, navigable: true, text: "text/html" },
} as const

const get = (settings: Settings) =>
  Endpoint.make({
    ...shared,
    method: "GET",
    summary: "Ends the session if the client sends an id_token of it; otherwise the user has to confirm on a page.",
    handler: Effect.fnUntraced(function* identityProviderEndSession(input) {
      const request = yield* requestOf(settings, input)
      const own = yield* current
      if (Option.isNone(own)) return signedOut(request.redirect, [])
      if (!(yield* isOfSession(settings, request, own.value))) return yield* confirmation(request, singles(input).logout_request)
      return signedOut(request.redirect, yield* end(settings, own.value))
    }),
  })

/** Redirects to the GET: browsers send no `SameSite=Lax` cookie with a POST from another site, so the session is not known here. */
const post = (settings: Settings) =>
  Endpoint.make({
    ...shared,
    method: "POST",
    name: "oauth2LogoutForm",
    summary: "The same with a form.",
    handler: Effect.fnUntraced(function* identityProviderEndSessionForm(input) {
      const request = yield* requestOf(settings, input)
      // A stored request keeps its end: a copy would be valid for longer.
      const logout_request = singles(input).logout_request ?? (yield* storeLogout(request))
      const { base_path } = yield* Core.Settings
      const location = `${base_path}/oauth2/logout?${new URLSearchParams({ logout_request })}`
      return { ...Endpoint.reply({ redirect: location, frames: [] }), location }
    }),
  })

const confirm = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/logout/confirm",
    summary: "Ends the current session after the user's confirmation, for the request of a client or without one.",
    access: "public",
    readsSession: true,
    impersonation: "read",
    input: Schema.Struct({ logout_request: Schema.optionalKey(Schema.String) }),
    output: SignedOut,
    handler: Effect.fnUntraced(function* identityProviderConfirmLogout({ logout_request }) {
      const stored = logout_request === undefined ? Option.none() : yield* storedLogout(logout_request)
      const own = yield* liveSession
      const frames = Option.isNone(own) ? [] : yield* end(settings, own.value)
      const redirect = Option.match(stored, { onNone: () => null, onSome: (request) => request.redirect })
      return Endpoint.reply({ redirect, frames }, "clear")
    }),
  })

/** The end session endpoint (OpenID Connect RP-Initiated Logout section 2), and the endpoint of the page on which the user confirms. */
export const endSession = (settings: Settings) => [get(settings), post(settings), confirm(settings)] as const
