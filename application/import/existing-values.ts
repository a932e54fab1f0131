import { Array, Effect } from "effect"
import { Store } from "../../domain/ports/store.ts"
import { maxAccounts } from "../../domain/sign-in/linked-accounts.ts"
import { isPassword } from "../../domain/users/credential-account.ts"
import { type Account, Accounts, Users } from "../../domain/users/tables.ts"
import { isSynthetic } from "../../domain/values/text.ts"
import { provider_id as passkeyProvider } from "../modules/passkey/table.ts"
import { TwoFactors } from "../modules/two_factor/tables.ts"
import { Usernames } from "../modules/username/index.ts"
import { type AdmittedAddition, type AdmittedUser, syntheticOf } from "./admission.ts"
import { takenAttributes } from "./attributes.ts"
import { rowName } from "./imported-rows.ts"
import { accountKey } from "./record.ts"
import { type ImportRecord, ImportRecords, userKey } from "./tables.ts"

// The values of a batch that are already in the store, read with a few queries for all records together.

/** The unique values in the store. */
export interface ExistingValues {
  readonly records: ReadonlyMap<string, ImportRecord>
  /** The id of the user with an address, by address. */
  readonly emails: ReadonlyMap<string, string>
  readonly ids: ReadonlySet<string>
  /** By `rowName` of a row: the line of the record of this run that created it. */
  readonly lines: ReadonlyMap<string, number>
  /** By username. */
  readonly usernames: ReadonlyMap<string, ExistingRow>
  /** By `accountKey`. */
  readonly accounts: ReadonlyMap<string, ExistingRow>
  /** The users who have a password. */
  readonly passwords: ReadonlySet<string>
  /** The number of a user's other accounts, by the user's id. */
  readonly counts: ReadonlyMap<string, number>
  /** The users who have an authenticator app. */
  readonly apps: ReadonlySet<string>
  /** The unique values of attributes: the hash of the row, by `attributeKey`. */
  readonly attributes: ReadonlyMap<string, string>
}

/** A row with a unique value. */
interface ExistingRow {
  readonly id: string
  readonly user_id: string
}

type Admitted = AdmittedUser | AdmittedAddition

/** The accounts of a record, with those of its passkeys. */
export const accountsOf = (admitted: Admitted) => [
  ...admitted.accounts,
  ...(admitted.kind === "user"
    ? admitted.passkeys.map(({ credential_id }) => ({ provider_id: passkeyProvider, account_id: credential_id }))
    : []),
]

/** The enabled modules: the others may have no tables. */
type Modules = ReadonlySet<string>

export const lookUp = Effect.fnUntraced(function* lookUp(source: string, run_id: string, batch: ReadonlyArray<Admitted>, modules: Modules) {
  const users = batch.filter((admitted) => admitted.kind === "user")
  const records = yield* recordsOf(batch.map(({ source_id }) => userKey(source, source_id)))
  const recorded = distinct(
    batch.flatMap(({ kind, source_id }) => (kind === "addition" ? (records.get(userKey(source, source_id))?.user_id ?? []) : [])),
  )
  const emails = yield* userIdsBy("email", distinct(users.flatMap(addressesOf)))
  const usernames = modules.has("username") ? yield* usernamesOf(users) : new Map<string, ExistingRow>()
  const accounts = yield* identitiesOf(batch)
  const attributes = yield* takenAttributes(users.flatMap((user) => user.attributes))
  const holders = [
    ...emails.values(),
    ...attributes.holders,
    ...[...usernames.values(), ...accounts.values()].map(({ user_id }) => user_id),
  ]
  return {
    records,
    emails,
    ids: new Set((yield* userIdsBy("id", distinct(users.flatMap(({ id }) => id ?? [])))).keys()),
    lines: yield* linesOf(run_id, distinct(holders)),
    usernames,
    accounts,
    attributes: attributes.hashes,
    ...(yield* accountCountsOf(recorded)),
    apps: modules.has("two_factor") ? yield* appsOf(recorded) : new Set(),
  } satisfies ExistingValues
})

/** The addresses that a user can get: their own; without one, the synthetic address of any of their accounts. */
const addressesOf = ({ email, accounts }: AdmittedUser) => (isSynthetic(email) ? [email, ...accounts.map(syntheticOf)] : [email])

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

/** The ids of the users with these values, by value. */
const userIdsBy = Effect.fnUntraced(function* userIdsBy(field: "email" | "id", values: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(Users, field, values, { limit: 1 })
  return new Map(lists.flat().map((user) => [user[field], user.id]))
})

const recordsOf = Effect.fnUntraced(function* recordsOf(keys: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(ImportRecords, "key", distinct(keys), { limit: 1 })
  return new Map(lists.flat().map((record) => [record.key, record]))
})

/** A limit on the records of one user that no user reaches: each record after the first one adds an account or an authenticator app. */
export const maxRecords = 2 * maxAccounts

const linesOf = Effect.fnUntraced(function* linesOf(run_id: string, userIds: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(ImportRecords, "user_id", userIds, { limit: maxRecords })
  const own = lists.flat().filter((record) => record.run_id === run_id)
  return new Map(own.flatMap(({ rows, line }) => rows.map((row) => [rowName(row), line] as const)))
})

const usernamesOf = Effect.fnUntraced(function* usernamesOf(users: ReadonlyArray<AdmittedUser>) {
  const names = distinct(users.flatMap(({ username }) => username?.username ?? []))
  const lists = yield* (yield* Store).listForEach(Usernames, "username", names, { limit: 1 })
  return new Map<string, ExistingRow>(lists.flat().map((row) => [row.username, row]))
})

const identitiesOf = Effect.fnUntraced(function* identitiesOf(batch: ReadonlyArray<Admitted>) {
  const byProvider = Array.groupBy(batch.flatMap(accountsOf), ({ provider_id }) => provider_id)
  const existing = yield* Effect.forEach(Object.entries(byProvider), ([provider, accounts]) =>
    accountsAt(provider, distinct(accounts.map(({ account_id }) => account_id))),
  )
  return new Map<string, ExistingRow>(existing.flat().map((account) => [accountKey(account), account]))
})

const accountsAt = Effect.fnUntraced(function* accountsAt(provider_id: string, ids: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(Accounts, "account_id", ids, { where: { provider_id }, limit: 1 })
  return lists.flat() satisfies ReadonlyArray<Account>
})

const accountCountsOf = Effect.fnUntraced(function* accountCountsOf(userIds: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(Accounts, "user_id", userIds, { limit: maxAccounts })
  return {
    passwords: new Set(userIds.filter((_, at) => lists[at]?.some(isPassword))),
    counts: new Map(userIds.map((id, at) => [id, lists[at]?.filter((account) => !isPassword(account)).length ?? 0])),
  }
})

const appsOf = Effect.fnUntraced(function* appsOf(userIds: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(TwoFactors, "user_id", userIds, { limit: 1 })
  return new Set(lists.flat().map(({ user_id }) => user_id))
})
