import { DateTime, Schema } from "effect"
import { isSynthetic, Text } from "../values/text.ts"
import { isWebUrl } from "../values/url.ts"

const atMost = (length: number) =>
  Schema.makeFilter((text: string) => text.length <= 2 * length && Array.from(text).length <= length, {
    expected: `at most ${length} characters`,
  })

/** What users call themselves, as somebody typed it. It is part of every answer that has the user. */
export const Name = Text.check(atMost(256))

/** The address of a picture. Other schemes (`javascript:`, `data:`) would run or load in the pages that show it. */
export const Image = Text.check(atMost(2048), Schema.makeFilter(isWebUrl, { expected: "an http or https URL" }))

export const User = Schema.Struct({
  id: Schema.String,
  email: Schema.String.pipe(Schema.annotateKey({ description: "Lowercased." })),
  email_verified: Schema.Boolean,
  name: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Avatar URL." })),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "User", description: "Somebody who can sign in, as the world sees them." })
export interface User extends Schema.Schema.Type<typeof User> {}

/** A user as stored. Endpoints answer with `User`: the further columns are never shown. */
export const StoredUser = Schema.Struct({
  ...User.fields,
  /** The address that was verified last, while the present one is not verified; null where the present one is, or none ever was. */
  last_verified_email: Schema.NullOr(Schema.String),
  /** When the user last changed the address, also to one that is verified by now. Null where they never did, and in rows of earlier versions. */
  readdressed_at: Schema.NullOr(Schema.DateTimeUtc),
})
export interface StoredUser extends Schema.Schema.Type<typeof StoredUser> {}

/** Whether the user ever proved an address. Addresses that the service made up count as verified. */
export const hadVerifiedAddress = ({ email, email_verified, last_verified_email }: StoredUser): boolean =>
  email_verified || last_verified_email !== null || isSynthetic(email)

/** What changes when the user proves to read an address: the present one, or a new one. */
export const verified = (updated_at: StoredUser["updated_at"]) => ({ email_verified: true, last_verified_email: null, updated_at })

/** What changes with a new address that the user has proved. */
export const readdressedAndVerified = (email: string, now: StoredUser["updated_at"]) => ({ email, ...verified(now), readdressed_at: now })

/** What changes with a new address that is not proved: the last verified one is remembered, so that the account does not count as never verified. */
export const readdressed = (user: StoredUser, email: string, updated_at: StoredUser["updated_at"]) => ({
  email,
  email_verified: false,
  last_verified_email: user.email_verified || isSynthetic(user.email) ? user.email : user.last_verified_email,
  readdressed_at: updated_at,
  updated_at,
})

/** Whether the user has had the present address since before this moment. */
export const hasAddressSince = ({ readdressed_at }: StoredUser, moment: DateTime.Utc): boolean =>
  readdressed_at === null || DateTime.isLessThan(readdressed_at, moment)

/** Where notices about an account go: its address, and while that is unverified the one that was verified last. */
export const noticeAddresses = ({ email, email_verified, last_verified_email }: StoredUser): ReadonlyArray<string> =>
  email_verified || last_verified_email === null ? [email] : [email, last_verified_email]

export const LinkedAccount = Schema.Struct({
  id: Schema.String,
  provider_id: Schema.String.pipe(Schema.annotateKey({ description: "`credential` is the password." })),
  account_id: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "LinkedAccount", description: "A way to sign in that is linked to a user." })
