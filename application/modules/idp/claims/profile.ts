import { DateTime, Effect, Option, Schema } from "effect"
import { find, put, retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../../domain/sessions/sessions.ts"
import { Users } from "../../../../domain/users/tables.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { Profile, ProfileChanges, Profiles } from "./profile-table.ts"

const Output = Schema.Struct({ profile: Profile })

/** The claims that a user has filled in. */
export const profileOf = Effect.fnUntraced(function* profileOf(user_id: string) {
  return Option.match(yield* find(Profiles, { user_id }), { onNone: (): Profile => ({}), onSome: ({ claims }) => claims })
})

const show = Endpoint.make({
  method: "GET",
  path: "/oauth2/profile",
  summary: "The standard claims that the user has filled in for clients.",
  access: "session",
  impersonation: "never",
  output: Output,
  handler: Effect.fnUntraced(function* identityProviderProfile() {
    return Endpoint.reply({ profile: yield* profileOf((yield* CurrentSession).user.id) })
  }),
})

const change = Endpoint.make({
  method: "POST",
  path: "/oauth2/profile/update",
  summary: "Changes standard claims that clients can get; null removes one.",
  access: "session",
  input: ProfileChanges,
  output: Output,
  handler: Effect.fnUntraced(function* identityProviderChangeProfile(changes) {
    const { user } = yield* rereadSession
    const merged = { ...(yield* profileOf(user.row.id)), ...changes }
    const claims = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Profile
    const changed = update(Users, user, { updated_at: yield* DateTime.now })
    yield* (yield* Store).commit([changed, put(Profiles, { user_id: user.row.id, claims })])
    return Endpoint.reply({ profile: claims })
  }, retryOnConflict),
})

/** The endpoints with which users fill in their profile. */
export const profile = [show, change] as const
