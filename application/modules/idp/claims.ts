import { DateTime, Schema } from "effect"
import type { User } from "../../../domain/users/user.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import { isWebUrl } from "../../../domain/values/url.ts"

/** The claims about a user (OpenID Connect Core section 5.1). */
export const Claims = Schema.Struct({
  sub: Schema.String,
  email: Schema.optionalKey(Schema.String),
  email_verified: Schema.optionalKey(Schema.Boolean),
  name: Schema.optionalKey(Schema.String),
  picture: Schema.optionalKey(Schema.String),
  /** Seconds. */
  updated_at: Schema.optionalKey(Schema.Int),
}).annotate({ identifier: "UserinfoClaims" })
export type Claims = typeof Claims.Type

/** The claims of these scopes, without claims that have no value and without synthetic addresses. */
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

/** Only https: clients show the picture in their own pages, and earlier versions stored any text as image. */
const pictureOf = (image: string | null) => (image !== null && isWebUrl(image) && /^https:/i.test(image) ? { picture: image } : {})

export const epochSeconds = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / 1000)
