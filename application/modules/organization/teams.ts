import { DateTime, Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { membership, permitted } from "../../../domain/organizations/membership.ts"
import { Name, Team } from "../../../domain/organizations/organization.ts"
import { Members, Organizations, Teams } from "../../../domain/organizations/tables.ts"
import { check, insert, orFail, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { TeamNotFound } from "./errors.ts"
import { requireRoomForTeam } from "./limits.ts"
import type { OrganizationSettings } from "./settings.ts"

const TeamBody = Schema.Struct({ team: Team })

const createTeam = (access: AccessControl, max_teams: number) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/create-team",
    summary: "Creates a team without members.",
    access: "session",
    impersonation: "act",
    input: Schema.Struct({ organization_id: Schema.String, name: Name }),
    output: TeamBody,
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationCreateTeam({ organization_id, name }) {
      const id = yield* newId
      const team: Team = { id, organization_id, name, created_at: yield* DateTime.now }
      const { member, organization } = yield* permitted(access, organization_id, "team", "create")
      yield* requireRoomForTeam(organization_id, max_teams)
      yield* (yield* Store).commit([check(Members, member), update(Organizations, organization, {}), insert(Teams, team)])
      return Endpoint.reply({ team })
    }, retryOnConflict),
  })

const listTeams = Endpoint.make({
  method: "GET",
  path: "/organization/list-teams",
  summary: "The teams of an organization, the earliest first.",
  access: "session",
  input: Schema.Struct({ organization_id: Schema.String, ...PageInput }),
  output: Schema.Struct({ teams: Schema.Array(Team), ...NextPage }),
  errors: [Forbidden],
  handler: Effect.fnUntraced(function* organizationListTeams({ organization_id, ...request }) {
    yield* membership(organization_id)
    const { rows, rest } = yield* page(Teams, { organization_id }, request)
    return Endpoint.reply({ teams: rows, ...rest })
  }),
})

/** A team by its id. */
export const teamOf = Effect.fnUntraced(function* teamOf(id: string) {
  return yield* orFail((yield* Store).read(Teams, { id }), () => new TeamNotFound())
})

/** A team, and the membership whose role permits the caller this action on the teams of the organization. */
export const permittedTeam = Effect.fnUntraced(function* permittedTeam(access: AccessControl, id: string, action: "update" | "delete") {
  const team = yield* teamOf(id)
  const { member } = yield* permitted(access, team.row.organization_id, "team", action)
  return { team, member }
})

const updateTeam = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/update-team",
    summary: "Changes a team's name.",
    access: "session",
    impersonation: "act",
    input: Schema.Struct({ team_id: Schema.String, name: Name }),
    output: TeamBody,
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationUpdateTeam({ team_id, name }) {
      const { team, member } = yield* permittedTeam(access, team_id, "update")
      yield* (yield* Store).commit([check(Members, member), update(Teams, team, { name })])
      return Endpoint.reply({ team: { ...team.row, name } })
    }, retryOnConflict),
  })

const removeTeam = (access: AccessControl) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/remove-team",
    summary: "Removes a team; its members stay in the organization.",
    access: "session",
    impersonation: "act",
    input: Schema.Struct({ team_id: Schema.String }),
    output: Endpoint.Success,
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationRemoveTeam({ team_id }) {
      const { team, member } = yield* permittedTeam(access, team_id, "delete")
      yield* (yield* Store).commit([check(Members, member), removeVersioned(Teams, team)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

export const teamEndpoints = ({ access_control: access, max_teams }: OrganizationSettings) => [
  createTeam(access, max_teams),
  listTeams,
  updateTeam(access),
  removeTeam(access),
]
