import { DateTime, Effect, Schema } from "effect"
import type { Values } from "../../../domain/attributes/attributes.ts"
import { invalidMember } from "../../../domain/errors.ts"
import { hasOrganizations } from "../../../domain/organizations/membership.ts"
import { type AdminMetadata, isBanned } from "../../../domain/users/admin-metadata.ts"
import type { User } from "../../../domain/users/user.ts"
import { Email, searchable, Text } from "../../../domain/values/text.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import type { WantedValue } from "./attribute-filter.ts"
import { type AdminGrant, holdsRole } from "./grants-table.ts"

const Beginning = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(254))

/** By which users are selected; several filters select those who match all. */
export const Filters = {
  search: Schema.optionalKey(Text.check(Schema.isPattern(/\S/, { expected: "a text that is not blank" }), Schema.isMaxLength(254))).pipe(
    Schema.annotateKey({
      description:
        "An id, or the beginning of an address, of its domain (with `@`), of a phone number (with `+`), of a name or its last word, or of a user name. Without `order` and other filters of this kind.",
    }),
  ),
  user_id: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Email),
  email_prefix: Schema.optionalKey(Beginning),
  name_prefix: Schema.optionalKey(Beginning),
  provider_id: Schema.optionalKey(Schema.String).pipe(
    Schema.annotateKey({ description: "With `account_id`: the user of this linked account, such as `phone` and the number." }),
  ),
  account_id: Schema.optionalKey(Schema.String),
  role: Schema.optionalKey(Schema.String).pipe(
    Schema.annotateKey({ description: "Of `/admin/set-role`, or assigned by `/admin/roles/assign` and not ended." }),
  ),
  organization_id: Schema.optionalKey(Schema.String).pipe(Schema.annotateKey({ description: "The members of this organization." })),
  banned: Schema.optionalKey(QueryBoolean),
  email_verified: Schema.optionalKey(QueryBoolean),
  attribute: Schema.optionalKey(Schema.String).pipe(
    Schema.annotateKey({ description: "With `value`: the users with this value of an attribute that is `indexed`." }),
  ),
  value: Schema.optionalKey(Schema.String).pipe(Schema.annotateKey({ description: "A text, or a number or a boolean as in JSON." })),
  created_from: Schema.optionalKey(Schema.DateTimeUtcFromString),
  created_before: Schema.optionalKey(Schema.DateTimeUtcFromString),
}
const All = Schema.Struct(Filters)
export type Filters = typeof All.Type

/** The filters in a fixed order, so that the same ones have the same text. */
export const filtersOf = (input: Filters): Filters =>
  Object.fromEntries(Object.keys(Filters).flatMap((name) => (Reflect.has(input, name) ? [[name, Reflect.get(input, name)]] : [])))

/** Filters that name single users, or a beginning, as `search` does. */
const exact = ["user_id", "email", "email_prefix", "name_prefix", "provider_id", "account_id"] as const

/** Fails for filters that contradict each other, or that the service cannot follow. */
export const checkFilters = Effect.fnUntraced(function* checkFilters(filters: Filters, isOrdered: boolean) {
  if ((filters.provider_id === undefined) !== (filters.account_id === undefined))
    return yield* invalidMember("account_id", "Expected together with provider_id")
  if (filters.search !== undefined && (isOrdered || exact.some((name) => filters[name] !== undefined)))
    return yield* invalidMember("search", `Expected without order, ${exact.join(", ")}`)
  if (filters.organization_id !== undefined && !(yield* hasOrganizations))
    return yield* invalidMember("organization_id", "Expected a service with organizations")
})

/** What is known of a user for the filters. `isMember`: of the organization that the filters name. */
export interface Known {
  readonly user: User
  readonly metadata: Pick<AdminMetadata, "role" | "banned" | "ban_expires">
  readonly grants: ReadonlyArray<AdminGrant>
  readonly values: Values
  readonly isMember: boolean
}

/** Whether a user, with role and ban, the assigned roles and attributes, matches each filter. */
export const matcherOf = (
  { email_prefix, name_prefix, created_from, created_before, ...filters }: Filters,
  wanted: WantedValue | undefined,
  now: DateTime.Utc,
) => {
  const [email, name] = [email_prefix, name_prefix].map((text) => (text === undefined ? undefined : searchable(text)))
  return ({ user, metadata, grants, values, isMember }: Known): boolean =>
    is(filters.user_id, user.id) &&
    is(filters.email, user.email) &&
    (is(filters.role, metadata.role) || (filters.role !== undefined && holdsRole(grants, filters.role, now))) &&
    (filters.organization_id === undefined || isMember) &&
    is(filters.banned, isBanned(metadata, now)) &&
    is(filters.email_verified, user.email_verified) &&
    (wanted === undefined || values[wanted.attribute] === wanted.value) &&
    (email === undefined || user.email.startsWith(email)) &&
    (name === undefined || (user.name !== null && searchable(user.name).startsWith(name))) &&
    (created_from === undefined || DateTime.isGreaterThanOrEqualTo(user.created_at, created_from)) &&
    (created_before === undefined || DateTime.isLessThan(user.created_at, created_before))
}

const is = <A>(wanted: A | undefined, value: A) => wanted === undefined || wanted === value
