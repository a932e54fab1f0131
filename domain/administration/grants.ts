import { DateTime } from "effect"
import { covers, type Permission, type Permitted, permissions, permitted } from "./permissions.ts"

/** Permissions of a user or a machine, their organization and their end. */
export interface Grant {
  readonly permissions: Iterable<Permission>
  /** Null: everywhere. */
  readonly organization_id: string | null
  /** Null: without an end. */
  readonly until: DateTime.Utc | null
}
export type Grants = ReadonlyArray<Grant>

/** The permissions with which a grant for one organization reads it and its members, who belong to other organizations too. */
const reading = ["users:read", "organizations:read", "members:read", "invitations:read"] as const
/** Those with which it changes accounts, only of users whom the organization manages (`ofPrincipal`). */
const changing = ["users:update", "users:credentials", "users:suspend"] as const
const ofOrganization = new Set<Permission>([...reading, ...changing])

/** The part of a role that a grant for one organization gives. */
export const limited = (role: Iterable<Permission>): Permitted => new Set([...role].filter((permission) => ofOrganization.has(permission)))

/** These permissions without an end, everywhere or in one organization; no grant without permissions. */
export const grantingIn = (organization_id: string | null, granted: Iterable<Permission>): Grants => {
  const permissions = organization_id === null ? [...granted] : [...limited(granted)]
  return permissions.length === 0 ? [] : [{ permissions, organization_id, until: null }]
}
export const granting = (granted: Iterable<Permission>): Grants => grantingIn(null, granted)

/** All permissions of these grants. An administrator needs all of them to act on the user who has the grants. */
export const anywhere = (grants: Grants): Permitted => permitted(grants.flatMap(({ permissions }) => [...permissions]))

/** The permissions of these grants for all users and organizations. */
export const everywhere = (grants: Grants): Permitted => anywhere(grants.filter(({ organization_id }) => organization_id === null))

/** The permissions for all users and organizations that last until this moment at least; null: without an end. */
export const lasting = (grants: Grants, until: DateTime.Utc | null): Permitted =>
  everywhere(grants.filter((grant) => grant.until === null || (until !== null && DateTime.isGreaterThanOrEqualTo(grant.until, until))))

/** The permissions of these grants for single organizations, by the id of the organization. */
export const within = (grants: Grants): ReadonlyMap<string, Permitted> => {
  const ids = new Set(grants.flatMap(({ organization_id }) => organization_id ?? []))
  const of = (id: string) => limited(anywhere(grants.filter(({ organization_id }) => organization_id === id)))
  return new Map([...ids].map((id) => [id, of(id)] as const))
}

/** Whether these grants permit, place by place, all that the others permit. */
export const coverEach = (own: Grants, others: Grants): boolean => {
  const here = within(own)
  return others.every(({ organization_id, permissions }) => {
    const there = organization_id === null ? undefined : here.get(organization_id)
    return covers(new Set([...everywhere(own), ...(there ?? [])]), new Set(permissions))
  })
}

/** The organizations in which these grants permit something. */
export const organizationsWith = (grants: Grants, permission: Permission): ReadonlyArray<string> =>
  [...within(grants)].filter(([, held]) => held.has(permission)).map(([id]) => id)

/** The end of the first of these grants that ends; null if none does. */
export const nextEnd = (grants: Grants): DateTime.Utc | null =>
  grants.flatMap(({ until }) => until ?? []).toSorted((one, other) => one.epochMilliseconds - other.epochMilliseconds)[0] ?? null

/** Whether these grants permit everything, everywhere and without an end. */
export const isOwner = (grants: Grants): boolean => lasting(grants, null).size === permissions.length
