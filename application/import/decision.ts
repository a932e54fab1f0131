import { credentialProvider } from "../../domain/sign-in/credential-account.ts"
import type { Admission, AdmittedAddition, AdmittedUser } from "./admission.ts"
import type { Held } from "./held.ts"
import { accountKey, accountsOf } from "./held.ts"
import type { Code, Entry, Issue } from "./record.ts"
import type { Seen } from "./seen.ts"
import { userKey } from "./tables.ts"
import type { Totals } from "./totals.ts"
import { countsOf } from "./totals.ts"

// What becomes of each record of a batch, given what the store holds: a pure function, for runs and dry runs alike.

type Status = "created" | "added" | "already_there" | "refused"

/** What becomes of a record. */
export interface Outcome {
  readonly entry: Entry
  readonly status: Status
  readonly issues: ReadonlyArray<Issue>
  /** What has to be stored. */
  readonly user?: AdmittedUser
  readonly addition?: AdmittedAddition & { readonly user_id: string; readonly isNew: boolean }
  readonly user_id?: string
  readonly reset: ReadonlyArray<string>
  readonly dropped: { readonly factors: number; readonly identities: number }
}

/** A record with what the rules of the domain make of it. */
export interface Judged {
  readonly entry: Entry
  readonly admission: Admission
}

interface Context {
  readonly source: string
  readonly run_id: string
  readonly held: Held
  /** Values of earlier batches of a dry run. */
  readonly seen: Seen | undefined
  readonly newId: () => string
}

/** Decides in the order of the file: the first of two records with the same value gets it. */
export const decide = (judged: ReadonlyArray<Judged>, context: Context): ReadonlyArray<Outcome> => {
  const batch = makeBatch(context)
  return judged.map((each) => {
    const { admitted } = each.admission
    if (admitted === null) return refuse(each, [])
    return admitted.kind === "user" ? decideUser(each, admitted, context, batch) : decideAddition(each, admitted, context, batch)
  })
}

const none = { reset: [], dropped: { factors: 0, identities: 0 } }

const refuse = ({ entry, admission }: Judged, issues: ReadonlyArray<Issue>): Outcome => ({
  entry,
  status: "refused",
  issues: [...admission.issues, ...issues],
  ...none,
})

/** The values that records of the batch, or of earlier batches of a dry run, have claimed. */
const makeBatch = ({ seen }: Context) => {
  const lines = new Map<string, number>()
  const users = new Map<string, string>()
  return {
    lineOf: (key: string): number | undefined => lines.get(key) ?? seen?.get(key),
    claim: (key: string, line: number): void => {
      lines.set(key, line)
      seen?.add(key, line)
    },
    users,
  }
}
type Batch = ReturnType<typeof makeBatch>

const decideUser = (judged: Judged, user: AdmittedUser, context: Context, batch: Batch): Outcome => {
  const { entry, admission } = judged
  const key = userKey(context.source, user.source_id)
  const conflict = conflictOf(user, key, context, batch)
  if (conflict === "already_there") return { entry, status: "already_there", issues: admission.issues, ...none }
  if (conflict !== undefined) return refuse(judged, [conflict])

  const issues = [...admission.issues]
  const isFree = (claimed: string, isHeld: boolean, field: string, code: Code): boolean => {
    const other_line = batch.lineOf(claimed)
    if (!isHeld && other_line === undefined) return true
    issues.push({ field, code, ...(other_line === undefined ? {} : { other_line }) })
    return false
  }
  const isAccountFree = (account: { readonly provider_id: string; readonly account_id: string }) =>
    isFree(`account ${accountKey(account)}`, context.held.accounts.has(accountKey(account)), "identities", "identity_taken")
  const accounts = user.accounts.filter(isAccountFree)
  const passkeys = user.passkeys.filter(({ credential_id }) => isAccountFree({ provider_id: "passkey", account_id: credential_id }))
  const { username } = user
  const hasName =
    username !== null &&
    isFree(`username ${username.username}`, context.held.usernames.has(username.username), "username", "username_taken")
  const kept = { ...user, accounts, passkeys, username: hasName ? username : null }

  const { line } = entry
  const user_id = user.id ?? context.newId()
  for (const claimed of [key, `email ${kept.email}`, `id ${user_id}`]) batch.claim(claimed, line)
  for (const account of accountsOf(kept)) batch.claim(`account ${accountKey(account)}`, line)
  if (hasName) batch.claim(`username ${username.username}`, line)
  if (kept.password !== null) batch.claim(`password ${key}`, line)
  if (kept.totp !== null) batch.claim(`app ${key}`, line)
  batch.users.set(key, user_id)
  const identities = admission.dropped.identities + user.accounts.length - accounts.length
  const dropped = { factors: admission.dropped.factors + user.passkeys.length - passkeys.length, identities }
  return { entry, status: "created", issues, user: kept, user_id, reset: admission.reset, dropped }
}

