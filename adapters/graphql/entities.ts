import { Effect } from "effect"
import type { Viewer } from "../../application/service/graph-field.ts"
import { ownMemberships } from "../../domain/organizations/membership.ts"
import { Members, Organizations, TeamMembers, Teams } from "../../domain/organizations/tables.ts"
import { findEach, isStorable, Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { CurrentSession } from "../../domain/sessions/caller.ts"
import { Users } from "../../domain/users/tables.ts"

type Ids = ReadonlyArray<string>
type VisibleIds = Effect.Effect<Ids, never, Store | CurrentSession>

/** A type that other subgraphs refer to by the id of its values. */
export interface Entity {
  readonly type: string
  readonly table: AnyTable
  /** Selects the ids that the caller may resolve. */
  readonly visibleIdsOf: (ids: Ids) => VisibleIds
}

/** The caller who resolves entities, and their rights. */
export interface Access {
  readonly viewer: Viewer | null
  /** Whether the request has the credential of the gateway. */
  readonly isGateway: boolean
  readonly isAdministrator: (viewer: Viewer) => Effect.Effect<boolean, never, any>
}

/** The maximum number of rows that are read for one user: the highest value of `modules.organization.max_per_user` and of `.max_teams`. */
const limit = 10_000

const own = (ids: Ids): VisibleIds => CurrentSession.useSync(({ user }) => ids.filter((id) => id === user.id))

/** The caller and the users with whom they share an organization. */
const ownAndFellows = Effect.fnUntraced(function* ownAndFellows(ids: Ids) {
  const { user } = yield* CurrentSession
  const memberships = yield* (yield* Store).listForEach(Members, "user_id", ids, { limit })
  const shared = yield* ownMemberships(memberships.flat().map(({ organization_id }) => organization_id))
  const isFellow = (index: number) => memberships[index]?.some(({ organization_id }) => shared.has(organization_id)) === true
  return ids.filter((id, index) => id === user.id || isFellow(index))
})

const ownOrganizations = Effect.fnUntraced(function* ownOrganizations(ids: Ids) {
  const memberships = yield* ownMemberships(ids)
  return ids.filter((id) => memberships.has(id))
})

const ownTeams = Effect.fnUntraced(function* ownTeams(ids: Ids) {
  const teams = yield* findEach(Teams, ids)
  const memberships = yield* ownMemberships([...teams.values()].map(({ organization_id }) => organization_id))
  const members = [...memberships.values()].map(({ id }) => id)
  const places = yield* (yield* Store).listForEach(TeamMembers, "member_id", members, { limit })
  const joined = new Set(places.flat().map(({ team_id }) => team_id))
  return ids.filter((id) => joined.has(id))
})

/** The entities of a service with these tables. */
export const entitiesOf = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Entity> => {
  if (!tables.includes(Members)) return [{ type: "User", table: Users, visibleIdsOf: own }]
  return [
    { type: "User", table: Users, visibleIdsOf: ownAndFellows },
    { type: "Organization", table: Organizations, visibleIdsOf: ownOrganizations },
    { type: "Team", table: Teams, visibleIdsOf: ownTeams },
  ]
}

/** The entities with these ids, in their order. Null for entities that do not exist, and for those that the caller may not resolve. */
export const loadEntities = Effect.fnUntraced(function* loadEntities({ type, table, visibleIdsOf }: Entity, ids: Ids, access: Access) {
  const visible = yield* visibleIdsFor(access, ids.filter(isStorable), visibleIdsOf)
  const rows = yield* findEach(table, visible)
  return ids.map((id) => {
    const row = rows.get(id)
    return row === undefined ? null : { ...row, __typename: type }
  })
})

const visibleIdsFor = Effect.fnUntraced(function* visibleIdsFor(
  { viewer, isGateway, isAdministrator }: Access,
  ids: Ids,
  visibleIdsOf: Entity["visibleIdsOf"],
) {
  if (isGateway) return ids
  if (viewer === null) return []
  const visible = yield* Effect.provideService(visibleIdsOf(ids), CurrentSession, viewer)
  return visible.length === ids.length || !(yield* isAdministrator(viewer)) ? visible : ids
})
