import { type DateTime, Option, Schema } from "effect"
import type { Attributes } from "../../domain/attributes/attributes.ts"
import { maxAccounts, syntheticAddress } from "../../domain/sign-in/linked-accounts.ts"
import { isUuid } from "../../domain/storage/new-id.ts"
import { credentialProvider } from "../../domain/users/credential-account.ts"
import { Image, Name, type StoredUser } from "../../domain/users/user.ts"
import { Email, isLanguageTag, isSynthetic, Text } from "../../domain/values/text.ts"
import { maxPasskeys, provider_id as passkeyProvider } from "../modules/passkey/table.ts"
import * as Phone from "../modules/phone/index.ts"
import * as Siwe from "../modules/siwe/index.ts"
import { named } from "../modules/username/index.ts"
import { type AdmittedAttribute, admitAttributes } from "./attributes.ts"
import {
  type AdditionRecord,
  accountKey,
  type Ban,
  type Code,
  type Credentials,
  type Entry,
  type Identity,
  type Issue,
  type Passkey,
  type Password,
  type Totp,
  type UserRecord,
} from "./record.ts"

// The rules of the domain, applied to a record without the store.

/** The service that users are imported into. */
export interface Target {
  /** The enabled modules. */
  readonly modules: ReadonlySet<string>
  /** The attributes of users here. */
  readonly attributes: Attributes
  /** The ids of the providers here, by their names in the other system. */
  readonly providers: ReadonlyMap<string, string>
  /** The name of the format of a hash; none if sign-in cannot verify the hash. */
  readonly formatOf: (hash: string) => Option.Option<string>
  /** Whether a user with this address may be added (`domain/users/address-rules.ts`). */
  readonly isAllowed: (email: string) => boolean
  /** A phone number with its calling code in the form of ITU-T E.164; none if the text is not such a number. */
  readonly e164Of: (number: string) => Option.Option<string>
}

/** Credentials that can be stored. */
export interface AdmittedCredentials {
  readonly password: { readonly hash: string; readonly format: string } | null
  readonly accounts: ReadonlyArray<Identity>
  readonly totp: Totp | null
}

/** A user who can be stored, unless one of their unique values is taken. */
export interface AdmittedUser
  extends AdmittedCredentials,
    Omit<StoredUser, "id" | "created_at" | "updated_at" | "is_guest" | "needs_invitation"> {
  readonly kind: "user"
  readonly source_id: string
  /** The user's id, where the source's id is a UUID. */
  readonly id: string | null
  readonly username: { readonly username: string; readonly display_username: string } | null
  readonly ban: Ban | null
  readonly role: string
  readonly created_at: DateTime.Utc | null
  readonly updated_at: DateTime.Utc | null
  readonly passkeys: ReadonlyArray<Passkey>
  readonly attributes: ReadonlyArray<AdmittedAttribute>
}

/** Credentials for the user of another record. */
export interface AdmittedAddition extends AdmittedCredentials {
  readonly kind: "addition"
  readonly source_id: string
}

/** The result of the rules for a record. It is refused if `admitted` is null. */
export interface Admission {
  readonly admitted: AdmittedUser | AdmittedAddition | null
  readonly issues: ReadonlyArray<Issue>
  /** Formats of the passwords that have to be reset. */
  readonly reset: ReadonlyArray<string>
  readonly dropped: { readonly factors: number; readonly identities: number }
}

/** Limit on the linked accounts of one user, passkeys included. One more account is reserved for a password. */
export const maxIdentities = maxAccounts - 1

/** The id of a record or of a linked account. Longer ones do not fit into an index of every database. */
const Id = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(500))

const isText = Schema.is(Text)
const isId = Schema.is(Id)
const isName = Schema.is(Name)
const isImage = Schema.is(Image)
const isPhone = Schema.is(Phone.Phone)
const email = Schema.decodeUnknownOption(Email)

/** Whether a number in the form of ITU-T E.164 has as many digits as numbers of any country have. */
const isDialled = (number: string) => /^\+[1-9]\d{6,14}$/.test(number)

/** Collects the findings about one record. */
const findingsOf = (entry: Entry) => {
  const issues = [...entry.issues]
  const dropped = { ...entry.dropped }
  const note = (field: string, code: Code) => void issues.push({ field, code })
  /** Reports and counts factors or linked accounts that are left out. */
  const drop = (kind: keyof typeof dropped, field: string, code: Code, count = 1) => {
    if (count === 0) return
    note(field, code)
    dropped[kind] += count
  }
  return { issues, dropped, note, drop }
}
type Findings = ReturnType<typeof findingsOf>
type Note = Findings["note"]

