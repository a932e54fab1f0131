import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { InvalidCredentials, InvalidRequest, InvalidUsername, UsernameTaken } from "../../../domain/errors.ts"
import { countedPassword } from "../../../domain/limits/limits.ts"
import { check, conflictIfTaken, find, insert, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { signInWithPassword } from "../../../domain/sign-in/passwords.ts"
import * as Table from "../../../domain/storage/table.ts"
import { Users } from "../../../domain/storage/tables.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const Username = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  /** Lowercased. */
  username: Schema.String,
  /** As its owner writes it. */
  display_username: Schema.String,
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})

export const Usernames = Table.make("username", Username, { key: "id", unique: ["user_id", "username"], references: { user_id: Users } })

/** Of ASCII alone: `toLowerCase` makes a plain k of the Kelvin sign, and two names would look alike. */
const lowercased = (text: string) => text.replace(/[A-Z]/g, (message) => message.toLowerCase())

const pattern = /^[a-z0-9_]{3,32}$/

const Named = Schema.Struct({ username: Schema.String })

const usernameSet = Endpoint.make({
  method: "POST",
  path: "/username/set",
  summary: "Gives the user a name to sign in with, in place of the one they had.",
  access: "session",
  input: Named,
  output: Named,
  errors: [InvalidRequest, InvalidUsername, UsernameTaken],
  handler: Effect.fn("username.set")(function* ({ username: display_username }) {
    const username = lowercased(display_username)
    if (!pattern.test(username)) return yield* new InvalidUsername()
    yield* retryOnConflict(change({ username, display_username }))
    return Endpoint.reply({ username: display_username })
  }),
})

/** What is taken at the commit may be the user's own by now: reading again tells. */
const change = Effect.fnUntraced(function* change(names: Pick<typeof Username.Type, "username" | "display_username">) {
  const store = yield* Store
  const { user } = yield* rereadSession
  const holder = yield* find(Usernames, { username: names.username })
  if (Option.isSome(holder) && holder.value.user_id !== user.row.id) return yield* new UsernameTaken()

  const own = yield* store.read(Usernames, { user_id: user.row.id })
  const updated_at = yield* DateTime.now
  const write = Option.isSome(own)
    ? update(Usernames, own.value, { ...names, updated_at })
    : insert(Usernames, { id: yield* newId, user_id: user.row.id, ...names, created_at: updated_at, updated_at })
  yield* conflictIfTaken(store.commit([check(Users, user), write]))
})

const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const usernameAvailable = Endpoint.make({
  method: "GET",
  path: "/username/available",
  summary: "Whether a name can be had.",
  access: "public",
  input: Named,
  output: Schema.Struct({ available: Schema.Boolean }),
  errors: [InvalidRequest],
  handler: Effect.fn("username.available")(function* ({ username: typed }) {
    const username = lowercased(typed)
    const available = pattern.test(username) && Option.isNone(yield* find(Usernames, { username }))
    return Endpoint.reply({ available })
  }),
})

const ownerOf = (username: string) =>
  Effect.map(
    find(Usernames, { username }),
    Option.map(({ user_id }) => user_id),
  )

const signInUsername = Endpoint.make({
  method: "POST",
  path: "/sign-in/username",
  summary: "Signs a user in by username and password.",
  access: "public",
  signsIn: "single_factor",
  input: Schema.Struct({ username: Schema.String, password: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [InvalidRequest, InvalidCredentials],
  handler: Effect.fn("username.signIn")(function* ({ username: typed, password }) {
    const username = lowercased(typed)
    const signIn = Effect.gen(function* () {
      const id = Option.getOrElse(yield* ownerOf(username), () => "nobody")
      return yield* signInWithPassword({ id }, password)
    })
    // This endpoint has no code for an address that still waits for its proof.
    const attempt = Effect.catchTag(retryOnConflict(signIn), "email_not_verified", () => Effect.fail(new InvalidCredentials()))
    const issued = yield* countedPassword({ name: username, owner: ownerOf(username) })(attempt)
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Names to sign in with instead of the address. */
export const username = Module.define({
  name: "username",
  settings: Module.NoSettings,
  faults: (_, { email_password }) =>
    email_password.enabled ? [] : [{ path: [], wanted: "email_password.enabled to be true, since usernames are signed in with passwords" }],
  parts: () => ({ tables: [Usernames], endpoints: { usernameSet, usernameAvailable, signInUsername } }),
})
