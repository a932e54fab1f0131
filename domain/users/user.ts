import { DateTime, Option, Schema, SchemaGetter } from "effect"
import { isLanguageTag, isSynthetic, Text } from "../values/text.ts"
import { isOwnPath, isWebUrl } from "../values/url.ts"

const atMost = (length: number) =>
  Schema.makeFilter((text: string) => text.length <= 2 * length && Array.from(text).length <= length, {
    expected: `at most ${length} characters`,
    toJsonSchema: () => ({ maxLength: length }),
  })

/** The name that a user chose. The limit is needed because every response with the user contains it. */
export const Name = Text.check(atMost(256))

const pictureWanted = "an http or https URL, or a path such as /uploads/ada.png"

/**
 * The address of a picture, which is on the origin of the service if it is a path. Other schemes (`javascript:`, `data:`) would run or load
 * in the pages that show it.
 */
export const Image = Text.check(
  atMost(2048),
  Schema.makeFilter((text: string) => isWebUrl(text) || isOwnPath(text), { expected: pictureWanted }),
)

/** A new picture; the empty text and null remove it. */
const NewImage = Schema.NullOr(
  Text.check(
    atMost(2048),
    Schema.makeFilter((text: string) => text === "" || isWebUrl(text) || isOwnPath(text), { expected: pictureWanted }),
  ),
)

/** The language of a user. */
export const Locale = Text.check(Schema.makeFilter(isLanguageTag, { expected: "a language tag such as en or pt-BR" }))

const languageDescription = "The user's language, a BCP 47 tag."

/** The user's language. A response omits the member if the user has no language: the specification's user has no such member. */
const ResponseLocale = Schema.optionalKey(Schema.String).pipe(
  Schema.annotateKey({ description: languageDescription }),
  Schema.decodeTo(Schema.optionalKey(Schema.NullOr(Schema.String)), {
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformOptional(Option.filter((tag): tag is string => tag !== null)),
  }),
  Schema.annotateKey({ description: languageDescription }),
)

/** Responses about other users omit the member: the specification's user has no such member. */
const ResponseGuest = Schema.optionalKey(Schema.Boolean).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Boolean), {
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformOptional(Option.filter((isGuest) => isGuest)),
  }),
  Schema.annotateKey({ description: "True for a guest (`POST /sign-in/guest`), otherwise absent." }),
)

/** The user in responses, with exactly the members of the specification; `StoredUser` has further columns. */
export const User = Schema.Struct({
  id: Schema.String,
  email: Schema.String.pipe(Schema.annotateKey({ description: "Lowercased." })),
  email_verified: Schema.Boolean,
  name: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Avatar URL." })),
  locale: ResponseLocale,
  is_guest: ResponseGuest,
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "User", description: "A user who can sign in." })
export interface User extends Schema.Schema.Type<typeof User> {}

/** A user as stored. Endpoints return `User`, without the further columns. */
export const StoredUser = Schema.Struct({
  ...User.fields,
  locale: Schema.NullOr(Schema.String),
  /** The last verified address, while `email` is not verified. Null if `email` is verified, or no address was ever verified. */
  last_verified_email: Schema.NullOr(Schema.String),
  /**
   * The time of the user's last change of address, whether or not the new address is verified. Null without a change, and in rows of
   * earlier versions.
   */
  readdressed_at: Schema.NullOr(Schema.DateTimeUtc),
  /** Whether the user signed in as a guest and has proved no address since. No user becomes a guest later. */
  is_guest: Schema.Boolean,
  /** Whether the user signed up with a code of `test_users`, which several people may know. Never changes. */
  is_test: Schema.Boolean,
  /** Whether the user signed up by an invitation and has not proved the address since: the proof spends the invitation, and fails without one. */
  needs_invitation: Schema.Boolean,
})
export interface StoredUser extends Schema.Schema.Type<typeof StoredUser> {}

/** Whether other people may know how to sign in as this user, or the user has not proved who they are: then the user has no grants. */
export const isUnproved = ({ is_guest, is_test }: StoredUser): boolean => is_guest || is_test

/** What a user, or an administrator, changes of a profile. Members that are absent stay. */
export const ProfileChanges = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Name)).pipe(Schema.annotateKey({ description: "Null removes it." })),
  image: Schema.optionalKey(NewImage).pipe(
    Schema.annotateKey({ description: "An http or https URL, or a path of the service's origin; null or the empty text removes it." }),
  ),
  locale: Schema.optionalKey(Schema.NullOr(Locale)).pipe(Schema.annotateKey({ description: "A BCP 47 tag; null removes it." })),
})

/** A user with these changes of the profile. A decoded input can have attributes as well, which are not columns of users. */
export const withProfile = (user: StoredUser, changes: typeof ProfileChanges.Type, now: DateTime.Utc): StoredUser => {
  const { name = user.name, locale = user.locale, image } = changes
  return { ...user, name, locale, ...(image === undefined ? {} : { image: image === "" ? null : image }), updated_at: now }
}

/** Replaces the id of an unknown user, so that lookups take as long for unknown names. Ids are UUIDs, so no row has this one. */
export const unknownUserId = "unknown"

/** The id of the user of an address, if they verified it. */
export const verifiedOwner = (user: Option.Option<User>) =>
  user.pipe(
    Option.filter(({ email_verified }) => email_verified),
    Option.map(({ id }) => id),
  )

/** Whether the user ever verified an address. Synthetic addresses count as verified. */
export const hadVerifiedAddress = ({ email, email_verified, last_verified_email }: StoredUser): boolean =>
  email_verified || last_verified_email !== null || isSynthetic(email)

/** The columns that change when the user verifies `email`, or a new address. */
export const verifiedColumns = (updated_at: StoredUser["updated_at"]) => ({
  email_verified: true,
  last_verified_email: null,
  needs_invitation: false,
  updated_at,
})

/** The columns that change with a verified new address. */
export const verifiedNewAddressColumns = (email: string, now: StoredUser["updated_at"]) => ({
  email,
  ...verifiedColumns(now),
  readdressed_at: now,
})

/** The columns that change with an unverified new address. Keeps the last verified one, so the account does not count as never verified. */
export const changedAddressColumns = (user: StoredUser, email: string, updated_at: StoredUser["updated_at"]) => ({
  email,
  email_verified: false,
  last_verified_email: user.email_verified || isSynthetic(user.email) ? user.email : user.last_verified_email,
  readdressed_at: updated_at,
  needs_invitation: false,
  updated_at,
})

/** Whether the user already had the present address at this moment, and has kept it since. */
export const hasAddressSince = ({ readdressed_at }: StoredUser, moment: DateTime.Utc): boolean =>
  readdressed_at === null || DateTime.isLessThan(readdressed_at, moment)

/** The recipients of notices about an account: its address and, while that is unverified, the last verified one. */
export const noticeAddresses = ({ email, email_verified, last_verified_email }: StoredUser): ReadonlyArray<string> =>
  email_verified || last_verified_email === null ? [email] : [email, last_verified_email]

export const LinkedAccount = Schema.Struct({
  id: Schema.String,
  provider_id: Schema.String.pipe(Schema.annotateKey({ description: "`credential` is the password." })),
  account_id: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "LinkedAccount", description: "A way to sign in that is linked to a user." })
