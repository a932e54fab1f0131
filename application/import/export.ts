import { Effect, Option, Schema, Stream } from "effect"
import { type UserAttribute, UserAttributes } from "../../domain/attributes/tables.ts"
import { rowsOf, Store } from "../../domain/ports/store.ts"
import { maxAccounts } from "../../domain/sign-in/linked-accounts.ts"
import { base32 } from "../../domain/sign-in/totp.ts"
import { Keys } from "../../domain/tokens/keys.ts"
import { type AdminMetadata, banKind, defaultMetadata, Role, suspension } from "../../domain/users/admin-metadata.ts"
import { isPassword } from "../../domain/users/credential-account.ts"
import { type Account, Accounts, Users } from "../../domain/users/tables.ts"
import type { StoredUser } from "../../domain/users/user.ts"
import { strictBase64Url } from "../../domain/values/strict-base64-url.ts"
import { AdminMetadatas } from "../modules/admin/users.ts"
import { maxPasskeys, Passkeys, type StoredPasskey } from "../modules/passkey/table.ts"
import { appKeyPrefix, secretPurpose, type TwoFactor, TwoFactors } from "../modules/two_factor/tables.ts"
import { Usernames } from "../modules/username/index.ts"
import { isIdentity } from "./admission.ts"
import { format, OwnUser } from "./own.ts"

interface Options {
  readonly modules: ReadonlySet<string>
  /** Whether password hashes and the secrets of authenticator apps are exported. */
  readonly secrets: boolean
}

/** All users but guests in the order of their ids, one JSON text each. */
export const exported = (options: Options) =>
  rowsOf(Users, {}, { limit: 500, order: "id" }).pipe(
    Stream.filter(({ is_guest }) => !is_guest),
    Stream.chunks,
    Stream.mapEffect((users) => linesOf(users, options)),
    Stream.flattenIterable,
  )

/** The rows of one user in other tables. */
interface Beside {
  readonly accounts: ReadonlyArray<Account>
  readonly usernames: ReadonlyArray<(typeof Usernames)["schema"]["Type"]>
  readonly metadata: ReadonlyArray<AdminMetadata>
  readonly apps: ReadonlyArray<TwoFactor>
  readonly passkeys: ReadonlyArray<StoredPasskey>
  readonly attributes: ReadonlyArray<UserAttribute>
}

const linesOf = Effect.fnUntraced(function* linesOf(users: ReadonlyArray<StoredUser>, options: Options) {
  const store = yield* Store
  const ids = users.map(({ id }) => id)
  const nothing = ids.map(() => [])
  const if_ = <A>(module: string, rows: Effect.Effect<A>): Effect.Effect<A | ReadonlyArray<ReadonlyArray<never>>> =>
    options.modules.has(module) ? rows : Effect.succeed(nothing)
  const [accounts, usernames, metadata, apps, passkeys, attributes] = yield* Effect.all([
    store.listForEach(Accounts, "user_id", ids, { limit: maxAccounts, order: "created_at" }),
    if_("username", store.listForEach(Usernames, "user_id", ids, { limit: 1 })),
    if_("admin", store.listForEach(AdminMetadatas, "user_id", ids, { limit: 1 })),
    if_("two_factor", store.listForEach(TwoFactors, "user_id", ids, { limit: 1 })),
    if_("passkey", store.listForEach(Passkeys, "user_id", ids, { limit: maxPasskeys, order: "created_at" })),
    if_("attributes", store.listForEach(UserAttributes, "user_id", ids, { limit: 1 })),
  ])
  return yield* Effect.forEach(users, (user, at) =>
    line(user, options, {
      accounts: accounts[at] ?? [],
      usernames: usernames[at] ?? [],
      metadata: metadata[at] ?? [],
      apps: apps[at] ?? [],
      passkeys: passkeys[at] ?? [],
      attributes: attributes[at] ?? [],
    }),
  )
})

const encode = Schema.encodeSync(OwnUser)
const isRole = Schema.is(Role)

const line = Effect.fnUntraced(function* line(user: StoredUser, options: Options, beside: Beside) {
  const { id, email, email_verified, last_verified_email, readdressed_at, is_test, name, image, locale, created_at, updated_at } = user
  const { role, ...ban } = beside.metadata[0] ?? defaultMetadata
  // A new column of users belongs in `OwnUser` as well: otherwise it would be lost when they move out and in.
  const exported: OwnUser & Record<Exclude<keyof StoredUser, "is_guest" | "needs_invitation">, unknown> = {
    format,
    ...{ id, email, email_verified, last_verified_email, readdressed_at, is_test, name, image, locale },
    username: beside.usernames[0]?.display_username ?? null,
    role: isRole(role) ? role : "user",
    ban: ban.banned ? { ...kindOf(ban), reason: ban.ban_reason, expires: ban.ban_expires } : null,
    accounts: beside.accounts.filter(({ provider_id }) => isIdentity(provider_id)),
    passkeys: beside.passkeys,
    ...(options.modules.has("attributes") ? { attributes: beside.attributes[0]?.values ?? {} } : {}),
    ...(options.secrets
      ? { password_hash: beside.accounts.find(isPassword)?.password_hash ?? null, totp: yield* appOf(beside.apps[0]) }
      : {}),
    ...{ created_at, updated_at },
  }
  return JSON.stringify(encode(exported))
})

const kindOf = (ban: Pick<AdminMetadata, "ban_kind">) => (banKind(ban) === suspension ? { kind: suspension } : {})

/** The confirmed app. Backup codes of earlier versions are keyed by the service's secret, so they are left out. */
const appOf = Effect.fnUntraced(function* appOf(app: TwoFactor | undefined) {
  if (app === undefined || app.confirmed_at === null) return null
  const bytes = Option.flatMap(yield* (yield* Keys).open(secretPurpose, app.secret), strictBase64Url)
  if (Option.isNone(bytes)) return null
  const backup_codes = app.backup_codes.filter((hash) => hash.startsWith(appKeyPrefix))
  return { secret: base32(bytes.value), backup_codes, confirmed_at: app.confirmed_at }
})
