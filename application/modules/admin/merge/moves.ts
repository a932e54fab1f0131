import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import { invalidMember, UserNotFound } from "../../../../domain/errors.ts"
import { type Merging, Policies } from "../../../../domain/policies.ts"
import { check, orFail, retryOnConflict, Store, update, type Write } from "../../../../domain/ports/store.ts"
import { accountsOf, maxAccounts } from "../../../../domain/sign-in/linked-accounts.ts"
import { isSuspended } from "../../../../domain/users/admin-metadata.ts"
import { isPassword, phoneProvider } from "../../../../domain/users/credential-account.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { make } from "../jobs/operations.ts"
import { AdminMetadatas } from "../users.ts"
import { MergedUsers } from "./table.ts"

/** Users with roles are never merged: what they are permitted would move with their ways to sign in. */
export const requireUnprivileged = Effect.fnUntraced(function* requireUnprivileged(user: StoredUser, member: string) {
  const granted = yield* (yield* Policies).granted(user)
  if (granted.length > 0) return yield* invalidMember(member, "Expected a user without permissions for the administration")
})

/** The writes that move linked accounts, without passwords and second factors, as far as the other user has room. */
const movedAccounts = Effect.fnUntraced(function* movedAccounts({ from, into }: Merging) {
  const { read } = yield* Store
  const { accountKind } = yield* Policies
  const own = yield* accountsOf(into)
  const hasPhone = own.some(({ provider_id }) => provider_id === phoneProvider)
  const movable = (yield* accountsOf(from))
    .filter((account) => !isPassword(account) && !accountKind(account.provider_id).isFactor)
    .filter(({ provider_id }) => provider_id !== phoneProvider || !hasPhone)
  const accounts = yield* Effect.forEach(movable.slice(0, maxAccounts - own.length), ({ id }) => read(Accounts, { id }))
  return accounts.flatMap(Option.toArray).map((account): Write => update(Accounts, account, { user_id: into }))
})

/** The writes that keep a merge valid: it was not taken back by the end of the suspension or a role. */
const unchangedMerge = Effect.fnUntraced(function* unchangedMerge({ from, into }: Merging) {
  const { read } = yield* Store
  const [former, user] = [yield* administeredUser(from), yield* administeredUser(into)]
  yield* requireUnprivileged(former.row, "from")
  yield* requireUnprivileged(user.row, "into")
  const metadata = yield* orFail(read(AdminMetadatas, { user_id: from }), () => new UserNotFound())
  const merged = yield* orFail(read(MergedUsers, { from_id: from }), () => new UserNotFound())
  if (!isSuspended(metadata.row, yield* DateTime.now) || merged.row.into_id !== into)
    return yield* invalidMember("from", "Expected a user whose merge was not taken back")
  const written = [update(Users, former, {}), update(Users, user, {}), check(AdminMetadatas, metadata), check(MergedUsers, merged)]
  return [...(yield* ofPrincipal(former.row)), ...(yield* ofPrincipal(user.row)), ...written]
})

/** Moves some rows of a user to another one; commits nothing when none is left. */
const move = Effect.fnUntraced(function* moveRows(merging: Merging) {
  const unchanged = yield* unchangedMerge(merging)
  const moved = [...(yield* movedAccounts(merging)), ...(yield* (yield* Policies).mergesUsers(merging))]
  if (moved.length > 0) yield* (yield* Store).commit([...unchanged, ...moved])
}, retryOnConflict)

/** The job that moves what a user has, step by step: the commit of each step advances it, so that a crash repeats none. */
export const mergeOperation = make({
  name: "merge",
  permission: "users:merge",
  input: Schema.Struct({ into: Schema.String }),
  together: 1,
  isRepeated: true,
  run: (from, { into }) => move({ from, into }),
})
