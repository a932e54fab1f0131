import { Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { UserNotFound } from "../../../domain/errors.ts"
import { hasOrganizations } from "../../../domain/organizations/membership.ts"
import { Members, Organizations } from "../../../domain/organizations/tables.ts"
import { Policies } from "../../../domain/policies.ts"
import { findEach, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { SessionListItem } from "../../../domain/sessions/session.ts"
import { liveSessionsOf } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NextPage, nextPage, PageInput, page } from "../../service/paging.ts"
import { read } from "./versions.ts"

// Where a user is signed in, and what they belong to.

const user_id = Schema.String

const listSessions = Endpoint.make({
  method: "GET",
  path: "/admin/users/sessions",
  summary: "The valid sessions of a user, the oldest first, at most the newest 1,000.",
  access: { permission: "sessions:read" },
  input: Schema.Struct({ user_id }),
  output: Schema.Struct({ sessions: Schema.Array(SessionListItem) }),
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminListSessions({ user_id }) {
    const [{ row }] = yield* read({ id: user_id })
    return Endpoint.reply({ sessions: yield* liveSessionsOf(row.id) })
  }),
})

const revokeSession = Endpoint.make({
  method: "POST",
  path: "/admin/users/revoke-session",
  summary: "Ends one session of a user; `success` is false if the user has no session with this id.",
  access: { permission: "sessions:revoke" },
  input: Schema.Struct({ user_id, session_id: Schema.String }),
  output: Schema.Struct({ success: Schema.Boolean }),
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminRevokeSession({ user_id, session_id }) {
    const [{ row: user }] = yield* read({ id: user_id })
    const unchanged = yield* ofPrincipal(user)
    const session = yield* (yield* Store).read(Sessions, { id: session_id })
    if (Option.isNone(session) || session.value.row.user_id !== user.id) return Endpoint.reply({ success: false })
    const ended = yield* (yield* Policies).sessionEnded(user.id)
    yield* (yield* Store).commit([...unchanged, removeVersioned(Sessions, session.value), ...ended])
    const own = yield* Effect.serviceOption(CurrentSession)
    const isOwn = Option.isSome(own) && own.value.session.id === session_id
    return Endpoint.reply({ success: true }, isOwn ? "clear" : "keep")
  }, retryOnConflict),
})

const Membership = Schema.Struct({
  organization_id: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  role: Schema.String,
  created_at: Schema.DateTimeUtc,
})

const listMemberships = Endpoint.make({
  method: "GET",
  path: "/admin/users/memberships",
  summary: "The organizations of a user, with the user's role in each.",
  access: { permission: "users:read" },
  input: Schema.Struct({ user_id, ...PageInput }),
  output: Schema.Struct({ memberships: Schema.Array(Membership), ...NextPage }),
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminListMemberships({ user_id, ...request }) {
    const [{ row: user }] = yield* read({ id: user_id })
    if (!(yield* hasOrganizations)) return Endpoint.reply({ memberships: [], ...nextPage(request, null) })
    const { rows, rest } = yield* page(Members, { user_id: user.id }, request)
    const organizations = yield* findEach(
      Organizations,
      rows.map(({ organization_id }) => organization_id),
    )
    const memberships = rows.flatMap(({ organization_id, role, created_at }) => {
      const organization = organizations.get(organization_id)
      return organization === undefined ? [] : [{ organization_id, name: organization.name, slug: organization.slug, role, created_at }]
    })
    return Endpoint.reply({ memberships, ...rest })
  }),
})

export const accessEndpoints = [listSessions, revokeSession, listMemberships] as const
