import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { check, put, retryOnConflict, Store, type Versioned } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import type { AccountName } from "../../../domain/sign-in/account-links.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import type { Tokens } from "./token-request.ts"

const purpose = "provider-token"

const Row = Schema.Struct({
  /** The id of the linked account. */
  account: Schema.String,
  /** Access token and refresh token, encrypted: an attacker who reads the store cannot use them. */
  tokens: Schema.String,
  /** The granted scopes, separated by blanks; null if the provider does not state them. */
  scope: Schema.NullOr(Schema.String),
  /** The time when the access token expires; null if the provider does not state it. */
  access_until: Schema.NullOr(Schema.DateTimeUtc),
  /** Until this time, the request that set it refreshes the tokens and the others wait: a refresh token may be valid only once. */
  refreshing_until: Schema.NullOr(Schema.DateTimeUtc),
})
export type KeptTokens = typeof Row.Type

/** The tokens of providers with `keep_tokens`, one row for each linked account. They are removed with it. */
export const ProviderTokens = Table.make("provider_token", Row, {
  key: "account",
  references: { account: Accounts },
  sealed: { tokens: purpose },
  data: { personal: ["scope", "access_until"], secret: ["tokens"], other: ["account", "refreshing_until"] },
})

const Sealed = Schema.fromJsonString(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.NullOr(Schema.String),
    /** The `sub` of the ID token of the last sign-in; null for a provider whose ID tokens are not read. */
    subject: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  }),
)

/** The tokens in a row; none if no secret of the configuration opens them. */
export const opened = Effect.fnUntraced(function* openedTokens({ tokens }: KeptTokens) {
  const text = yield* (yield* Keys).open(purpose, tokens)
  return Option.flatMap(text, Schema.decodeUnknownOption(Sealed))
})

/** The row for tokens of a provider. Without a new refresh token, the last one stays valid (RFC 6749 section 6). */
export const rowFor = Effect.fnUntraced(function* rowFor(account: string, tokens: Tokens, last: Option.Option<KeptTokens>) {
  const former = Option.isSome(last) ? yield* opened(last.value) : Option.none()
  const refresh_token = tokens.refresh_token === null ? null : Redacted.value(tokens.refresh_token)
  const kept = {
    access_token: Redacted.value(tokens.access_token),
    refresh_token: refresh_token ?? Option.getOrNull(Option.map(former, (each) => each.refresh_token)),
    subject: tokens.subject ?? Option.getOrNull(Option.map(former, (each) => each.subject)),
  }
  return {
    account,
    tokens: yield* (yield* Keys).seal(purpose, JSON.stringify(kept)),
    scope: tokens.scope ?? Option.getOrNull(Option.map(last, ({ scope }) => scope)),
    access_until: tokens.expires_in === null ? null : DateTime.add(yield* DateTime.now, { seconds: tokens.expires_in }),
    refreshing_until: null,
  } satisfies KeptTokens
})

/**
 * Keeps the tokens of a sign-in or a link. A first sign-in that is challenged has no linked account yet, so its tokens are discarded. The
 * tokens of the next sign-in are kept.
 */
export const keepTokens = Effect.fnUntraced(function* keepTokens(name: AccountName, tokens: Tokens) {
  const store = yield* Store
  const account = yield* store.read(Accounts, { ...name })
  if (Option.isNone(account)) return
  const last: Option.Option<Versioned<KeptTokens>> = yield* store.read(ProviderTokens, { account: account.value.row.id })
  const row = yield* rowFor(
    account.value.row.id,
    tokens,
    Option.map(last, ({ row }) => row),
  )
  yield* store.commit([check(Accounts, account.value), put(ProviderTokens, row)])
}, retryOnConflict)
