import { DateTime, Effect, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { InvalidRequest, UserNotFound } from "../../../domain/errors.ts"
import { retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { ProfileChanges, withProfile } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { AdminSettings } from "./administrators.ts"
import { ExpectedVersion, keptVersion, read, Shown, shown, versionErrors } from "./versions.ts"

export const showUser = Endpoint.make({
  method: "GET",
  path: "/admin/users/show",
  summary: "One user, by id or address.",
  access: { permission: "users:read" },
  input: Schema.Struct({ user_id: Schema.optionalKey(Schema.String), email: Schema.optionalKey(Email) }),
  output: Shown,
  errors: [UserNotFound, InvalidRequest],
  handler: Effect.fnUntraced(function* adminShowUser({ user_id, email }) {
    if ((user_id === undefined) === (email === undefined)) return yield* new InvalidRequest({ message: "Expected either user_id or email" })
    return Endpoint.reply(yield* shown(yield* read(email === undefined ? { id: user_id ?? "" } : { email })))
  }),
})

export const updateUser = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/update",
    summary: "Changes the given members of a user's profile, on request only if the user has the version that the caller knows.",
    access: { permission: "users:update" },
    input: Schema.Struct({ user_id: Schema.String, changes: ProfileChanges, ...ExpectedVersion }),
    output: Shown,
    errors: versionErrors,
    handler: Effect.fnUntraced(function* adminUpdateUser({ user_id, changes, expected_version }) {
      const rows = yield* read({ id: user_id })
      const [user] = rows
      const unchanged = [...(yield* ofPrincipal(user.row)), ...(yield* keptVersion(settings, rows, expected_version))]
      const changed = withProfile(user.row, changes, yield* DateTime.now)
      yield* (yield* Store).commit([...unchanged, update(Users, user, changed)])
      return Endpoint.reply(yield* shown(yield* read({ id: user_id })))
    }, retryOnConflict),
  })
