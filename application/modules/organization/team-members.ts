import { Effect, Option, Schema } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { commitAs } from "../../../domain/organizations/acting.ts"
import { memberOf } from "../../../domain/organizations/membership.ts"
import { Members, TeamMembers, Teams } from "../../../domain/organizations/tables.ts"
import { check, insert, orFail, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { forMembers } from "../../service/guards.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { NotAMember, TeamNotFound } from "./errors.ts"
import { permittedTeam } from "./teams.ts"

const Input = Schema.Struct({ team_id: Schema.String, user_id: Schema.String })

const addTeamMember = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "team"),
    method: "POST",
    path: "/organization/add-team-member",
    summary: "Adds a member of the organization to one of its teams.",
    impersonation: "act",
    input: Input,
    output: Endpoint.Success,
    errors: [TeamNotFound, Forbidden, [NotAMember, 400]],
    handler: Effect.fnUntraced(function* organizationAddTeamMember({ team_id, user_id }) {
      const { team, acting } = yield* permittedTeam(access, team_id)
      const target = yield* orFail(memberOf(team.row.organization_id, user_id), () => new NotAMember())
      const id = yield* newId
      const row = { id, team_id, member_id: target.row.id, user_id }
      const writes = [check(Members, target), check(Teams, team), insert(TeamMembers, row)]
      yield* Effect.catchTag(commitAs(acting, writes), "Taken", () => Effect.void)
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const removeTeamMember = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("update", "team"),
    method: "POST",
    path: "/organization/remove-team-member",
    summary: "Removes a user from a team, if they are in it.",
    impersonation: "act",
    input: Input,
    output: Endpoint.Success,
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationRemoveTeamMember({ team_id, user_id }) {
      const { team, acting } = yield* permittedTeam(access, team_id)
      const target = yield* orFail(memberOf(team.row.organization_id, user_id), () => new Forbidden())
      const teamMember = yield* (yield* Store).read(TeamMembers, { team_id, member_id: target.row.id })
      if (Option.isSome(teamMember)) yield* commitAs(acting, [removeVersioned(TeamMembers, teamMember.value)])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const listTeamMembers = (access: AccessControl) =>
  Endpoint.make({
    ...forMembers("read", "team"),
    method: "GET",
    path: "/organization/list-team-members",
    summary: "The members of a team, in the order in which they were added.",
    input: Schema.Struct({ team_id: Schema.String, ...PageInput }),
    output: Schema.Struct({ members: Schema.Array(Schema.Struct({ user_id: Schema.String })), ...NextPage }),
    errors: [TeamNotFound, Forbidden],
    handler: Effect.fnUntraced(function* organizationListTeamMembers({ team_id, ...request }) {
      yield* permittedTeam(access, team_id)
      const { rows, rest } = yield* page(TeamMembers, { team_id }, request)
      return Endpoint.reply({ members: rows, ...rest })
    }),
  })

export const teamMemberEndpoints = (access: AccessControl) => [addTeamMember(access), removeTeamMember(access), listTeamMembers(access)]
