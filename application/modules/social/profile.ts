import { Array, Option, Schema } from "effect"
import { Name } from "../../../domain/users/user.ts"
import { Email, Text } from "../../../domain/values/text.ts"
import type { Members, Provider } from "./provider-settings.ts"

/** Whether the provider states that the address is verified, that it is not verified, or neither. */
type Claim = "verified" | "unstated" | "denied"

/** A user, as described by a provider. */
export interface Profile {
  readonly account_id: string
  /** Null if the profile has none. */
  readonly email: string | null
  readonly email_claim: Claim
  readonly name: string | null
}

type Raw = Readonly<Record<string, unknown>>

/**
 * Reads the profile in a provider's response; none without a valid account id. `verified_values` count as verified, in addition to `true`.
 */
export const profileOf = (
  raw: Raw,
  map_user: Provider["map_user"],
  verified_values: ReadonlyArray<unknown> = [],
): Option.Option<Profile> => {
  const mapped: Raw = Object(typeof map_user === "function" ? map_user(raw) : picked(raw, map_user))
  return Option.map(accountIdOf(mapped["account_id"]), (account_id) => ({
    account_id,
    email: Option.getOrNull(decodeEmail(mapped["email"])),
    email_claim: claimIn(mapped["email_verified"] ?? raw["email_verified"], verified_values),
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
    .map((name) => memberOf(raw, name))
    .find((value) => value !== undefined && value !== null && value !== "")

/** The member of this name, or the one that a path such as `data.id` leads to. Claims such as `https://acme.example/email` contain dots. */
const memberOf = (raw: Raw, name: string): unknown =>
  Object.hasOwn(raw, name)
    ? raw[name]
    : name.split(".").reduce((value: unknown, step) => (Object.hasOwn(Object(value), step) ? Object(value)[step] : undefined), raw)

const decodeEmail = Schema.decodeUnknownOption(Email)
const decodeName = Schema.decodeUnknownOption(Name)

/** An account id. The databases limit the length of indexed values; OpenID Connect Core section 2 limits ids to 255 characters. */
const AccountId = Text.check(Schema.isMaxLength(255), Schema.isPattern(/\S/))
const decodeAccountId = Schema.decodeUnknownOption(AccountId)

/** The account id in a profile. A number that JavaScript cannot represent exactly is refused: it could be the id of several accounts. */
const accountIdOf = (value: unknown) => decodeAccountId(Number.isSafeInteger(value) ? String(value) : value)

/** The claim of a profile. Only `true` counts as verified: in some providers' profiles, users can enter any text in this member. */
const claimIn = (email_verified: unknown, verified_values: ReadonlyArray<unknown>): Claim => {
  if (email_verified === true || verified_values.includes(email_verified)) return "verified"
  return email_verified === undefined || email_verified === null || email_verified === "true" ? "unstated" : "denied"
}

/** The address of a profile if the provider has verified it; null otherwise: an unverified address must not match a user. */
export const trustedEmail = ({ email, email_claim }: Profile, trust: Provider["trust_email"] = "when_verified"): string | null => {
  if (trust === "never" || email_claim === "denied") return null
  return trust === "always" || email_claim === "verified" ? email : null
}
