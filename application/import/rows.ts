import { DateTime, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { insert, type Write } from "../../domain/ports/store.ts"
import { noFailures } from "../../domain/sign-in/lockout.ts"
import { newId } from "../../domain/storage/new-id.ts"
import { Keys } from "../../domain/tokens/keys.ts"
import { defaultMetadata } from "../../domain/users/admin-metadata.ts"
import { admitAnyway } from "../../domain/users/admission.ts"
import { credentialProvider } from "../../domain/users/credential-account.ts"
import { addedUser } from "../../domain/users/new-user.ts"
import { type Account, Accounts } from "../../domain/users/tables.ts"
import { AdminMetadatas } from "../modules/admin/users.ts"
import { Passkeys, provider_id as passkeyProvider } from "../modules/passkey/table.ts"
import { secretPurpose, TwoFactors } from "../modules/two_factor/tables.ts"
import { Usernames } from "../modules/username/index.ts"
import type { AdmittedCredentials, AdmittedUser } from "./admission.ts"
import { attributeRows } from "./attributes.ts"
import type { Identity, Passkey, Totp } from "./record.ts"

type AccountFields = Pick<Account, "password_hash"> & Identity

const accountOf = Effect.fnUntraced(function* accountOf(
  user_id: string,
  { provider_id, account_id, password_hash, created_at }: AccountFields,
  now: DateTime.Utc,
) {
  return {
    id: yield* newId,
    user_id,
    provider_id,
    account_id,
    password_hash,
    created_at: created_at ?? now,
    updated_at: now,
  } satisfies Account
})

const passwordOf = (user_id: string, hash: string, now: DateTime.Utc) =>
  accountOf(user_id, { provider_id: credentialProvider, account_id: user_id, password_hash: hash }, now)

const appOf = Effect.fnUntraced(function* appOf(user_id: string, { secret, backup_codes = [], confirmed_at }: Totp, now: DateTime.Utc) {
  const sealed = yield* (yield* Keys).seal(secretPurpose, Base64Url.encode(secret))
  const times = { confirmed_at: confirmed_at ?? now, created_at: now, updated_at: now }
  return insert(TwoFactors, { user_id, secret: sealed, backup_codes, used_steps: [], ...noFailures, ...times })
})

/** The writes that store credentials. */
export const credentialRows = Effect.fnUntraced(function* credentialRows(
  user_id: string,
  { password, accounts, totp }: AdmittedCredentials,
  now: DateTime.Utc,
) {
  const linked = yield* Effect.forEach(accounts, (account) => accountOf(user_id, { ...account, password_hash: null }, now))
  const own = password === null ? [] : [yield* passwordOf(user_id, password.hash, now)]
  const app = totp === null ? [] : [yield* appOf(user_id, totp, now)]
  return [...[...own, ...linked].map((account) => insert(Accounts, account)), ...app] satisfies ReadonlyArray<Write>
})

const passkeyRows = Effect.fnUntraced(function* passkeyRows(user_id: string, passkey: Passkey, now: DateTime.Utc) {
  const { credential_id, created_at } = passkey
  const account = yield* accountOf(
    user_id,
    { provider_id: passkeyProvider, account_id: credential_id, password_hash: null, created_at },
    now,
  )
  return [insert(Accounts, account), insert(Passkeys, { ...passkey, id: account.id, user_id, aaguid: null, added_by: null })]
})

const metadataRow = (user_id: string, { ban, role }: AdmittedUser, now: DateTime.Utc) => {
  const banned = ban === null ? {} : { banned: true, ban_kind: ban.kind ?? null, ban_reason: ban.reason, ban_expires: ban.expires }
  return insert(AdminMetadatas, { ...defaultMetadata, user_id, role, ...banned, updated_at: now })
}

/** The writes that store a user. */
export const userRows = Effect.fnUntraced(function* userRows(id: string, admitted: AdmittedUser, now: DateTime.Utc) {
  const { email, email_verified, last_verified_email, readdressed_at, is_test, name, image, locale, username, created_at, updated_at } =
    admitted
  // `Target.isAllowed` has applied the rules for addresses to the record.
  const added = addedUser(admitAnyway(email), {
    ...{ id, email_verified, last_verified_email, readdressed_at, is_guest: false, is_test, needs_invitation: false, name, image, locale },
    created_at: DateTime.min(created_at ?? now, now),
    updated_at: DateTime.min(updated_at ?? now, now),
  })
  const credentials = yield* credentialRows(id, admitted, now)
  const names =
    username === null ? [] : [insert(Usernames, { id: yield* newId, user_id: id, ...username, created_at: now, updated_at: now })]
  const metadata = admitted.ban === null && admitted.role === defaultMetadata.role ? [] : [metadataRow(id, admitted, now)]
  const passkeys = (yield* Effect.forEach(admitted.passkeys, (passkey) => passkeyRows(id, passkey, now))).flat()
  const attributes = yield* attributeRows(id, admitted.attributes, now)
  return [...added.writes, ...credentials, ...names, ...metadata, ...passkeys, ...attributes] satisfies ReadonlyArray<Write>
})
