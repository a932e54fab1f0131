import { Effect, Option, Schema } from "effect"
import { nextEnd, within } from "../../../domain/administration/grants.ts"
import { permissions } from "../../../domain/administration/permissions.ts"
import { CurrentPrincipal, ofPrincipal, requireProofFor, unproven } from "../../../domain/administration/principal.ts"
import {
  AddressNotAllowed,
  Forbidden,
  IdempotencyKeyReused,
  invalidMember,
  PasswordTooLong,
  PasswordTooShort,
  SessionNotFresh,
  UserAlreadyExists,
  UserNotFound,
} from "../../../domain/errors.ts"
import { principalKinds } from "../../../domain/initiator.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { Registration } from "../../../domain/sign-in/sign-up.ts"
import type { ModuleKeys } from "../../../domain/tokens/module-keys.ts"
import { AdministeredUser, administrator, longestRole, Role as RoleName } from "../../../domain/users/admin-metadata.ts"
import { admitByOperator } from "../../../domain/users/admission.ts"
import { anyValueShownAs } from "../../../domain/values/documented.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../service/idempotency.ts"
import { NextPage } from "../../service/paging.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import { setEmail } from "./address.ts"
import { type AdminSettings, ConfiguredAdministrator, configuredAdministrators } from "./administrators.ts"
import { assignments } from "./assignments.ts"
import { credentialEndpoints } from "./credentials.ts"
import { LastAdministrator } from "./errors.ts"
import * as List from "./list.ts"
import { createUser as addUser } from "./new-user.ts"
import { showUser, updateUser } from "./one-user.ts"
import { notOneself } from "./oneself.ts"
import { keepingOwner } from "./owners.ts"
import { removalEndpoints } from "./removal/endpoints.ts"
import { requiredActionEndpoints } from "./required-actions/endpoints.ts"
import { knownRole, rolesOf } from "./roles.ts"
import { search } from "./search/endpoint.ts"
import { serviceAccounts } from "./service-accounts.ts"
import { suspensionEndpoints } from "./suspension/endpoints.ts"
import { accessEndpoints } from "./user-access.ts"
import { listAllUsers } from "./user-list.ts"
import * as Users from "./users.ts"

const user_id = Schema.String
const OneUser = Schema.Struct({ user_id })

const AnyRole = anyValueShownAs(() => ({ type: "string", minLength: 1, maxLength: longestRole }))

/** The value if it is a role; values that are no strings count as omitted. */
const roleOf = Effect.fnUntraced(function* roleOf(settings: AdminSettings, role: unknown) {
  if (typeof role !== "string") return undefined
  const name = yield* Effect.mapError(Schema.decodeEffect(RoleName)(role), () =>
    invalidMember("role", `Expected a text of 1 to ${longestRole} characters`),
  )
  return yield* knownRole(settings, name)
})

const setRole = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/set-role",
    summary:
      "Sets the role of a user: admin makes an administrator, every other text permits what the configuration says, by default nothing.",
    access: { permission: "users:roles" },
    input: Schema.Struct({ user_id, role: RoleName }),
    output: Success,
    errors: [UserNotFound, LastAdministrator],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminSetRole({ user_id, role }) {
      if (role !== administrator) yield* notOneself(user_id)
      const may = role === administrator ? ofPrincipal : keepingOwner(settings, "role")
      yield* Users.setRole(user_id, yield* knownRole(settings, role), may)
      return Endpoint.reply(succeeded)
    }),
  })

const banUser = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/ban-user",
    summary: "Bans a user, permanently or for a number of seconds, and ends all of their sessions.",
    access: { permission: "users:suspend" },
    input: Schema.Struct({ user_id, ...Users.Ban.fields }),
    output: Success,
    errors: [UserNotFound, LastAdministrator],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminBan({ user_id, ...ban }) {
      yield* notOneself(user_id)
      yield* Users.ban(user_id, ban, keepingOwner(settings, "ban"))
      return Endpoint.reply(succeeded)
    }),
  })

const unbanUser = Endpoint.make({
  method: "POST",
  path: "/admin/unban-user",
  summary: "Lets a banned user sign in again.",
  access: { permission: "users:suspend" },
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminUnban({ user_id }) {
    yield* Users.unban(user_id, ofPrincipal)
    return Endpoint.reply(succeeded)
  }),
})

const listUsers = Endpoint.make({
  method: "GET",
  path: "/admin/list-users",
  summary: "The users, the newest first, page by page; on request only those with an address or a name that begins with a text.",
  access: { permission: "users:read" },
  input: List.ListInput,
  output: Schema.Struct({ users: Schema.Array(AdministeredUser), ...NextPage }),
  handler: Effect.fnUntraced(function* adminList(input) {
    return Endpoint.reply(yield* List.list(input))
  }),
})

const Creation = Schema.Struct({ ...Registration.fields, ...IdempotencyKey, role: Schema.optionalKey(AnyRole) })
const WithUser = Schema.Struct({ user: AdministeredUser })

/** The conditions of `/admin/set-role`: without the proof, a stolen session could create an administrator. */
const mayGiveRole = Effect.gen(function* mayGiveRole() {
  if (!(yield* CurrentPrincipal).permissions.has("users:roles")) return yield* new Forbidden()
  yield* requireProofFor("users:roles")
})

