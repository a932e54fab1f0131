import { Array, Option, Schema } from "effect"
import { Email, Text } from "../../../domain/Text.ts"
import { Name } from "../../../domain/User.ts"
import type { Members, Provider } from "./settings.ts"

/** Somebody as a provider knows them. */
export interface Profile {
  readonly account_id: string
  /** Null where there is none, or none that proves a mailbox. */
  readonly email: string | null
  readonly name: string | null
}

type Raw = Readonly<Record<string, unknown>>

/** The profile in what a provider sent; none when it does not say whose it is. */
export const profileOf = (raw: Raw, map_user: Provider["map_user"]): Option.Option<Profile> => {
  const mapped: Raw = Object(typeof map_user === "function" ? map_user(raw) : picked(raw, map_user))
  const email_verified = mapped["email_verified"] ?? raw["email_verified"]
  const email = Option.filter(decodeEmail(mapped["email"]), () => isVerified(email_verified))
  return Option.map(accountIdOf(mapped["account_id"]), (account_id) => ({
    account_id,
    email: Option.getOrNull(email),
    name: Option.getOrNull(Option.map(decodeName(mapped["name"]), (name) => name.trim() || null)),
  }))
}

const picked = (raw: Raw, { account_id, email, email_verified, name }: Members): Raw => ({
  account_id: first(raw, account_id),
  email: first(raw, email),
  email_verified: first(raw, email_verified),
  name: first(raw, name),
})

const first = (raw: Raw, names?: Members["name"]): unknown =>
  Array.ensure(names ?? [])
    .map((name) => raw[name])
    .find((value) => value !== undefined && value !== null && value !== "")

const decodeEmail = Schema.decodeUnknownOption(Email)
const decodeName = Schema.decodeUnknownOption(Name)

/** Longer ones would not fit the indexes of databases; OpenID Connect Core section 2 has them end at 255. */
const AccountId = Text.check(Schema.isMaxLength(255), Schema.isPattern(/\S/))
const decodeAccountId = Schema.decodeUnknownOption(AccountId)

/** A number that is not exact may be that of several accounts. */
const accountIdOf = (value: unknown) => decodeAccountId(Number.isSafeInteger(value) ? String(value) : value)

/** A provider that says nothing of it is taken at its word for the address; some write what they say as text. */
const isVerified = (said: unknown) => said === undefined || said === null || said === true || said === "true"
