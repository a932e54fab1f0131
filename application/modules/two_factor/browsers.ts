import { DateTime, Effect, Option, Schema } from "effect"
import type { ChallengeWaiver } from "../../../domain/policies.ts"
import { insert, removeAll, removeEach, Store, type Write } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"
import { liveAt, readLive } from "../../../domain/storage/live.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { Users } from "../../../domain/users/tables.ts"

// A remembered browser stands for the second factor of one user at later sign-ins there, and for nothing else: the session counts as
// opened by one factor, so that every sensitive change still asks for a code.

const publicFields = {
  id: Schema.String,
  user_agent: Schema.NullOr(Schema.String),
  ip_address: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  expires_at: Schema.DateTimeUtc,
}

/** A remembered browser as its user sees it. */
export const RememberedBrowser = Schema.Struct({ ...publicFields, current: Schema.Boolean }).annotate({ identifier: "RememberedBrowser" })

/** Browsers at which users need no code. An operation that removes one must also write the user. */
export const RememberedBrowsers = Table.make(
  "remembered_browser",
  Schema.Struct({ ...publicFields, user_id: Schema.String, token_hash: Schema.String }),
  {
    key: "id",
    unique: ["token_hash"],
    shardKey: ["token_hash"],
    indexed: [["user_id", "created_at"]],
    references: { user_id: Users },
    expires: "expires_at",
    data: { personal: ["user_agent", "ip_address", "created_at", "expires_at"], secret: ["token_hash"], other: ["id", "user_id"] },
  },
)

/** The longest time that a browser can be remembered, days: browsers keep no cookie longer than 400. */
export const maxDays = 365

/** Limit on the browsers of one user; a further one replaces the oldest. */
export const maxBrowsers = 20

/** The number of users whom one cookie remembers, so that it stays below the 4096 bytes that browsers store. */
const maxUsers = 5

/** Encrypted, so that it does not say who signed in here. Each entry ends with its row. */
const cookie = SignedCookie.hostBound("remembered_browser", (name) =>
  SignedCookie.makeSealed(name, Schema.Array(Schema.Struct({ user_id: Schema.String, token: Schema.String })), maxDays * 86_400),
)

const entries = Effect.flatMap(cookie, ({ read }) =>
  Effect.map(
    read,
    Option.getOrElse(() => []),
  ),
)

const hashOf = (token: string) => tokenHash("remembered-browser", token)

/** The hash of the token that the caller's browser has for this user. */
const presentHash = Effect.fnUntraced(function* presentHash(user_id: string) {
  const entry = (yield* entries).find((each) => each.user_id === user_id)
  return entry === undefined ? Option.none<string>() : Option.some(yield* hashOf(entry.token))
})

/** The id of the caller's browser, if it is remembered for this user. */
const presentId = Effect.fnUntraced(function* presentId(user_id: string) {
  const token_hash = yield* presentHash(user_id)
  if (Option.isNone(token_hash)) return Option.none<string>()
  const found = yield* readLive(RememberedBrowsers, { token_hash: token_hash.value })
  return Option.map(
    Option.filter(found, ({ row }) => row.user_id === user_id),
    ({ row }) => row.id,
  )
})

/** Whether the caller's browser is remembered for this user. */
export const isRemembered = (user_id: string) => Effect.map(presentId(user_id), Option.isSome)

/** Admits a user to a remembered browser without a code; it waives no enrolment. */
export const waiver: ChallengeWaiver<Effect.Services<ReturnType<typeof presentId>>> = {
  of: "two_factor",
  waives: (user, challenge) => ("two_factor_required" in challenge ? isRemembered(user.id) : Effect.succeed(false)),
}

/** Remembers the caller's browser for a user who has just proved the second factor: the writes, and its cookie. */
export const remember = Effect.fnUntraced(function* rememberBrowser(user_id: string, days: number) {
  const caller = yield* Caller
  const now = yield* DateTime.now
  const token = yield* randomToken
  const former = yield* presentHash(user_id)
  const browser = {
    id: yield* newId,
    user_id,
    token_hash: yield* hashOf(token),
    user_agent: caller.user_agent,
    ip_address: caller.ip_address,
    created_at: now,
    expires_at: DateTime.add(now, { days }),
  }
  const writes: ReadonlyArray<Write> = [
    ...Option.match(former, { onNone: () => [], onSome: (token_hash) => [removeAll(RememberedBrowsers, { token_hash })] }),
    ...(yield* oldestRemoval(user_id)),
    insert(RememberedBrowsers, browser),
  ]
  const others = (yield* entries).filter((each) => each.user_id !== user_id)
  const written = yield* (yield* cookie).write([...others, { user_id, token }].slice(-maxUsers))
  // Also sent after the redirect of a provider, which leads here from another site.
  return { writes, cookies: [{ ...written, from_elsewhere: true }] }
})

/** Makes room for a further browser. */
const oldestRemoval = Effect.fnUntraced(function* oldestRemoval(user_id: string) {
  const all = yield* rowsOfUser(user_id)
  const excess = all.slice(0, Math.max(0, all.length - maxBrowsers + 1))
  return excess.length === 0
    ? []
    : [
        removeEach(
          RememberedBrowsers,
          excess.map(({ id }) => id),
        ),
      ]
})

const rowsOfUser = (user_id: string) =>
  Store.use(({ list }) => list(RememberedBrowsers, { user_id }, { limit: 2 * maxBrowsers, order: "created_at" }))

/** A user's remembered browsers, the oldest first. */
export const browsersOf = Effect.fnUntraced(function* browsersOf(user_id: string) {
  const own = yield* presentId(user_id)
  const now = yield* DateTime.now
  return (yield* rowsOfUser(user_id))
    .filter(liveAt(RememberedBrowsers, now))
    .map((row) => ({ ...row, current: Option.contains(own, row.id) }))
})

/** The writes that forget all browsers of a user, for a commit that writes the user. */
export const forgetAll = ({ id }: { readonly id: string }) => Effect.succeed([removeAll(RememberedBrowsers, { user_id: id })])
