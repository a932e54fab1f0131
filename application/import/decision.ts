import { AttributeValues } from "../../domain/attributes/tables.ts"
import { maxAccounts } from "../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../domain/users/tables.ts"
import { isSynthetic } from "../../domain/values/text.ts"
import { provider_id as passkeyProvider } from "../modules/passkey/table.ts"
import { Usernames } from "../modules/username/index.ts"
import { type Admission, type AdmittedAddition, type AdmittedUser, maxIdentities, syntheticOf } from "./admission.ts"
import { type AdmittedAttribute, attributeKey } from "./attributes.ts"
import { accountsOf, type ExistingValues } from "./existing-values.ts"
import { rowName } from "./imported-rows.ts"
import { accountKey, type Code, type Entry, type Identity, type Issue } from "./record.ts"
import type { Seen } from "./seen.ts"
import { userKey } from "./tables.ts"
import { countsOf, type Totals } from "./totals.ts"

// Decides on each record of a batch, given the rows in the store: a pure function, for runs and dry runs.

type Status = "created" | "added" | "already_there" | "refused"

/** The decision on a record. */
export interface Outcome {
  readonly entry: Entry
  readonly status: Status
  readonly issues: ReadonlyArray<Issue>
  /** The user or the credentials to store. */
  readonly user?: AdmittedUser
  readonly addition?: AdmittedAddition & { readonly user_id: string; readonly isNew: boolean }
  readonly user_id?: string
  readonly reset: ReadonlyArray<string>
  readonly dropped: { readonly factors: number; readonly identities: number }
}

/** A record with the result of the rules for it. */
export interface CheckedRecord {
  readonly entry: Entry
  readonly admission: Admission
}

interface Context {
  readonly source: string
  readonly run_id: string
  readonly existing: ExistingValues
  /** Values of earlier batches of a dry run. */
  readonly seen: Seen | undefined
  readonly newId: () => string
}

/** Decides in the order of the file: of two records with the same value, the first one gets it. */
export const decide = (records: ReadonlyArray<CheckedRecord>, context: Context): ReadonlyArray<Outcome> => {
  const batch = makeBatch(context)
  return records.map((each) => {
    const { admitted } = each.admission
    if (admitted === null) return refuse(each, [])
    return admitted.kind === "user" ? decideUser(each, admitted, context, batch) : decideAddition(each, admitted, context, batch)
  })
}

const none = { reset: [], dropped: { factors: 0, identities: 0 } }

const refuse = ({ entry, admission }: CheckedRecord, issues: ReadonlyArray<Issue>): Outcome => ({
  entry,
  status: "refused",
  issues: [...admission.issues, ...issues],
  ...none,
})

/** The values that records of the batch, or of earlier batches of a dry run, have claimed. */
const makeBatch = ({ seen }: Context) => {
  const claims = new Map<string, number>()
  const users = new Map<string, string>()
  const get = (key: string): number | undefined => claims.get(key) ?? seen?.get(key)
  const set = (key: string, number: number): void => {
    claims.set(key, number)
    seen?.set(key, number)
  }
  const ownership = (user: string, account: Account) => `own ${JSON.stringify([user, accountKey(account)])}`
  const countOf = (user: string) => get(`accounts ${user}`) ?? 0
  return {
    lineOf: get,
    claim: set,
    claimAccounts: (user: string, accounts: ReadonlyArray<Account>, line: number): void => {
      if (accounts.length === 0) return
      for (const account of accounts) {
        set(`account ${accountKey(account)}`, line)
        set(ownership(user, account), line)
      }
      set(`accounts ${user}`, countOf(user) + accounts.length)
    },
    /** Whether the account was claimed for this user. */
    owns: (user: string, account: Account) => get(ownership(user, account)) !== undefined,
    /** How many accounts were claimed for this user. */
    countOf,
    users,
  }
}
type Batch = ReturnType<typeof makeBatch>
type Account = Pick<Identity, "provider_id" | "account_id">

