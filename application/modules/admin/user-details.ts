import { DateTime, Effect, Schema } from "effect"
import { CurrentPrincipal } from "../../../domain/administration/principal.ts"
import { Policies } from "../../../domain/policies.ts"
import { Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Accounts } from "../../../domain/users/tables.ts"

/** The rows of one user that are read, of each table. */
const most = 5

/** How a user signs in, and when they last did. */
export const Details = Schema.Struct({
  user_id: Schema.String,
  ways_in: Schema.Array(Schema.String).pipe(
    Schema.annotateKey({ description: `The kinds of the linked accounts, such as \`credential\` for a password, of the ${most} oldest.` }),
  ),
  second_factor: Schema.Boolean,
  last_seen_at: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtc)).pipe(
    Schema.annotateKey({
      description: "The last use of the newest sessions; null if none is left. Only for callers with `sessions:read`.",
    }),
  ),
}).annotate({ identifier: "UserDetails" })

/** The details of these users. The number of reads is the same for any number of users. */
export const detailsOf = Effect.fnUntraced(function* detailsOf(ids: ReadonlyArray<string>) {
  const { listForEach } = yield* Store
  const [accounts, second, seen] = yield* Effect.all(
    [
      listForEach(Accounts, "user_id", ids, { limit: most, order: "created_at" }),
      (yield* Policies).withSecondFactor(ids),
      (yield* CurrentPrincipal).permissions.has("sessions:read") ? lastSeen(ids) : Effect.succeed(undefined),
    ],
    { concurrency: 3 },
  )
  return ids.map((user_id, at): typeof Details.Type => ({
    user_id,
    ways_in: [...new Set(accounts[at]?.map(({ provider_id }) => provider_id))],
    second_factor: second.has(user_id),
    ...(seen && { last_seen_at: seen[at] ?? null }),
  }))
})

const lastSeen = Effect.fnUntraced(function* lastSeen(ids: ReadonlyArray<string>) {
  const newest = { limit: most, order: "created_at", descending: true } as const
  const sessions = yield* (yield* Store).listForEach(Sessions, "user_id", ids, newest)
  return sessions.map(
    (each) =>
      each
        .map(({ updated_at }) => updated_at)
        .toSorted(DateTime.Order)
        .at(-1) ?? null,
  )
})
