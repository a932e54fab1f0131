import { Effect, Schema } from "effect"
import type { Membership } from "../../../../domain/organizations/membership.ts"
import { Policies } from "../../../../domain/policies.ts"
import { Settings } from "../../../../domain/settings.ts"
import { accountsOf } from "../../../../domain/sign-in/linked-accounts.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import type { User } from "../../../../domain/users/user.ts"
import { isSynthetic } from "../../../../domain/values/text.ts"
import { isOwnPath, isWebUrl } from "../../../../domain/values/url.ts"
import type { Client } from "../clients/client.ts"
import { protocolClaims, scopeOfClaim, standardClaims } from "../clients/standard-claims.ts"
import { OrganizationClaims, organizationClaims } from "./organization.ts"
import { profileOf } from "./profile.ts"
import { Profile } from "./profile-table.ts"
import { subjectOf } from "./subject.ts"

/** The claims about a user (OpenID Connect Core section 5.1), and those of modules. */
export const Claims = Schema.StructWithRest(
  Schema.Struct({
    sub: Schema.String,
    email: Schema.optionalKey(Schema.String),
    email_verified: Schema.optionalKey(Schema.Boolean),
    name: Schema.optionalKey(Schema.String),
    picture: Schema.optionalKey(Schema.String),
    locale: Schema.optionalKey(Schema.String),
    ...Profile.fields,
    phone_number: Schema.optionalKey(Schema.String),
    phone_number_verified: Schema.optionalKey(Schema.Boolean),
    /** Seconds. */
    updated_at: Schema.optionalKey(Schema.Int),
    ...OrganizationClaims,
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
).annotate({ identifier: "UserinfoClaims" })
export type Claims = typeof Claims.Type

/** The claims that ID tokens contain by scope. Clients read the others from userinfo, or request them by the parameter `claims`. */
const inIdTokens = ["name", "picture", "updated_at", ...standardClaims.email]

/** The claims that a token permits its client to read. */
interface Permitted {
  readonly client: Client
  readonly user: User
  readonly scope: string
  /** The claims that the client requested one by one. */
  readonly requested: ReadonlyArray<string>
  /** The membership in the organization that the user signed in for. */
  readonly membership: Membership | null
}

/** The claims for userinfo, without claims that have no value and without synthetic addresses. */
export const userinfoClaims = ({ requested, ...permitted }: Permitted) =>
  claimsOf({ ...permitted, names: [...namesOf(permitted.scope), ...requested] })

/** The claims for an ID token. */
export const idTokenClaims = ({ requested, ...permitted }: Permitted) =>
  claimsOf({ ...permitted, names: [...namesOf(permitted.scope).filter((name) => inIdTokens.includes(name)), ...requested] })

const namesOf = (scope: string): ReadonlyArray<string> => {
  const scopes = scope.split(" ")
  return Object.entries<ReadonlyArray<string>>(standardClaims).flatMap(([name, claims]) => (scopes.includes(name) ? claims : []))
}

interface Named extends Omit<Permitted, "requested"> {
  readonly names: ReadonlyArray<string>
}

/** The claims with these names, and what modules add. A module replaces no claim of the standard. */
const claimsOf = Effect.fnUntraced(function* claimsOf({ client, user, scope, membership, names }: Named) {
  const has = (some: ReadonlyArray<string>) => some.some((name) => names.includes(name))
  const known: Readonly<Record<string, unknown>> = {
    ...accountClaims(user, (yield* Settings).public_url),
    ...(has(Object.keys(Profile.fields)) ? yield* profileOf(user.id) : {}),
    ...(has(standardClaims.phone) ? yield* phoneOf(user.id) : {}),
  }
  const own = Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)))
  const offered = yield* (yield* Policies).userClaims({ user, client_id: client.client_id, scopes: scope.split(" ") })
  const added = Object.fromEntries(Object.entries(offered).filter(([name]) => !isReserved(name)))
  return { ...added, ...own, ...(yield* organizationClaims(membership, scope)), sub: yield* subjectOf(client, user.id) } as Claims
})

const isReserved = (name: string) => scopeOfClaim(name) !== undefined || protocolClaims.includes(name)

const accountClaims = ({ email, email_verified, name, image, locale, updated_at }: User, public_url: string) => ({
  ...(isSynthetic(email) ? {} : { email, email_verified }),
  ...(name === null ? {} : { name }),
  ...(locale === null || locale === undefined ? {} : { locale }),
  ...pictureOf(image, public_url),
  updated_at: Jwt.secondsOf(updated_at),
})

/** Only https: clients show the picture in their own pages, and earlier versions stored any text as image. */
const pictureOf = (image: string | null, public_url: string) => {
  const picture = image !== null && isOwnPath(image) ? `${public_url}${image}` : image
  return picture !== null && isWebUrl(picture) && /^https:/i.test(picture) ? { picture } : {}
}

/** A number is linked only once it is verified. */
const phoneOf = Effect.fnUntraced(function* phoneOf(user_id: string) {
  const account = (yield* accountsOf(user_id)).find(({ provider_id }) => provider_id === "phone")
  return account === undefined ? {} : { phone_number: account.account_id, phone_number_verified: true }
})