const decideUser = (checked: CheckedRecord, user: AdmittedUser, context: Context, batch: Batch): Outcome => {
  const { entry, admission } = checked
  const key = userKey(context.source, user.source_id)
  const repetition = repetitionOf(user, key, context, batch)
  if (repetition === "already_there") return { entry, status: "already_there", issues: admission.issues, ...none }
  if (repetition !== undefined) return refuse(checked, [repetition])

  const { issues, ...free } = freeValuesOf(user, context, batch)
  const email = addressOf(user, free.accounts)
  if (email === undefined) return refuse(checked, [...issues, { field: "email", code: "missing_email" }])
  const conflict = addressConflictOf(email, context, batch)
  if (conflict !== undefined) return refuse(checked, [conflict])

  const { line } = entry
  const kept = { ...user, ...free, email }
  const user_id = user.id ?? context.newId()
  for (const claimed of [key, `email ${email}`, `id ${user_id}`]) batch.claim(claimed, line)
  batch.claimAccounts(key, accountsOf(kept), line)
  for (const each of kept.attributes) if (each.attribute.isUnique) batch.claim(`attribute ${attributeKey(each)}`, line)
  if (kept.username !== null) batch.claim(`username ${kept.username.username}`, line)
  if (kept.password !== null) batch.claim(`password ${key}`, line)
  if (kept.totp !== null) batch.claim(`app ${key}`, line)
  batch.users.set(key, user_id)
  const dropped = {
    factors: admission.dropped.factors + user.passkeys.length - kept.passkeys.length,
    identities: admission.dropped.identities + user.accounts.length - kept.accounts.length,
  }
  return { entry, status: "created", issues: [...admission.issues, ...issues], user: kept, user_id, reset: admission.reset, dropped }
}

/** Whether the record was imported before, or another user has its id. */
const repetitionOf = (
  user: AdmittedUser,
  key: string,
  { existing, run_id, source }: Context,
  batch: Batch,
): Issue | "already_there" | undefined => {
  const record = existing.records.get(key)
  if (record !== undefined)
    return record.run_id === run_id ? { field: "id", code: "duplicate_id", other_line: record.line } : "already_there"
  const sameId = batch.lineOf(key)
  if (sameId !== undefined) return { field: "id", code: "duplicate_id", other_line: sameId }
  if (user.id !== null && existing.ids.has(user.id)) return source === ownSource ? "already_there" : { field: "id", code: "id_taken" }
  return user.id !== null && batch.lineOf(`id ${user.id}`) !== undefined ? { field: "id", code: "id_taken" } : undefined
}

/** The accounts, passkeys, attributes and the username that no other user has, with an issue for each of the others. */
const freeValuesOf = (user: AdmittedUser, context: Context, batch: Batch) => {
  const issues: Array<Issue> = []
  const isFree = (conflict: Taken | undefined, field: string, code: Code): boolean => {
    if (conflict !== undefined) issues.push({ field, code, ...conflict })
    return conflict === undefined
  }
  const isAccountFree = (account: Account) => isFree(accountTaken(account, context, batch), "identities", "identity_taken")
  const accounts = user.accounts.filter(isAccountFree)
  const passkeys = user.passkeys.filter(({ credential_id }) => isAccountFree({ provider_id: passkeyProvider, account_id: credential_id }))
  const name = user.username?.username
  const isNameFree = name !== undefined && isFree(usernameTaken(name, context, batch), "username", "username_taken")
  const attributes = user.attributes.filter(
    (each) =>
      !each.attribute.isUnique || isFree(attributeTaken(each, context, batch), `attributes.${each.attribute.name}`, "attribute_taken"),
  )
  return { accounts, passkeys, attributes, username: isNameFree ? user.username : null, issues }
}

/** A value that is taken, with the line of the record that has it if this run read that record. */
type Taken = Pick<Issue, "other_line">

const taken = (claim: string, row: string | undefined, { existing }: Context, batch: Batch): Taken | undefined => {
  const other_line = batch.lineOf(claim) ?? (row === undefined ? undefined : existing.lines.get(row))
  if (other_line !== undefined) return { other_line }
  return row === undefined ? undefined : {}
}

const accountTaken = (account: Account, context: Context, batch: Batch) => {
  const holder = context.existing.accounts.get(accountKey(account))
  return taken(`account ${accountKey(account)}`, holder && rowName({ table: Accounts.name, key: holder.id }), context, batch)
}

const usernameTaken = (name: string, context: Context, batch: Batch) => {
  const holder = context.existing.usernames.get(name)
  return taken(`username ${name}`, holder && rowName({ table: Usernames.name, key: holder.id }), context, batch)
}

const attributeTaken = (admitted: AdmittedAttribute, context: Context, batch: Batch) => {
  const key = attributeKey(admitted)
  const hash = context.existing.attributes.get(key)
  return taken(`attribute ${key}`, hash && rowName({ table: AttributeValues.name, key: hash }), context, batch)
}

/** The user's address; for a user without one, the synthetic address of one of these accounts. Undefined if there is no account left. */
const addressOf = ({ email }: AdmittedUser, accounts: ReadonlyArray<Identity>): string | undefined => {
  if (!isSynthetic(email)) return email
  const addresses = accounts.map(syntheticOf)
  return addresses.includes(email) ? email : addresses[0]
}

const addressConflictOf = (email: string, context: Context, batch: Batch): Issue | undefined => {
  const holder = context.existing.emails.get(email)
  const conflict = taken(`email ${email}`, holder && rowName({ table: Users.name, key: holder }), context, batch)
  if (conflict === undefined) return undefined
  return { field: "email", code: conflict.other_line === undefined ? "email_taken" : "duplicate_email", ...conflict }
}

