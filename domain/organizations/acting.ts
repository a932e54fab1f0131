import { Context, Effect } from "effect"
import { Forbidden } from "../errors.ts"
import type { Held, OrganizationKey } from "../policies.ts"
import { check, isOfSameRow, Store, type Versioned, type Write } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { type AccessControl, mayGrant, type Permissions } from "./access-control.ts"
import { membership, permitted } from "./membership.ts"
import type { Member, Organization } from "./organization.ts"
import { allows, isWithin, type Readable } from "./statements.ts"
import { Members } from "./tables.ts"

// Members of an organization, and keys of it, as the callers of endpoints.

/** What an endpoint needs of its caller in the organization. Every member may `read`. */
export interface NeededInOrganization {
  readonly action: string
  readonly of: readonly [Readable, ...ReadonlyArray<Readable>]
}

/** The caller of an endpoint for members: the user of a session, or a key. */
export class OrganizationCaller extends Context.Service<
  OrganizationCaller,
  { readonly needed: NeededInOrganization } & (
    | { readonly key: null; readonly session: CurrentSession["Service"] }
    | { readonly key: OrganizationKey }
  )
>()("sallyport/OrganizationCaller") {}

/** The rights of the caller in one organization. */
export interface Acting {
  readonly organization: Versioned<Organization>
  /** The rank of the caller. */
  readonly role: string
  /** Null: a key calls. */
  readonly member: Member | null
  readonly mayGrant: (role: string) => boolean
  /** The writes that make a commit fail once the caller has lost the right. */
  readonly checks: ReadonlyArray<Write>
}

/** Whether a statement has what an endpoint needs. */
export const suffices = (statement: Permissions, { action, of }: NeededInOrganization): boolean =>
  of.every((resource) => allows(statement)(resource, action))

/**
 * The rights of the caller in this organization. Fails with `Forbidden` without what the endpoint needs, whether or not the organization
 * exists. Commit with `commitAs`: the rights can change in the meantime.
 */
export const actingIn = Effect.fnUntraced(function* actingIn(access: AccessControl, organization_id: string) {
  const caller = yield* OrganizationCaller
  return caller.key === null
    ? yield* Effect.provideService(ofMember(access, organization_id, caller.needed), CurrentSession, caller.session)
    : yield* ofKey(access, organization_id, caller.needed, caller.key)
})

const ofMember = Effect.fnUntraced(function* actingMember(access: AccessControl, id: string, { action, of }: NeededInOrganization) {
  const { member, organization } = yield* action === "read" ? membership(id) : permitted(access, id, of[0], action)
  const { role } = member.row
  const acting: Acting = {
    organization,
    role,
    member: member.row,
    mayGrant: (granted) => mayGrant(access, role, granted),
    checks: [check(Members, member)],
  }
  return acting
})

const ofKey = Effect.fnUntraced(function* actingKey(access: AccessControl, id: string, needed: NeededInOrganization, key: OrganizationKey) {
  return yield* actingWith(access, id, needed, yield* key.reread)
})

/** The rights of a key in this organization. It grants only roles that permit no more than its statement. */
export const actingWith = Effect.fnUntraced(function* actingWith(
  access: AccessControl,
  id: string,
  needed: NeededInOrganization,
  { organization: rights, checks }: Held,
) {
  if (rights === undefined || rights.organization.row.id !== id) return yield* new Forbidden()
  const { organization, role, statement } = rights
  if (!suffices(statement, needed)) return yield* new Forbidden()
  const acting: Acting = {
    organization,
    role,
    member: null,
    mayGrant: (granted) => mayGrant(access, role, granted) && isWithin(access.roles[granted] ?? {}, allows(statement)),
    checks,
  }
  return acting
})

/** Writes with these checks, except those of rows that are written. */
export const checkedBy = (checks: ReadonlyArray<Write>, writes: ReadonlyArray<Write>) => [
  ...checks.filter((each) => !writes.some((write) => isOfSameRow(write, each))),
  ...writes,
]

/** Commits the writes of a caller who still has the right to them. */
export const commitAs = ({ checks }: Pick<Acting, "checks">, writes: ReadonlyArray<Write>) =>
  Store.use(({ commit }) => commit(checkedBy(checks, writes)))