const createUser = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/create-user",
    summary: "Adds a user with an email address and a password, without signing them in.",
    access: { permission: "users:create" },
    input: Creation,
    output: WithUser,
    errors: [PasswordTooShort, PasswordTooLong, UserAlreadyExists, AddressNotAllowed, IdempotencyKeyReused, SessionNotFresh],
    handler: idempotent(
      WithUser,
      Effect.fnUntraced(function* adminCreate({ role: given, ...registration }: typeof Creation.Type, keep: Keep<typeof WithUser.Type>) {
        const role = yield* roleOf(settings, given)
        if (role !== undefined) yield* mayGiveRole
        const admission = yield* admitByOperator(registration.email)
        return Endpoint.reply({ user: yield* Users.create(admission, registration, role, ofPrincipal, (user) => keep({ user })) })
      }),
    ),
  })

const removeUser = Endpoint.make({
  method: "POST",
  path: "/admin/remove-user",
  summary: "Removes a user and everything that belongs to them.",
  access: { permission: "users:delete" },
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  removesUsers: true,
  takesReason: true,
  handler: Effect.fnUntraced(function* adminRemove({ user_id }) {
    yield* notOneself(user_id)
    yield* Users.remove(user_id, ofPrincipal)
    return Endpoint.reply(succeeded)
  }),
})

const revokeUserSessions = Endpoint.make({
  method: "POST",
  path: "/admin/revoke-user-sessions",
  summary: "Ends all sessions of a user.",
  access: { permission: "sessions:revoke" },
  input: OneUser,
  output: Schema.Struct({ revoked: Schema.Int }),
  errors: [UserNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminRevokeSessions({ user_id }) {
    const { kind, id } = yield* CurrentPrincipal
    const revoked = yield* Users.revokeSessions(user_id, ofPrincipal)
    return Endpoint.reply({ revoked }, kind === "user" && user_id === id ? "clear" : "keep")
  }),
})

const Permissions = Schema.Array(Schema.Literals(permissions).annotate({ identifier: "Permission" }))

const me = Endpoint.make({
  method: "GET",
  path: "/admin/me",
  summary:
    "The caller, a user, a client, a service account, an API key or the application, with what it may do everywhere, what in single organizations, when the first of it ends, when a user last proved their identity, and for which permissions they have to prove it again.",
  access: { permission: null },
  input: Endpoint.NoInput,
  output: Schema.Struct({
    kind: Schema.Literals(principalKinds),
    id: Schema.String,
    permissions: Permissions,
    organizations: Schema.Array(Schema.Struct({ organization_id: Schema.String, permissions: Permissions })),
    until: Schema.NullOr(Schema.DateTimeUtc),
    proved_at: Schema.NullOr(Schema.DateTimeUtc),
    needs_step_up: Permissions,
  }),
  handler: Effect.fnUntraced(function* adminMe() {
    const { kind, id, permissions, grants } = yield* CurrentPrincipal
    const here = kind === "user" ? yield* Effect.serviceOption(CurrentSession) : Option.none()
    const proved_at = Option.match(here, { onNone: () => null, onSome: ({ session }) => session.proved_at })
    const organizations = [...within(grants)].map(([organization_id, held]) => ({ organization_id, permissions: [...held] }))
    const needs_step_up = yield* unproven(permissions)
    return Endpoint.reply({ kind, id, permissions: [...permissions], organizations, until: nextEnd(grants), proved_at, needs_step_up })
  }),
})

const listRoles = (settings: AdminSettings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/roles/list",
    summary: "The roles that users can have, with what they permit.",
    access: { permission: "users:read" },
    input: Schema.Struct({
      configured: Schema.optionalKey(QueryBoolean).pipe(
        Schema.annotateKey({ description: "Whether to add the administrators of the configuration, for callers with `users:roles`." }),
      ),
    }),
    output: Schema.Struct({
      roles: Schema.Array(Schema.Struct({ name: Schema.String, permissions: Permissions })),
      configured: Schema.optionalKey(Schema.Array(ConfiguredAdministrator)),
    }),
    handler: Effect.fnUntraced(function* adminListRoles({ configured = false }) {
      const roles = [...rolesOf(settings.roles)].map(([name, permitted]) => ({ name, permissions: [...permitted] }))
      // Where addresses need no proof, a free one makes its next owner an administrator.
      const isShown = configured && (yield* CurrentPrincipal).permissions.has("users:roles")
      return Endpoint.reply({ roles, ...(isShown && { configured: yield* configuredAdministrators(settings) }) })
    }),
  })

export const endpoints = (settings: AdminSettings, keys: ModuleKeys) =>
  [
    setRole(settings),
    banUser(settings),
    unbanUser,
    listUsers,
    createUser(settings),
    removeUser,
    revokeUserSessions,
    me,
    listRoles(settings),
    ...assignments(settings),
    ...serviceAccounts,
    showUser,
    updateUser(settings),
    listAllUsers(keys),
    search,
    addUser,
    setEmail(settings),
    ...credentialEndpoints(settings),
    ...accessEndpoints,
    ...suspensionEndpoints(settings),
    ...requiredActionEndpoints(settings),
    ...removalEndpoints(settings),
  ] as const