/** The source name of this service's own export: the ids of its records are ids of users. */
export const ownSource = "sallyport"

const decideAddition = (checked: CheckedRecord, addition: AdmittedAddition, context: Context, batch: Batch): Outcome => {
  const { entry, admission } = checked
  const key = userKey(context.source, addition.source_id)
  const created = batch.users.get(key) ?? (batch.lineOf(key) === undefined ? undefined : key)
  const user_id = created ?? context.existing.records.get(key)?.user_id
  if (user_id === undefined) return refuse(checked, [{ field: "id", code: "unknown_user" }])

  const { kept, repeats, ...lacking } = lackingCredentialsOf(addition, { key, user_id }, context, batch)
  const issues = [...admission.issues, ...lacking.issues]
  const reset = [...admission.reset, ...lacking.reset]
  const dropped = { ...admission.dropped, identities: admission.dropped.identities + lacking.dropped }
  const { password, totp, accounts } = kept
  if (password === null && totp === null && accounts.length === 0) {
    if (!repeats && admission.reset.length === 0) return refuse(checked, lacking.issues)
    return { entry, status: "already_there", issues, reset, dropped }
  }
  if (password !== null) batch.claim(`password ${key}`, entry.line)
  if (totp !== null) batch.claim(`app ${key}`, entry.line)
  batch.claimAccounts(key, accounts, entry.line)
  return { entry, status: "added", issues, addition: { ...kept, user_id, isNew: created !== undefined }, user_id, reset, dropped }
}

interface Recipient {
  readonly key: string
  readonly user_id: string
}

/**
 * The credentials that the user lacks and has room for, with issues for the others. `repeats`: the user already has some of these
 * credentials.
 */
const lackingCredentialsOf = (addition: AdmittedAddition, { key, user_id }: Recipient, context: Context, batch: Batch) => {
  const { existing } = context
  const issues: Array<Issue> = []
  const lacking = <A>(value: A | null, isPresent: boolean, field: string, code: Code): A | null => {
    if (value !== null && isPresent) issues.push({ field, code })
    return isPresent ? null : value
  }
  const hasPassword = existing.passwords.has(user_id) || batch.lineOf(`password ${key}`) !== undefined
  const hasApp = existing.apps.has(user_id) || batch.lineOf(`app ${key}`) !== undefined
  const missing = lacking(addition.password, hasPassword, "password", "password_exists")
  const totp = lacking(addition.totp, hasApp, "totp", "factor_exists")
  const isPresent = (account: Account) => existing.accounts.get(accountKey(account))?.user_id === user_id || batch.owns(key, account)
  const others = addition.accounts.filter((account) => !isPresent(account))
  const free = others.filter((account) => {
    const conflict = accountTaken(account, context, batch)
    if (conflict !== undefined) issues.push({ field: "identities", code: "identity_taken", ...conflict })
    return conflict === undefined
  })

  const count = (existing.counts.get(user_id) ?? 0) + batch.countOf(key)
  const accounts = free.slice(0, Math.max(0, maxIdentities - count))
  if (accounts.length < free.length) issues.push({ field: "identities", code: "too_many_identities" })
  // A linked account may have taken the place that is reserved for a password.
  const password = lacking(missing, count >= maxAccounts, "password", "too_many_identities")
  return {
    kept: { ...addition, password, totp, accounts },
    issues,
    reset: missing === null || password !== null ? [] : [missing.format],
    dropped: others.length - accounts.length,
    repeats: addition.password !== missing || addition.totp !== totp || others.length < addition.accounts.length,
  }
}

/** The totals of the outcomes. */
export const totalsOf = (outcomes: ReadonlyArray<Outcome>): Totals => {
  const count = (status: Status) => outcomes.filter((outcome) => outcome.status === status).length
  const stored = outcomes.flatMap(({ user, addition }) => user ?? addition ?? [])
  const total = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
  const passkeys = total(({ user }) => user?.passkeys.length ?? 0)
  return {
    read: outcomes.length,
    created: count("created"),
    added: count("added"),
    already_there: count("already_there"),
    refused: count("refused"),
    passwords: {
      kept: countsOf(stored.flatMap(({ password }) => password?.format ?? [])),
      reset: countsOf(outcomes.flatMap(({ reset }) => reset)),
    },
    factors: { carried: stored.filter(({ totp }) => totp !== null).length + passkeys, dropped: total(({ dropped }) => dropped.factors) },
    identities: {
      carried: stored.reduce((sum, { accounts }) => sum + accounts.length, 0),
      dropped: total(({ dropped }) => dropped.identities),
    },
    ignored: countsOf(outcomes.flatMap(({ entry }) => entry.ignored)),
  }
}
