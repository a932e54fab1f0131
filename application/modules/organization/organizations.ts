import { Effect, Option, Schema } from "effect"
import { organizationAttributeWrites } from "../../../domain/attributes/organizations.ts"
import { attributesIn } from "../../../domain/attributes/writing.ts"
import { EmailNotVerified, Forbidden, invalidMember } from "../../../domain/errors.ts"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { actingIn, commitAs, OrganizationCaller } from "../../../domain/organizations/acting.ts"
import { creationWrites } from "../../../domain/organizations/creation.ts"
import { membership } from "../../../domain/organizations/membership.ts"
import { Invitation, Name, Organization, Slug, Team } from "../../../domain/organizations/organization.ts"
import { ActiveOrganizations, Members, Organizations, Teams } from "../../../domain/organizations/tables.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, find, put, retryOnConflict, Store, type Taken, update } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { refuseGuest } from "../../../domain/sign-in/verification.ts"
import { removalWrites } from "../../../domain/storage/removals.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { forMembers } from "../../service/guards.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { SlugTaken } from "./errors.ts"
import { requireRoomOfUser } from "./limits.ts"
import { activeOrganization, ListedMember, pageOfInvitations, pageOfMembers } from "./lists.ts"
import type { OrganizationSettings } from "./settings.ts"

const OrganizationBody = Schema.Struct({ organization: Organization })

/** Turns `Taken` into `slug_taken`: the slug is the only unique value that a caller chooses. */
export const slugTaken = (taken: Taken) => (taken.field === "slug" ? Effect.fail(new SlugTaken()) : Effect.die(taken))

const create = (access: AccessControl, max_per_user: number) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/create",
    summary: "Creates an organization, whose first member is the caller.",
    access: "session",
    input: Schema.Struct({ name: Name, slug: Slug }),
    output: OrganizationBody,
    errors: [SlugTaken, EmailNotVerified],
    handler: Effect.fnUntraced(function* organizationCreate({ name, slug }) {
      const { user } = yield* rereadSession
      yield* refuseGuest(user.row)
      yield* requireRoomOfUser(user.row.id, max_per_user)
      const { organization, writes } = yield* creationWrites(access, { name, slug }, user)
      yield* Effect.catchTag((yield* Store).commit(writes), "Taken", slugTaken)
      return Endpoint.reply({ organization })
    }, retryOnConflict),
  })

const updateOrganization = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "organization"),
    method: "POST",
    path: "/organization/update",
    summary: "Changes an organization's name or slug.",
    impersonation: "act",
    attributes: { of: "organization", from: "user" },
    input: Schema.Struct({ organization_id: Schema.String, name: Schema.optionalKey(Name), slug: Schema.optionalKey(Slug) }),
    output: OrganizationBody,
    errors: [Forbidden, SlugTaken],
    handler: Effect.fnUntraced(function* organizationUpdate({ organization_id, ...input }) {
      const { name, slug } = input
      const changes = { ...(name === undefined ? {} : { name }), ...(slug === undefined ? {} : { slug }) }
      const acting = yield* actingIn(access, organization_id)
      const { organization } = acting
      const attributes = yield* organizationAttributeWrites(organization_id, attributesIn(input))
      const writes = [update(Organizations, organization, changes), ...attributes]
      yield* Effect.catchTag(commitAs(acting, writes), "Taken", slugTaken)
      return Endpoint.reply({ organization: { ...organization.row, ...changes } })
    }, retryOnConflict),
  })

