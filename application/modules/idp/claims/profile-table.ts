import { DateTime, Option, Schema, Struct } from "effect"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { Text } from "../../../../domain/values/text.ts"
import { isWebUrl } from "../../../../domain/values/url.ts"

const Short = Text.check(Schema.isMinLength(1), Schema.isMaxLength(256))
const Url = Text.check(Schema.isMaxLength(2048), Schema.makeFilter(isWebUrl, { expected: "an http or https URL" }))

/** A year, or a date; the year 0000 if the user does not give it (OpenID Connect Core section 5.1). */
const Birthdate = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{4}$/.test(text) || isDate(text), { expected: "a date such as 1815-12-10, or a year" }),
)
const isDate = (text: string) => {
  // 2000 was a leap year, so that 0000-02-29 is a date.
  const date = text.replace(/^0000-/, "2000-")
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return false
  // Not every parser refuses the 30th of February.
  return Option.exists(DateTime.make(`${date}T00:00:00Z`), (day) => DateTime.formatIso(day).startsWith(date))
}

const Zoneinfo = Schema.String.check(
  Schema.makeFilter((text: string) => isTimeZone(text), { expected: "a time zone such as Europe/London" }),
)
const isTimeZone = (text: string) => /^[A-Za-z][\w+/-]{0,63}$/.test(text) && Option.isSome(DateTime.zoneMakeNamed(text))

/** A postal address (OpenID Connect Core section 5.1.1). */
const Address = Schema.Struct({
  formatted: Schema.optionalKey(Text.check(Schema.isMaxLength(1024))),
  street_address: Schema.optionalKey(Text.check(Schema.isMaxLength(512))),
  locality: Schema.optionalKey(Short),
  region: Schema.optionalKey(Short),
  postal_code: Schema.optionalKey(Short),
  country: Schema.optionalKey(Short),
})

const Claims = Schema.Struct({
  given_name: Short,
  family_name: Short,
  middle_name: Short,
  nickname: Short,
  preferred_username: Short,
  profile: Url,
  website: Url,
  gender: Short,
  birthdate: Birthdate,
  zoneinfo: Zoneinfo,
  address: Address,
})

/** The standard claims that users fill in themselves, in addition to their name, picture and language. */
export const Profile = Claims.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "OauthProfile",
  description: "Standard claims about the user that clients can get (OpenID Connect Core section 5.1).",
})
export type Profile = typeof Profile.Type

/** Changes of a profile; null removes a claim. */
export const ProfileChanges = Claims.mapFields(Struct.map(Schema.NullOr)).mapFields(Struct.map(Schema.optionalKey))

/** Profiles of users who have filled in one. */
export const Profiles = Table.make("profile", Schema.Struct({ user_id: Schema.String, claims: Profile }), {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["claims"], other: ["user_id"] },
})
