import { DateTime, Effect, Schema } from "effect"
import { administeredWrites } from "../../../domain/attributes/administrators.ts"
import { attributesIn } from "../../../domain/attributes/writing.ts"
import { InvalidRequest, UserNotFound } from "../../../domain/errors.ts"
import { update, type Versioned } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { ProfileChanges, type StoredUser, withProfile } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { ExpectedVersion } from "../../service/versions.ts"
import type { AdminSettings } from "./administrators.ts"
import { waitingErasure } from "./erasure/tables.ts"
import { lookUp } from "./merge/lookup.ts"
import { changeUser, Shown, shown, versionErrors } from "./versions.ts"

const id = (description: string) => Schema.optionalKey(Schema.String).pipe(Schema.annotateKey({ description }))

/** A user as `show` finds it, also by the id of one who was merged, and with an erasure that waits. */
const Found = Schema.Struct({
  ...Shown.fields,
  merged_into: id("The user into whom this one was merged in the last 90 days."),
  merged_from: id("The id that was asked for: of a user who was merged into this one."),
  erasure_due_at: Schema.optionalKey(Schema.DateTimeUtc).pipe(
    Schema.annotateKey({ description: "When the user will be erased, unless that is cancelled." }),
  ),
})

export const showUser = Endpoint.make({
  method: "GET",
  path: "/admin/users/show",
  summary: "One user, by id or address. The id of a merged user who was removed since finds the user who has what it had.",
  access: { permission: "users:read", within: true },
  input: Schema.Struct({ user_id: Schema.optionalKey(Schema.String), email: Schema.optionalKey(Email) }),
  output: Found,
  errors: [UserNotFound, InvalidRequest],
  handler: Effect.fnUntraced(function* adminShowUser({ user_id, email }) {
    if ((user_id === undefined) === (email === undefined)) return yield* new InvalidRequest({ message: "Expected either user_id or email" })
    const { rows, merged } = yield* lookUp(email === undefined ? { id: user_id ?? "" } : { email })
    return Endpoint.reply({ ...(yield* shown(rows)), ...merged, ...(yield* waitingErasure(rows[0].row.id)) })
  }),
})

export const updateUser = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/update",
    summary: "Changes the given members of a user's profile, on request only if the user has the version that the caller knows.",
    access: { permission: "users:update", within: true },
    input: Schema.Struct({ user_id: Schema.String, changes: ProfileChanges, ...ExpectedVersion }),
    attributes: { from: "admin", in: "changes" },
    output: Shown,
    errors: versionErrors,
    handler: Effect.fnUntraced(function* adminUpdateUser({ changes, ...target }) {
      const changed = Effect.fnUntraced(function* changedUser(user: Versioned<StoredUser>) {
        const attributes = yield* administeredWrites(user.row.id, attributesIn(changes))
        return [update(Users, user, withProfile(user.row, changes, yield* DateTime.now)), ...attributes]
      })
      return Endpoint.reply(yield* changeUser(settings, target, changed))
    }),
  })