const deleteOrganization = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("delete", "organization"),
    method: "POST",
    path: "/organization/delete",
    summary: "Deletes an organization and everything that belongs to it.",
    input: Schema.Struct({ organization_id: Schema.String }),
    output: Endpoint.Success,
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationDelete({ organization_id }) {
      const acting = yield* actingIn(access, organization_id)
      yield* commitAs(acting, yield* removalWrites((yield* Policies).tables, Organizations, acting.organization))
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const ListedOrganization = Schema.Struct({ ...Organization.fields, role: Schema.String }).annotate({ identifier: "ListedOrganization" })

const list = Endpoint.make({
  method: "GET",
  path: "/organization/list",
  summary: "The organizations that the caller is a member of, with their role in each.",
  access: "session",
  input: Schema.Struct(PageInput),
  output: Schema.Struct({ organizations: Schema.Array(ListedOrganization), ...NextPage }),
  handler: Effect.fnUntraced(function* organizationList(request) {
    const { user } = yield* CurrentSession
    const { rows, rest } = yield* page(Members, { user_id: user.id }, request)
    const ids = rows.map(({ organization_id }) => organization_id)
    const matches = yield* (yield* Store).listForEach(Organizations, "id", ids, { limit: 1 })
    const organizations = rows.flatMap(({ role }, index) => (matches[index] ?? []).map((organization) => ({ ...organization, role })))
    return Endpoint.reply({ organizations, ...rest })
  }),
})

/** The cursors of the lists in `get-full`. Each cursor continues its list at the endpoint that returns only this list. */
const Rest = Schema.Struct({
  members: Schema.NullOr(Schema.String),
  invitations: Schema.NullOr(Schema.String),
  teams: Schema.NullOr(Schema.String),
})

const getFull = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("read", "organization", "member", "invitation", "team"),
    method: "GET",
    path: "/organization/get-full",
    summary: "An organization, by default the active one, with its members, open invitations and teams.",
    input: Schema.Struct({ organization_id: Schema.optionalKey(Schema.String) }),
    output: Schema.Struct({
      organization: Organization,
      members: Schema.Array(ListedMember),
      invitations: Schema.Array(Invitation),
      teams: Schema.Array(Team),
      next_cursors: Schema.optionalKey(Rest),
    }),
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationGetFull({ organization_id }) {
      const acting = yield* actingIn(access, organization_id ?? (yield* requireOwn))
      const { organization } = acting
      const { id } = organization.row
      const [members, invitations, teams] = yield* Effect.all(
        [pageOfMembers(id, {}), pageOfInvitations(access, acting, {}), page(Teams, { organization_id: id }, {})],
        { concurrency: "unbounded" },
      )
      const cursors = [members, invitations, teams].map(({ rest: { next_cursor = null } }) => next_cursor)
      const [inMembers = null, inInvitations = null, inTeams = null] = cursors
      const more = cursors.some((cursor) => cursor !== null)
      return Endpoint.reply({
        organization: organization.row,
        members: members.rows,
        invitations: invitations.rows,
        teams: teams.rows,
        ...(more ? { next_cursors: { members: inMembers, invitations: inInvitations, teams: inTeams } } : {}),
      })
    }),
  })

/** The organization of a key, or the active one of a user. */
const requireOwn = Effect.gen(function* () {
  const caller = yield* OrganizationCaller
  if (caller.key !== null) return caller.key.organization.organization.row.id
  const active = yield* find(ActiveOrganizations, { user_id: caller.session.user.id })
  if (Option.isNone(active)) return yield* invalidMember("organization_id", "Missing key, and no organization is active")
  return active.value.organization_id
})

const setActive = Endpoint.make({
  method: "POST",
  path: "/organization/set-active",
  summary: "Sets the caller's active organization.",
  access: "session",
  impersonation: "act",
  input: Schema.Struct({ organization_id: Schema.String }),
  output: Schema.Struct({ active_organization_id: Schema.String }),
  errors: [Forbidden],
  handler: Effect.fnUntraced(function* organizationSetActive({ organization_id }) {
    const { member } = yield* membership(organization_id)
    const { id: member_id, user_id } = member.row
    // Checks the session: a request that started before the owner reclaimed the account must not set the organization afterwards.
    const { session } = yield* rereadSession
    yield* (yield* Store).commit([
      check(Sessions, session),
      check(Members, member),
      put(ActiveOrganizations, { user_id, member_id, organization_id }),
    ])
    return Endpoint.reply({ active_organization_id: organization_id })
  }, retryOnConflict),
})

const getActive = Endpoint.make({
  method: "GET",
  path: "/organization/get-active",
  summary: "The caller's active organization, or null.",
  access: "session",
  output: Schema.Struct({ active_organization_id: Schema.NullOr(Schema.String), organization: Schema.NullOr(Organization) }),
  handler: Effect.fnUntraced(function* organizationGetActive() {
    const { user } = yield* CurrentSession
    const organization = Option.getOrNull(yield* activeOrganization(user.id))
    return Endpoint.reply({ active_organization_id: organization?.id ?? null, organization })
  }),
})

/** Organizations, and the caller's active one. */
export const organizationEndpoints = ({ access_control: access, max_per_user }: OrganizationSettings) => [
  create(access, max_per_user),
  updateOrganization(access),
  deleteOrganization(access),
  list,
  getFull(access),
  setActive,
  getActive,
]
