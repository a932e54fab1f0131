import { Effect } from "effect"
import type {
  ListedMember,
  OrganizationHasPermissionPayload,
  OrganizationListMembersPayload,
  OrganizationListOrganizationsItem,
  OrganizationListPayload,
  OrganizationListTeamsPayload,
  Team,
} from "../../../client/operations.ts"
import type { AuthError } from "../../../domain/errors.ts"
import { Forbidden, TeamNotFound } from "../../../domain/errors.ts"
import { Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The largest page of a list, and the pages in which a page looks for one entry. */
const limit = 1000
const maxPages = 10

type Listed<A> = { readonly rows: ReadonlyArray<A>; readonly next_cursor?: string | null }

/** The first entry of a paged list that matches; undefined without one in the first pages. */
const findIn = Effect.fnUntraced(function* findInList<A>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Listed<A>, AuthError>,
  matches: (entry: A) => boolean,
) {
  let cursor: string | null | undefined
  for (let pages = 0; pages < maxPages && cursor !== null; pages++) {
    const { rows, next_cursor = null }: Listed<A> = yield* read({ limit, ...(cursor === undefined ? {} : { cursor }) })
    const found = rows.find(matches)
    if (found !== undefined) return found
    cursor = next_cursor
  }
  return undefined
})

/** An organization of the caller, with their role. */
export type Membership = OrganizationListOrganizationsItem

/** The link from a page of an organization to the organization. */
export const toOrganization = (view: View, { id, name }: Pick<Membership, "id" | "name">) => ({
  href: view.href("/account/organization", { id }),
  label: name,
})

/** The caller's membership in the organization with this id. */
const membershipIn = Effect.fnUntraced(function* membershipIn(id: string) {
  const { call } = yield* Visit
  const found = yield* findIn(
    (page) =>
      Effect.map(call<OrganizationListPayload>("organizationList", page), ({ organizations, ...rest }) => ({
        rows: organizations,
        ...rest,
      })),
    (each) => each.id === id,
  )
  return found ?? (yield* new Forbidden())
})

/** The organization that the address of the page names. */
export const organizationId = Effect.map(Visit, ({ query }) => query.get("id") ?? "")

/** The organization that the address of the page names, with the caller's role. */
export const membership = Effect.flatMap(organizationId, membershipIn)

/** Whether the caller's role permits this in the organization. */
export const isPermitted = Effect.fnUntraced(function* isPermitted(organization_id: string, resource: string, action: string) {
  const { call } = yield* Visit
  const permissions = { [resource]: [action] }
  return (yield* call<OrganizationHasPermissionPayload>("organizationHasPermission", { organization_id, permissions })).allowed
})

/** Fails unless the caller's role permits this, so that no form is shown that would be refused. */
export const requirePermission = Effect.fnUntraced(function* requirePermission(organization_id: string, resource: string, action: string) {
  if (!(yield* isPermitted(organization_id, resource, action))) return yield* new Forbidden()
})

/** The first member of an organization that matches. */
export const findMember = Effect.fnUntraced(function* findMember(organization_id: string, matches: (member: ListedMember) => boolean) {
  const { call } = yield* Visit
  return yield* findIn(
    (page) =>
      Effect.map(call<OrganizationListMembersPayload>("organizationListMembers", { organization_id, ...page }), ({ members, ...rest }) => ({
        rows: members,
        ...rest,
      })),
    matches,
  )
})

/** A team of an organization by its id. */
export const teamIn = Effect.fnUntraced(function* teamIn(organization_id: string, id: string) {
  const { call } = yield* Visit
  const found = yield* findIn(
    (page) =>
      Effect.map(call<OrganizationListTeamsPayload>("organizationListTeams", { organization_id, ...page }), ({ teams, ...rest }) => ({
        rows: teams,
        ...rest,
      })),
    (team: Team) => team.id === id,
  )
  return found ?? (yield* new TeamNotFound())
})
