import { Effect, Option, Schema } from "effect"
import { EmailNotVerified, EmailTaken, InvalidRequest, InvalidState, invalidMember, notAdmitted } from "../../../domain/errors.ts"
import { check, conflictIfTaken, find, insert, orFail, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { hasFreshProof, liveSessionWith } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { linkAccount, newAccount } from "../../../domain/sign-in/account-links.ts"
import { upgradeGuest } from "../../../domain/sign-in/guests.ts"
import { accountsOf, requireRoom } from "../../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { type Directory, exchange } from "./code-exchange.ts"
import { AccountLinked, OauthTokenError, OauthUserinfoError } from "./errors.ts"
import { sentBack, take } from "./flows.ts"
import { formResponse, nameIn } from "./form-post.ts"
import { issuerCheck } from "./issuer.ts"
import { keepTokens } from "./kept-tokens.ts"
import type { Profile } from "./profile.ts"
import type { Provider } from "./provider-settings.ts"
import { isErrorCode } from "./requests.ts"
import { callbackPath, type SocialSettings } from "./settings.ts"
import { provenEmail, signIn } from "./sign-in.ts"

const Input = Schema.Struct({
  state: Schema.NonEmptyString,
  code: Schema.optionalKey(Schema.NonEmptyString),
  /** The issuer of the response (RFC 9207). */
  iss: Schema.optionalKey(Schema.String),
  /** The response of a provider that returned with a form (`form-post.ts`). */
  response: Schema.optionalKey(Schema.String),
  /** The provider's error in place of a code, if the provider or its user refuses the request (RFC 6749 section 4.1.2.1). */
  error: Schema.optionalKey(Schema.String),
})

const Output = Schema.Union([Schema.Struct({ user: User }), Endpoint.Success, Endpoint.Redirect])

export const oauthCallback = (settings: SocialSettings, directory: Directory) => {
  const requireIssuer = issuerCheck(settings, directory.metadata)

  /** Signs the user in, or links the account: then null, except for a guest. */
  const finish = Effect.fnUntraced(function* finishFlow(
    { provider, verifier, session_id, session_token_hash }: Flow,
    { code, iss, sent }: Returned,
  ) {
    const endpoints = yield* directory.metadata.endpointsOf(provider)
    yield* requireIssuer(provider, endpoints.authorize_url, iss)
    const { profile, tokens } = yield* exchange(directory, provider, endpoints, { code, verifier, sent })

    const account = { provider_id: provider.id, account_id: profile.account_id }
    const issued =
      session_id === null
        ? yield* signIn(account, profile, provider.trust_email)
        : yield* retryOnConflict(link(provider, profile, session_id, session_token_hash))
    if (provider.keep_tokens) yield* keepTokens(account, tokens)
    return issued
  })

  return Endpoint.make({
    method: "GET",
    path: callbackPath,
    summary: "The callback of providers: signs the user in, or links the account.",
    access: "public",
    signsIn: "federated",
    protocol: {},
    input: Input,
    output: Output,
    errors: [InvalidState, AccountLinked, OauthTokenError, OauthUserinfoError, EmailNotVerified, EmailTaken, ...notAdmitted],
    handler: Effect.fnUntraced(function* socialCallback(input) {
      const { state, error } = input
      if (error !== undefined) return yield* refused(state, error, settings)
      const returned = yield* received(input)
      const flow = yield* take(state, settings)
      const { target, errorTarget } = flow
      const issued = yield* finish(flow, returned).pipe(sentBack(errorTarget))
      const body: typeof Output.Type = issued === null ? Endpoint.succeeded : { user: issued.user }
      const session = issued ?? "keep"
      return target === null ? Endpoint.reply(body, session) : { ...Endpoint.reply({ redirect: target }, session), location: target }
    }),
  })
}

type Flow = Effect.Success<ReturnType<typeof take>>
type Returned = Effect.Success<ReturnType<typeof received>>

/** The code, from the query or from the form of the provider. */
const received = Effect.fnUntraced(function* receivedResponse({ state, code, iss, response }: typeof Input.Type) {
  if (response !== undefined) {
    const form = yield* orFail(formResponse(state, response), () => new InvalidState())
    return { code: form.code, iss: form.iss, sent: nameIn(form.user) }
  }
  if (code === undefined) return yield* invalidMember("code", "expected a value.")
  return { code, iss, sent: {} }
})

/** Ends the flow with the provider's error. */
const refused = Effect.fnUntraced(function* refusedByProvider(state: string, error: string, settings: SocialSettings) {
  const flow = yield* Effect.option(take(state, settings))
  const reason = isErrorCode(error) ? error : undefined
  const refusal = new InvalidRequest({
    message: `The provider answered ${reason ?? "with an error"}.`,
    ...(reason === undefined ? {} : { reason }),
  })
  return yield* sentBack(Option.getOrNull(Option.map(flow, ({ errorTarget }) => errorTarget)))(Effect.fail(refusal))
})

/**
 * Links the account to the user whose session started the link. The session must have the same token and still be fresh. Otherwise an
 * attacker who started a link with a stolen copy could complete it after a step-up or a new factor. The commit writes the user, so that a
 * concurrent password reset removes the link. A guest becomes a full user, with a new session.
 */
const link = Effect.fnUntraced(function* linkProvider(
  { id, trust_email }: Provider,
  profile: Profile,
  session_id: string,
  session_token_hash: string | null,
) {
  const account = { provider_id: id, account_id: profile.account_id }
  const [session, user] = yield* orFail(liveSessionWith(session_id), () => new InvalidState())
  if (session.row.token_hash !== session_token_hash || !(yield* hasFreshProof(session.row, user.row))) return yield* new InvalidState()
  const holder = yield* find(Accounts, account)
  if (Option.isSome(holder) && holder.value.user_id !== user.row.id) return yield* new AccountLinked()
  if (Option.isSome(holder)) return null
  if (user.row.is_guest) {
    const email = yield* provenEmail(profile, trust_email)
    if (email === null) return yield* new EmailNotVerified({ message: "The provider does not prove an email address of this account." })
    return yield* upgradeGuest({ session, user }, email, [insert(Accounts, yield* newAccount(user.row.id, account))])
  }
  yield* requireRoom((yield* accountsOf(user.row.id)).length)
  yield* (yield* Store)
    .commit([check(Sessions, session), update(Users, user, {}), ...(yield* linkAccount(user.row, account))])
    .pipe(conflictIfTaken)
  return null
})
