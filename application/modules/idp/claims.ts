import { DateTime, Schema } from "effect"
import type { User } from "../../../domain/users/user.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import { isWebUrl } from "../../../domain/values/url.ts"

/** What a client learns of a user (OpenID Connect Core section 5.1). */
export const Claims = Schema.Struct({
  sub: Schema.String,
  email: Schema.optionalKey(Schema.String),
  email_verified: Schema.optionalKey(Schema.Boolean),
  name: Schema.optionalKey(Schema.String),
  picture: Schema.optionalKey(Schema.String),
  /** Seconds. */
  updated_at: Schema.optionalKey(Schema.Int),
})
export type Claims = typeof Claims.Type

/** What these scopes tell. A claim without a value is left out, and so is an address that nobody has. */
export const claimsOf = (user: User, scope: string): Claims => {
  const scopes = scope.split(" ")
  const email = scopes.includes("email") && !isSynthetic(user.email) ? { email: user.email, email_verified: user.email_verified } : {}
  return { sub: user.id, ...email, ...(scopes.includes("profile") ? profileOf(user) : {}) }
}

const profileOf = ({ name, image, updated_at }: User) => ({
  ...(name === null ? {} : { name }),
  ...pictureOf(image),
  updated_at: epochSeconds(updated_at),
})

/** Only https: clients show the picture in pages of their own. Users stored by earlier versions may have any text as their image. */
const pictureOf = (image: string | null) => (image !== null && isWebUrl(image) && /^https:/i.test(image) ? { picture: image } : {})

export const epochSeconds = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / 1000)