export const admit = (entry: Entry, target: Target): Admission => {
  const { record } = entry
  const findings = findingsOf(entry)
  const { issues, dropped, note } = findings
  if (record === null) {
    if (issues.length === 0) note("", "invalid_record")
    return refused(issues)
  }
  if (!isId(record.source_id)) {
    note("id", "invalid_record")
    return refused(issues)
  }
  const credentials = admitCredentials(record, target, findings)
  const admitted = record.kind === "user" ? admitUser(record, credentials, target, findings) : addition(record, credentials)
  if (admitted === null) return refused(issues)
  const reset = record.password !== undefined && admitted.password === null ? [record.password.format] : []
  return { admitted, issues, reset, dropped }
}

const refused = (issues: ReadonlyArray<Issue>): Admission => ({ admitted: null, issues, reset: [], dropped: { factors: 0, identities: 0 } })

const addition = ({ source_id }: AdditionRecord, credentials: AdmittedCredentials): AdmittedAddition => ({
  kind: "addition",
  source_id,
  ...credentials,
  accounts: distinctBy(credentials.accounts, accountKey),
})

const admitCredentials = ({ password, identities = [], totp }: Credentials, target: Target, findings: Findings): AdmittedCredentials => {
  const stored = password === undefined ? null : storedPassword(password, target)
  if (password !== undefined && stored === null) findings.note("password", "password_not_readable")
  const factor = totp !== undefined && target.modules.has("two_factor") ? totp : null
  if (totp !== undefined && factor === null) findings.drop("factors", "totp", "factor_not_supported")
  const accounts = identities.flatMap((identity) => Option.toArray(linked(identity, target, findings)))
  return { password: stored, accounts, totp: factor }
}

/** The hash with its format; null if sign-in cannot verify it. */
const storedPassword = ({ hash }: Password, { formatOf }: Target): AdmittedCredentials["password"] => {
  if (hash === null || !isText(hash)) return null
  return Option.getOrNull(Option.map(formatOf(hash), (format) => ({ hash, format })))
}

const linked = (identity: Identity, { providers }: Target, { drop }: Findings): Option.Option<Identity> => {
  const provider_id = providers.get(identity.provider_id)
  if (provider_id === undefined) {
    drop("identities", "identities", "unknown_provider")
    return Option.none()
  }
  if (
    !isId(identity.account_id) ||
    provider_id === credentialProvider ||
    (provider_id === Phone.provider_id && !isPhone(identity.account_id))
  ) {
    drop("identities", "identities", "invalid_identity")
    return Option.none()
  }
  return Option.some({ ...identity, provider_id })
}

const admitUser = (record: UserRecord, credentials: AdmittedCredentials, target: Target, findings: Findings): AdmittedUser | null => {
  const { note, drop } = findings
  const phone = phoneOf(record, target, note)
  const accounts = distinctBy([...phone, ...credentials.accounts], accountKey)
  const kept = accounts.slice(0, maxIdentities)
  drop("identities", "identities", "too_many_identities", accounts.length - kept.length)
  const address = addressOf(record, kept, note)
  if (address === null) return null
  if (!target.isAllowed(address.email)) {
    note("email", "address_not_allowed")
    return null
  }
  if (record.ban !== undefined && !target.modules.has("admin")) {
    note("disabled", "ban_not_supported")
    return null
  }
  return {
    kind: "user",
    ...credentials,
    accounts: kept,
    source_id: record.source_id,
    id: isUuid(record.source_id) ? record.source_id : null,
    ...address,
    is_test: record.is_test ?? false,
    ...profileOf(record, note),
    username: usernameOf(record, target, note),
    ban: banOf(record),
    role: roleOf(record, target, note),
    created_at: record.created_at ?? null,
    updated_at: record.updated_at ?? null,
    passkeys: passkeysOf(record, target, maxIdentities - kept.length, findings),
    attributes: admitAttributes(record, target.attributes, note),
  }
}

const banOf = ({ ban }: UserRecord): Ban | null =>
  ban === undefined ? null : { ...ban, reason: ban.reason === null || !isText(ban.reason) ? null : ban.reason }

