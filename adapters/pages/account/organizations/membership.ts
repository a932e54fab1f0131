import { Effect } from "effect"
import { TeamNotFound } from "../../../../application/modules/organization/errors.ts"
import type { ListedMember, ListedOrganization } from "../../../../client/operations.ts"
import { type AuthError, Forbidden } from "../../../../domain/errors.ts"
import { permits } from "../../../../domain/organizations/access-control.ts"
import type { Key } from "../../../texts/texts.ts"
import { type Input, Visit } from "../../page.ts"
import type { Template, View } from "../../view.ts"
import { inSection } from "../frame.ts"

/** The largest page of a list, and the pages in which a page looks for one entry. */
const limit = 1000
const maxPages = 10

type Listed<A> = { readonly rows: ReadonlyArray<A>; readonly next_cursor?: string | null }

/** The first entry of a paged list that matches; undefined without one in the first pages. */
const findIn = Effect.fnUntraced(function* findInList<A>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Listed<A>, AuthError, Visit>,
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
export type Membership = ListedOrganization

/** The link from a page of an organization to the organization. */
export const toOrganization = (view: View, { id, name }: Pick<Membership, "id" | "name">) => ({
  href: view.href("/account/organization", { id }),
  label: name,
})

type ListInput = Input<"organizationListMembers">

/** Reads a page of a list of an organization. */
export type List<Row> = (input: ListInput) => Effect.Effect<Listed<Row>, AuthError, Visit>

/** The lists of an organization. */
export const lists = {
  members: (input: ListInput) =>
    Effect.flatMap(Visit, ({ call }) =>
      Effect.map(call("organizationListMembers", { ...input, details: true }), ({ members, ...rest }) => ({ rows: members, ...rest })),
    ),
  invitations: (input: ListInput) =>
    Effect.flatMap(Visit, ({ call }) =>
      Effect.map(call("organizationListInvitations", input), ({ invitations, ...rest }) => ({ rows: invitations, ...rest })),
    ),
  teams: (input: ListInput) =>
    Effect.flatMap(Visit, ({ call }) =>
      Effect.map(call("organizationListTeams", input), ({ teams, ...rest }) => ({ rows: teams, ...rest })),
    ),
}

const membershipIn = Effect.fnUntraced(function* membershipIn(id: string) {
  const { call } = yield* Visit
  const found = yield* findIn(
    (page) => Effect.map(call("organizationList", page), ({ organizations, ...rest }) => ({ rows: organizations, ...rest })),
    (each) => each.id === id,
  )
  return found ?? (yield* new Forbidden())
})

/** The organization that the address of the page names. */
export const organizationId = Effect.map(Visit, ({ query }) => query.get("id") ?? "")

/** The organization that the address of the page names, with the caller's role. */
export const membership = Effect.flatMap(organizationId, membershipIn)

/** Whether the role of a member permits this. Endpoints check it too; pages offer only what they permit. */
export const isPermitted = ({ role }: Pick<Membership, "role">, resource: string, action: string) =>
  Effect.map(Visit, ({ site }) => site.accessControl !== null && permits(site.accessControl, role, { [resource]: [action] }))

/** Fails unless the caller's role permits this, so that no form is shown that would be refused. */
export const requirePermission = Effect.fnUntraced(function* requirePermission(own: Membership, resource: string, action: string) {
  if (!(yield* isPermitted(own, resource, action))) return yield* new Forbidden()
})

/** Shows a page about the organization to callers whose role permits this. */
export const showPermitted = (resource: string, action: string, title: Key, template: Template<Membership>) =>
  Effect.gen(function* () {
    const { view } = yield* Visit
    const own = yield* membership
    yield* requirePermission(own, resource, action)
    return yield* inSection("organizations", view.texts.t(title), template(view, own))
  })

/** The first member of an organization that matches. */
export const findMember = (organization_id: string, matches: (member: ListedMember) => boolean) =>
  findIn((page) => lists.members({ organization_id, ...page }), matches)

/** A team of an organization by its id. */
export const teamIn = Effect.fnUntraced(function* teamIn(organization_id: string, id: string) {
  const found = yield* findIn(
    (page) => lists.teams({ organization_id, ...page }),
    (team) => team.id === id,
  )
  return found ?? (yield* new TeamNotFound())
})
