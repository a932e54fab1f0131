import { DateTime, Effect, Option } from "effect"
import type { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { CurrentImpersonation } from "../../../../domain/sessions/impersonation.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import * as Core from "../../../../domain/settings.ts"
import { satisfiesAcr } from "../claims/acr.ts"
import { subjectOf } from "../claims/subject.ts"
import type { Client } from "../clients/client.ts"
import { clientOf } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import type * as Tables from "../tables.ts"
import { hintOf } from "../tokens/id-token.ts"
import { type AuthorizationRequest, refused } from "./authorization-request.ts"

// The requirements of a request on the user's session (OpenID Connect Core section 3.1.2.1).

/**
 * Without a sign-in page, sign-ins of the last 60 seconds satisfy `prompt=login`: the client sends the user to a page of its own, and repeats
 * the request.
 */
const recentSignIn = 60

export const loginRequired = refused("login_required", "The user has to sign in first.")

/** OpenID Connect Core Error Code `unmet_authentication_requirements` 1.0. */
const unmetRequirements = refused("unmet_authentication_requirements", "The user cannot prove their identity in the way that acr requires.")

const impersonationDenied = refused("access_denied", "Administrators cannot sign in to this client in the name of a user.")

/** Refuses administrators in the name of a user, unless the client accepts those who may act. */
const checkImpersonation = ({ accepts_impersonation }: Client) =>
  Effect.flatMap(CurrentImpersonation, (current) =>
    current === null || (accepts_impersonation && current.mode === "act") ? Effect.void : impersonationDenied,
  )

type Stored = Tables.AuthorizationRequest | null

const isNewProof = Effect.fnUntraced(function* isNewProof(session: StoredSession, age: number, stored: Stored) {
  if (stored !== null) return stored.proved_in === session.id
  return (yield* Core.Settings).links.sign_in === undefined && age <= recentSignIn * 1000
})

/** Fails unless the session satisfies the request. */
export const checkSession = Effect.fnUntraced(function* checkSession(
  settings: Settings,
  client: Client,
  { prompts, id_token_hint, acr, subjects, max_age = Number.POSITIVE_INFINITY }: AuthorizationRequest,
  stored: Stored,
  { session, user }: CurrentSession["Service"],
) {
  yield* checkImpersonation(client)
  const isProvedForRequest = stored?.proved_in === session.id
  const age = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(session.proved_at)
  if (age > max_age * 1000 && !isProvedForRequest) return yield* loginRequired
  // With `create`, a user who has an account can sign in instead.
  const isProofAsked = prompts.includes("login") || prompts.includes("create")
  if (isProofAsked && !(yield* isNewProof(session, age, stored))) return yield* loginRequired

  if (acr.isEssential && acr.values.length > 0 && !satisfiesAcr(session, acr.values)) {
    return yield* isProvedForRequest ? unmetRequirements : loginRequired
  }

  const isSelected = isProvedForRequest || stored?.selected_in === session.id
  if (prompts.includes("select_account") && !isSelected) {
    return yield* refused("account_selection_required", "The user has to choose an account first.")
  }
  if (subjects.length > 0 && !subjects.includes(yield* subjectOf(client, user.id))) return yield* loginRequired
  if (id_token_hint === undefined) return
  const hint = yield* hintOf(settings, id_token_hint)
  if (Option.isNone(hint)) return yield* refused("invalid_request", "id_token_hint is not an id_token of this issuer.")
  const hinted = Option.getOrElse(yield* clientOf(settings, hint.value.aud), () => client)
  if (hint.value.sub !== (yield* subjectOf(hinted, user.id))) return yield* loginRequired
})