/** Why a user cannot be created: the record was imported before, or another user has its id or address. */
const conflictOf = (
  user: AdmittedUser,
  key: string,
  { held, run_id, source }: Context,
  batch: Batch,
): Issue | "already_there" | undefined => {
  const record = held.records.get(key)
  if (record !== undefined)
    return record.run_id === run_id ? { field: "id", code: "duplicate_id", other_line: record.line } : "already_there"
  const sameId = batch.lineOf(key)
  if (sameId !== undefined) return { field: "id", code: "duplicate_id", other_line: sameId }
  if (user.id !== null && held.ids.has(user.id)) return source === own ? "already_there" : { field: "id", code: "id_taken" }
  if (user.id !== null && batch.lineOf(`id ${user.id}`) !== undefined) return { field: "id", code: "id_taken" }
  const holder = held.emails.get(user.email)
  const other_line = holder === undefined ? batch.lineOf(`email ${user.email}`) : held.lines.get(holder)
  if (other_line !== undefined) return { field: "email", code: "duplicate_email", other_line }
  return holder === undefined ? undefined : { field: "email", code: "email_taken" }
}

/** The source of this service's own lines, whose ids are its users' ids. */
export const own = "sallyport"

const decideAddition = (judged: Judged, addition: AdmittedAddition, context: Context, batch: Batch): Outcome => {
  const { entry, admission } = judged
  const { held } = context
  const key = userKey(context.source, addition.source_id)
  const created = batch.users.get(key) ?? (batch.lineOf(key) === undefined ? undefined : key)
  const user_id = created ?? held.records.get(key)?.user_id
  if (user_id === undefined) return refuse(judged, [{ field: "id", code: "unknown_user" }])

  const issues = [...admission.issues]
  let [present, taken] = [0, 0]
  const lacks = (claimed: string, isHeld: boolean, field: string, code: Code): boolean => {
    if (!isHeld && batch.lineOf(claimed) === undefined) return true
    issues.push({ field, code })
    present += 1
    return false
  }
  const isHeld = held.accounts.has(accountKey({ provider_id: credentialProvider, account_id: user_id }))
  const password = addition.password !== null && lacks(`password ${key}`, isHeld, "password", "password_exists") ? addition.password : null
  const totp = addition.totp !== null && lacks(`app ${key}`, held.apps.has(user_id), "totp", "factor_exists") ? addition.totp : null
  const accounts = addition.accounts.filter((account) => {
    const holder = held.accounts.get(accountKey(account))
    const line = batch.lineOf(`account ${accountKey(account)}`)
    if (holder === undefined && line === undefined) return true
    if (holder === user_id) present += 1
    else {
      taken += 1
      issues.push({ field: "identities", code: "identity_taken", ...(line === undefined ? {} : { other_line: line }) })
    }
    return false
  })

  const dropped = { factors: admission.dropped.factors, identities: admission.dropped.identities + taken }
  if (password === null && totp === null && accounts.length === 0) {
    if (present === 0 && admission.reset.length === 0) return refuse({ entry, admission: { ...admission, issues } }, [])
    return { entry, status: "already_there", issues, reset: admission.reset, dropped }
  }
  if (password !== null) batch.claim(`password ${key}`, entry.line)
  if (totp !== null) batch.claim(`app ${key}`, entry.line)
  for (const account of accounts) batch.claim(`account ${accountKey(account)}`, entry.line)
  const kept = { ...addition, password, totp, accounts, user_id, isNew: created !== undefined }
  return { entry, status: "added", issues, addition: kept, user_id, reset: admission.reset, dropped }
}

/** What the outcomes add to the totals. */
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
