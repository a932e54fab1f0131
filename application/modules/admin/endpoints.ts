import { Effect, Schema } from "effect"
import { invalidMember, PasswordTooLong, PasswordTooShort, UserAlreadyExists, UserNotFound } from "../../../domain/errors.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { Registration } from "../../../domain/sign-in/sign-up.ts"
import { AdministeredUser, administrator, longestRole, Role } from "../../../domain/users/admin-metadata.ts"
import { anyValueShownAs } from "../../../domain/values/documented.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { NextPage } from "../../service/paging.ts"
import * as List from "./list.ts"
import * as Users from "./users.ts"

const user_id = Schema.String
const OneUser = Schema.Struct({ user_id })

/** Refuses administrators who act on themselves, so that they cannot lock themselves out. */
const notOneself = Effect.fnUntraced(function* notOneself(userId: string) {
  const { user } = yield* CurrentSession
  if (user.id === userId) return yield* invalidMember("user_id", "administrators cannot do this to themselves")
})

const AnyRole = anyValueShownAs(() => ({ type: "string", minLength: 1, maxLength: longestRole }))

/** The value if it is a string; other values count as omitted. */
const roleOf = Effect.fnUntraced(function* roleOf(role: unknown) {
  if (typeof role !== "string") return undefined
  return yield* Effect.mapError(Schema.decodeEffect(Role)(role), () =>
    invalidMember("role", `Expected a text of 1 to ${longestRole} characters`),
  )
})

const setRole = Endpoint.make({
  method: "POST",
  path: "/admin/set-role",
  summary: "Sets the role of a user: admin makes an administrator, every other text gives no rights here.",
  access: "session",
  input: Schema.Struct({ user_id, role: Role }),
  output: Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminSetRole({ user_id, role }) {
    if (role !== administrator) yield* notOneself(user_id)
    yield* Users.setRole(user_id, role)
    return Endpoint.reply(succeeded)
  }),
})

const banUser = Endpoint.make({
  method: "POST",
  path: "/admin/ban-user",
  summary: "Bans a user, permanently or for a number of seconds, and ends all of their sessions.",
  access: "session",
  input: Schema.Struct({ user_id, ...Users.Ban.fields }),
  output: Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminBan({ user_id, ...ban }) {
    yield* notOneself(user_id)
    yield* Users.ban(user_id, ban)
    return Endpoint.reply(succeeded)
  }),
})

const unbanUser = Endpoint.make({
  method: "POST",
  path: "/admin/unban-user",
  summary: "Lets a banned user sign in again.",
  access: "session",
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminUnban({ user_id }) {
    yield* Users.unban(user_id)
    return Endpoint.reply(succeeded)
  }),
})

const listUsers = Endpoint.make({
  method: "GET",
  path: "/admin/list-users",
  summary: "The users, the newest first, page by page; on request only those with an address or a name that begins with a text.",
  access: "session",
  input: List.ListInput,
  output: Schema.Struct({ users: Schema.Array(AdministeredUser), ...NextPage }),
  handler: Effect.fnUntraced(function* adminList(input) {
    return Endpoint.reply(yield* List.list(input))
  }),
})

const createUser = Endpoint.make({
  method: "POST",
  path: "/admin/create-user",
  summary: "Adds a user with an e-mail address and a password, without signing them in.",
  access: "session",
  input: Schema.Struct({ ...Registration.fields, role: Schema.optionalKey(AnyRole) }),
  output: Schema.Struct({ user: AdministeredUser }),
  errors: [PasswordTooShort, PasswordTooLong, UserAlreadyExists],
  handler: Effect.fnUntraced(function* adminCreate({ role, ...registration }) {
    return Endpoint.reply({ user: yield* Users.create(registration, yield* roleOf(role)) })
  }),
})

const removeUser = Endpoint.make({
  method: "POST",
  path: "/admin/remove-user",
  summary: "Removes a user and everything that belongs to them.",
  access: "session",
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  removesUsers: true,
  handler: Effect.fnUntraced(function* adminRemove({ user_id }) {
    yield* notOneself(user_id)
    yield* Users.remove(user_id)
    return Endpoint.reply(succeeded)
  }),
})

const revokeUserSessions = Endpoint.make({
  method: "POST",
  path: "/admin/revoke-user-sessions",
  summary: "Ends all sessions of a user.",
  access: "session",
  input: OneUser,
  output: Schema.Struct({ revoked: Schema.Int }),
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminRevokeSessions({ user_id }) {
    const { user } = yield* CurrentSession
    const revoked = yield* Users.revokeSessions(user_id)
    return Endpoint.reply({ revoked }, user_id === user.id ? "clear" : "keep")
  }),
})

/** The module's guard admits administrators only. */
export const endpoints = [setRole, banUser, unbanUser, listUsers, createUser, removeUser, revokeUserSessions] as const
