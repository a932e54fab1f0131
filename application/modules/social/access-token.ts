import { DateTime, Effect, Fiber, Option, Schema } from "effect"
import { AccountNotFound } from "../../../domain/errors.ts"
import {
  find,
  isCommitted,
  orFail,
  removeVersioned,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { type Directory, refreshTokens } from "./code-exchange.ts"
import { NoProviderToken, OauthTokenError } from "./errors.ts"
import { type KeptTokens, opened, ProviderTokens, rowFor } from "./kept-tokens.ts"
import type { Provider } from "./provider-settings.ts"
import type { SocialSettings } from "./settings.ts"

/** Access tokens that end within this many seconds are refreshed. */
const leeway = 60

/** The interval at which a request checks whether a concurrent refresh has ended, milliseconds. */
const pause = 100

const Output = Schema.Struct({
  access_token: Schema.String,
  /** Null if the provider does not state it. */
  expires_at: Schema.NullOr(Schema.DateTimeUtc),
  scope: Schema.NullOr(Schema.String),
})

/** Whether the tokens of any provider are kept. */
export const keepsTokens = ({ providers }: SocialSettings): boolean => providers.some(({ keep_tokens }) => keep_tokens)

export const accountsAccessToken = (settings: SocialSettings, directory: Directory) =>
  Endpoint.make({
    method: "GET",
    path: "/accounts/access-token",
    summary: "A valid access token of the provider of a linked account, refreshed if it has ended.",
    access: "session",
    impersonation: "never",
    input: Schema.Struct({ id: Schema.String.pipe(Schema.annotateKey({ description: "The id of the linked account." })) }),
    output: Output,
    errors: [AccountNotFound, NoProviderToken, OauthTokenError],
    handler: Effect.fnUntraced(function* socialAccessToken({ id }) {
      const { user } = yield* CurrentSession
      const account = yield* find(Accounts, { id })
      if (Option.isNone(account) || account.value.user_id !== user.id) return yield* new AccountNotFound()
      const provider = settings.providers.find((each) => each.id === account.value.provider_id && each.keep_tokens)
      if (provider === undefined) return yield* new NoProviderToken()
      // A client that disconnects must not interrupt a refresh: the provider may have invalidated the last refresh token already.
      const fiber = yield* Effect.forkDetach(validTokens(provider, directory, id))
      const { row, access_token } = yield* Fiber.join(fiber)
      return Endpoint.reply({ access_token, expires_at: row.access_until, scope: row.scope })
    }),
  })

/** The row with an access token that is valid. Of several requests at once, in all processes, one refreshes it; the others wait. */
const validTokens = Effect.fnUntraced(function* validTokens(provider: Provider, directory: Directory, account: string) {
  const start = yield* DateTime.now
  const end = DateTime.add(start, { seconds: directory.timeout + 1 })
  let hasWaited = false
  while (true) {
    const now = yield* DateTime.now
    const stored = yield* orFail((yield* Store).read(ProviderTokens, { account }), () => new NoProviderToken())
    const { row } = stored
    const { access_token, refresh_token, subject } = yield* orFail(opened(row), () => new NoProviderToken())
    const isRefreshing = row.refreshing_until !== null && !endsBefore(row.refreshing_until, now)
    // After a refresh the token is used to its end: some providers issue tokens for a minute or less.
    const margin = hasWaited && !isRefreshing ? 0 : leeway
    if (!endsBefore(row.access_until, DateTime.add(now, { seconds: margin }))) return { row, access_token }
    if (refresh_token === null)
      return yield* endsBefore(row.access_until, now) ? new NoProviderToken() : Effect.succeed({ row, access_token })
    hasWaited = true
    if (!isRefreshing) {
      const claimed = yield* claim(stored, directory.timeout)
      if (Option.isNone(claimed)) continue
      const isRefreshed = yield* refresh(provider, directory, claimed.value, refresh_token, subject)
      if (isRefreshed) continue
      // The provider does not respond. The token can still be used in its last minute.
      return yield* endsBefore(row.access_until, yield* DateTime.now) ? new OauthTokenError() : Effect.succeed({ row, access_token })
    }
    if (endsBefore(end, now)) return yield* new OauthTokenError()
    yield* Effect.sleep(`${pause} millis`)
  }
})

const endsBefore = (end: DateTime.Utc | null, moment: DateTime.Utc) => end !== null && DateTime.isLessThanOrEqualTo(end, moment)

/**
 * Claims the refresh for this request; none if another request was faster. A claim ends shortly after the time-out of the refresh, so a
 * process that stops during a refresh does not block the account.
 */
const claim = Effect.fnUntraced(function* claimRefresh(stored: Versioned<KeptTokens>, timeout: number) {
  const refreshing_until = DateTime.add(yield* DateTime.now, { seconds: timeout + 5 })
  const isClaimed = yield* isCommitted([update(ProviderTokens, stored, { refreshing_until })])
  return isClaimed ? Option.some<KeptTokens>({ ...stored.row, refreshing_until }) : Option.none<KeptTokens>()
})

/**
 * Refreshes the tokens and stores them. If the provider refuses the refresh token, it is removed, and the user has
 * to sign in there again. False without a usable response: the refresh token is then kept, because the provider may accept it later.
 */
const refresh = Effect.fnUntraced(function* refreshAccount(
  provider: Provider,
  directory: Directory,
  claimed: KeptTokens,
  refresh_token: string,
  subject: string | null,
) {
  const answered = yield* Effect.result(refreshTokens(directory, provider, refresh_token, subject))
  if (answered._tag === "Success") {
    const row = yield* rowFor(claimed.account, answered.success, Option.some(claimed))
    yield* settle(claimed, (current) => update(ProviderTokens, current, row))
    return true
  }
  const isRefused = answered.failure._tag === "Unusable" && answered.failure.error === "invalid_grant"
  yield* settle(claimed, (current) =>
    isRefused ? removeVersioned(ProviderTokens, current) : update(ProviderTokens, current, { refreshing_until: null }),
  )
  return isRefused
})

/**
 * Ends a claim with this write. A concurrent sign-in or unlinking takes precedence. Other concurrent changes, such as the encryption under a
 * new secret, do not: the provider may have invalidated the last refresh token, so the new one must be stored.
 */
const settle = (claimed: KeptTokens, write: (current: Versioned<KeptTokens>) => Write) =>
  retryOnConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const current = yield* store.read(ProviderTokens, { account: claimed.account })
      if (Option.isNone(current) || !isSameClaim(current.value.row, claimed)) return
      yield* store.commit([write(current.value)])
    }),
  )

const isSameClaim = (row: KeptTokens, { refreshing_until }: KeptTokens) =>
  row.refreshing_until !== null && refreshing_until !== null && DateTime.Equivalence(row.refreshing_until, refreshing_until)
