import { DateTime, Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { actingIn, commitAs } from "../../../domain/organizations/acting.ts"
import { Name, Team } from "../../../domain/organizations/organization.ts"
import { Organizations, Teams } from "../../../domain/organizations/tables.ts"
import { insert, orFail, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { forMembers } from "../../service/guards.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { TeamNotFound } from "./errors.ts"
import { requireRoomForTeam } from "./limits.ts"
import type { OrganizationSettings } from "./settings.ts"

const TeamBody = Schema.Struct({ team: Team })

const createTeam = (access: AccessControl, max_teams: number) =>
  Endpoint.make({
    ...forMembers("create", "team"),
    method: "POST",
    path: "/organization/create-team",
    summary: "Creates a team without members.",
    impersonation: "act",
    input: Schema.Struct({ organization_id: Schema.String, name: Name }),
    output: TeamBody,
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationCreateTeam({ organization_id, name }) {
      const id = yield* newId
      const team: Team = { id, organization_id, name, created_at: yield* DateTime.now }
      const acting = yield* actingIn(access, organization_id)
      yield* requireRoomForTeam(organization_id, max_teams)
      yield* commitAs(acting, [update(Organizations, acting.organization, {}), insert(Teams, team)])
      return Endpoint.reply({ team })
    }, retryOnConflict),
  })

const listTeams = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("read", "team"),
    method: "GET",
    path: "/organization/list-teams",
    summary: "The teams of an organization, the earliest first.",
    input: Schema.Struct({ organization_id: Schema.String, ...PageInput }),
    output: Schema.Struct({ teams: Schema.Array(Team), ...NextPage }),
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationListTeams({ organization_id, ...request }) {
      yield* actingIn(access, organization_id)
      const { rows, rest } = yield* page(Teams, { organization_id }, request)
      return Endpoint.reply({ teams: rows, ...rest })
    }),
  })

/** A team by its id, and the rights of the caller in its organization. */
export const permittedTeam = Effect.fnUntraced(function* permittedTeam(access: AccessControl, id: string) {
  const team = yield* orFail((yield* Store).read(Teams, { id }), () => new TeamNotFound())
  return { team, acting: yield* actingIn(access, team.row.organization_id) }
})

const updateTeam = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "team"),
    method: "POST",
    path: "/organization/update-team",
    summary: "Changes a team's name.",
    impersonation: "act",
    input: Schema.Struct({ team_id: Schema.String, name: Name }),
    output: TeamBody,
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationUpdateTeam({ team_id, name }) {
      const { team, acting } = yield* permittedTeam(access, team_id)
      yield* commitAs(acting, [update(Teams, team, { name })])
      return Endpoint.reply({ team: { ...team.row, name } })
    }, retryOnConflict),
  })

const removeTeam = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("delete", "team"),
    method: "POST",
    path: "/organization/remove-team",
    summary: "Removes a team; its members stay in the organization.",
    impersonation: "act",
    input: Schema.Struct({ team_id: Schema.String }),
    output: Endpoint.Success,
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationRemoveTeam({ team_id }) {
      const { team, acting } = yield* permittedTeam(access, team_id)
      yield* commitAs(acting, [removeVersioned(Teams, team)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

export const teamEndpoints = ({ access_control: access, max_teams }: OrganizationSettings) => [
  createTeam(access, max_teams),
  listTeams(access),
  updateTeam(access),
  removeTeam(access),
]
