import { Array, Effect } from "effect"
import { Store } from "../../domain/ports/store.ts"
import { credentialProvider } from "../../domain/sign-in/credential-account.ts"
import type { Account } from "../../domain/storage/tables.ts"
import { Accounts, Users } from "../../domain/storage/tables.ts"
import { provider_id as passkeyProvider } from "../modules/passkey/table.ts"
import { TwoFactors } from "../modules/two_factor/tables.ts"
import { Usernames } from "../modules/username/index.ts"
import type { AdmittedAddition, AdmittedUser } from "./admission.ts"
import type { ImportRecord } from "./tables.ts"
import { ImportRecords, userKey } from "./tables.ts"

// What the store holds already of the values of a batch: a few questions for all of its records together.

/** The unique values that the store holds. */
export interface Held {
  readonly records: ReadonlyMap<string, ImportRecord>
  /** The holder's id, by address. */
  readonly emails: ReadonlyMap<string, string>
  readonly ids: ReadonlySet<string>
  /** The line of the record of this run that made the user, by the user's id. */
  readonly lines: ReadonlyMap<string, number>
  readonly usernames: ReadonlyMap<string, string>
  /** The holder's id, by `accountKey`. */
  readonly accounts: ReadonlyMap<string, string>
  /** The users who have an authenticator app. */
  readonly apps: ReadonlySet<string>
}

export const accountKey = ({ provider_id, account_id }: Pick<Account, "provider_id" | "account_id">) => `${provider_id} ${account_id}`

type Admitted = AdmittedUser | AdmittedAddition

/** The accounts of a record, with those of its passkeys. */
export const accountsOf = (admitted: Admitted) => [
  ...admitted.accounts,
  ...(admitted.kind === "user"
    ? admitted.passkeys.map(({ credential_id }) => ({ provider_id: passkeyProvider, account_id: credential_id }))
    : []),
]

/** Which modules have tables that can be asked. */
type Modules = ReadonlySet<string>

export const lookUp = Effect.fnUntraced(function* lookUp(source: string, run_id: string, batch: ReadonlyArray<Admitted>, modules: Modules) {
  const users = batch.filter((admitted) => admitted.kind === "user")
  const records = yield* recordsOf(batch.map(({ source_id }) => userKey(source, source_id)))
  const recorded = distinct(
    batch.flatMap(({ kind, source_id }) => (kind === "addition" ? (records.get(userKey(source, source_id))?.user_id ?? []) : [])),
  )
  const emails = yield* holders(Users, "email", distinct(users.map(({ email }) => email)), ({ id }) => id)
  const held: Held = {
    records,
    emails,
    ids: new Set((yield* holders(Users, "id", distinct(users.flatMap(({ id }) => id ?? [])), ({ id }) => id)).keys()),
    lines: yield* linesOf(run_id, distinct([...emails.values()])),
    usernames: modules.has("username") ? yield* usernamesOf(users) : new Map(),
    accounts: new Map([...(yield* identitiesOf(batch)), ...(yield* accountsHeld(credentialProvider, recorded))]),
    apps: modules.has("two_factor") ? yield* appsOf(recorded) : new Set(),
  }
  return held
})

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

/** The rows with these values of a unique field, as a map. */
const holders = Effect.fnUntraced(function* holders<A>(
  table: typeof Users,
  field: "email" | "id",
  values: ReadonlyArray<string>,
  of: (row: (typeof Users)["schema"]["Type"]) => A,
) {
  const lists = yield* (yield* Store).listForEach(table, field, values, { limit: 1 })
  return new Map(Array.zip(values, lists).flatMap(([value, [row]]) => (row === undefined ? [] : [[value, of(row)] as const])))
})

const recordsOf = Effect.fnUntraced(function* recordsOf(keys: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(ImportRecords, "key", distinct(keys), { limit: 1 })
  return new Map(lists.flat().map((record) => [record.key, record]))
})

/** Lists of one user's records are short: one that made the user, and one for each addition. */
const max_records = 200

const linesOf = Effect.fnUntraced(function* linesOf(run_id: string, userIds: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(ImportRecords, "user_id", userIds, { limit: max_records })
  const own = lists.flat().filter((record) => record.run_id === run_id && record.kind === "user")
  return new Map(own.map(({ user_id, line }) => [user_id, line]))
})

const usernamesOf = Effect.fnUntraced(function* usernamesOf(users: ReadonlyArray<AdmittedUser>) {
  const names = distinct(users.flatMap(({ username }) => username?.username ?? []))
  const lists = yield* (yield* Store).listForEach(Usernames, "username", names, { limit: 1 })
  return new Map(lists.flat().map(({ username, user_id }) => [username, user_id]))
})

const identitiesOf = Effect.fnUntraced(function* identitiesOf(batch: ReadonlyArray<Admitted>) {
  const byProvider = Array.groupBy(batch.flatMap(accountsOf), ({ provider_id }) => provider_id)
  const held = yield* Effect.forEach(Object.entries(byProvider), ([provider, accounts]) =>
    accountsHeld(provider, distinct(accounts.map(({ account_id }) => account_id))),
  )
  return new Map(held.flatMap((accounts) => [...accounts]))
})

const accountsHeld = Effect.fnUntraced(function* accountsHeld(provider_id: string, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return new Map<string, string>()
  const lists = yield* (yield* Store).listForEach(Accounts, "account_id", ids, { where: { provider_id }, limit: 1 })
  return new Map(lists.flat().map((account) => [accountKey(account), account.user_id]))
})

const appsOf = Effect.fnUntraced(function* appsOf(userIds: ReadonlyArray<string>) {
  const lists = yield* (yield* Store).listForEach(TwoFactors, "user_id", userIds, { limit: 1 })
  return new Set(lists.flat().map(({ user_id }) => user_id))
})