const passkeysOf = ({ passkeys = [] }: UserRecord, { modules }: Target, room: number, { drop }: Findings) => {
  const supported = modules.has("passkey") ? passkeys.filter(isStorable) : []
  drop("factors", "passkeys", "factor_not_supported", passkeys.length - supported.length)
  const distinct = distinctBy(supported, ({ credential_id }) => credential_id)
  const kept = distinct.slice(0, Math.min(room, maxPasskeys))
  drop("factors", "passkeys", "too_many_identities", distinct.length - kept.length)
  return kept
}

const isStorable = ({ credential_id, public_key, transports, name }: Passkey) =>
  isId(credential_id) && [public_key, name ?? "", ...transports].every(isText)

/** One value for each key: a record that repeats an account would violate a unique index within its own commit. */
const distinctBy = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [keyOf(value), value] as const)).values(),
]

const phoneOf = ({ phone }: UserRecord, { modules, e164Of }: Target, note: Note): ReadonlyArray<Identity> => {
  if (phone === undefined) return []
  const account_id = isPhone(phone.number) ? Option.getOrElse(e164Of(phone.number), () => "") : ""
  if (!isDialled(account_id)) note("phone", "invalid_phone")
  else if (!phone.verified) note("phone", "unverified_phone")
  else if (!modules.has("phone")) note("phone", "phone_not_supported")
  else return [{ provider_id: Phone.provider_id, account_id }]
  return []
}

/** The address; for a user with only a phone number or a linked account, the synthetic one. */
const addressOf = (record: UserRecord, accounts: ReadonlyArray<Identity>, note: Note) => {
  const none = { last_verified_email: null, readdressed_at: null }
  if (record.email === null || isSynthetic(record.email)) {
    const synthetic = accounts.map(syntheticOf)
    const address = record.email === null ? synthetic[0] : synthetic.find((each) => each === record.email)
    if (address === undefined) note("email", record.email === null ? "missing_email" : "invalid_email")
    return address === undefined ? null : { email: address, email_verified: false, ...none }
  }
  const valid = Option.getOrUndefined(email(record.email))
  if (valid === undefined) {
    note("email", "invalid_email")
    return null
  }
  const last = record.email_verified ? null : (record.last_verified_email ?? null)
  return {
    email: valid,
    email_verified: record.email_verified,
    last_verified_email: last === null ? null : Option.getOrNull(email(last)),
    readdressed_at: record.readdressed_at ?? null,
  }
}

const domains: Readonly<Record<string, string>> = { [Phone.provider_id]: Phone.domain, [Siwe.provider_id]: Siwe.domain }

/** The synthetic address of a user who has no address and signs in with this account. */
export const syntheticOf = ({ provider_id, account_id }: Identity): string => {
  const domain = domains[provider_id]
  return domain === undefined ? `${provider_id}:${account_id}` : syntheticAddress(account_id, domain)
}

const profileOf = ({ name = null, image = null, locale = null }: UserRecord, note: Note) => {
  if (name !== null && !isName(name)) note("name", "invalid_name")
  if (image !== null && !isImage(image)) note("image", "invalid_image")
  return {
    name: name !== null && isName(name) ? name : null,
    image: image !== null && isImage(image) ? image : null,
    locale: locale !== null && isLanguageTag(locale) ? locale : null,
  }
}

const usernameOf = ({ username = null }: UserRecord, { modules }: Target, note: Note) => {
  if (username === null) return null
  const valid = Option.getOrNull(named(username))
  if (valid === null) note("username", "invalid_username")
  else if (!modules.has("username")) note("username", "username_not_supported")
  else return valid
  return null
}

const roleOf = ({ role = "user" }: UserRecord, { modules }: Target, note: Note) => {
  if (role === "user" || modules.has("admin")) return role
  note("role", "role_not_supported")
  return "user"
}

/** The provider ids of accounts that other modules than `social` create, for this service's own export. */
export const ownProviders = (modules: ReadonlySet<string>): ReadonlyArray<string> =>
  [Phone.provider_id, Siwe.provider_id].filter((id) => modules.has(id))

/** Whether an account is exported as an identity: passwords and passkeys are exported in other fields. */
export const isIdentity = (provider_id: string) => provider_id !== credentialProvider && provider_id !== passkeyProvider
