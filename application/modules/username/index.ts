import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { administeredUser } from "../../../domain/administration/reach.ts"
import { InvalidCredentials, UserNotFound } from "../../../domain/errors.ts"
import { countedPassword } from "../../../domain/limits/limits.ts"
import {
  check,
  commitOrConflict,
  find,
  insert,
  orFail,
  removeAll,
  retryOnConflict,
  Store,
  update,
  type Versioned,
} from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { signInWithPassword } from "../../../domain/sign-in/passwords.ts"
import { behindIds, newId } from "../../../domain/storage/new-id.ts"
import { Users } from "../../../domain/users/tables.ts"
import { type StoredUser, User, unknownUserId } from "../../../domain/users/user.ts"
import { lowercased } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import * as Errors from "./errors.ts"

const Username = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  /** Lowercased. */
  username: Schema.String,
  /** With the capitalisation of its owner. */
  display_username: Schema.String,
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})

export const Usernames = Table.make("username", Username, {
  key: "id",
  unique: ["user_id", "username"],
  references: { user_id: Users },
  data: { personal: ["username", "display_username", "created_at", "updated_at"], other: ["id", "user_id"] },
})

const pattern = /^[a-z0-9_]{3,32}$/

type Names = Pick<typeof Username.Type, "username" | "display_username">

/** The columns of a valid username. */
export const named = (display_username: string): Option.Option<Names> => {
  const username = lowercased(display_username)
  return pattern.test(username) ? Option.some({ username, display_username }) : Option.none()
}

const Named = Schema.Struct({ username: Schema.String })

const usernameSet = Endpoint.make({
  method: "POST",
  path: "/username/set",
  summary: "Sets or replaces the user's username.",
  access: "session",
  input: Named,
  output: Named,
  errors: [Errors.InvalidUsername, Errors.UsernameTaken],
  handler: Effect.fnUntraced(function* usernameSet({ username: display_username }) {
    const names = yield* namesOf(display_username)
    const change = Effect.gen(function* () {
      const { user } = yield* rereadSession
      yield* commitOrConflict([check(Users, user), yield* nameWrite(user, names)])
    })
    yield* retryOnConflict(change)
    return Endpoint.reply({ username: display_username })
  }),
})

const namesOf = Effect.fnUntraced(function* namesOf(display_username: string) {
  return yield* orFail(Effect.succeed(named(display_username)), () => new Errors.InvalidUsername())
})

/** Gives the user the name. If a concurrent request of the same user took the name, the retry reads it and succeeds. */
const nameWrite = Effect.fnUntraced(function* nameWrite({ row: { id: user_id } }: Versioned<StoredUser>, names: Names) {
  const holder = yield* find(Usernames, { username: names.username })
  if (Option.isSome(holder) && holder.value.user_id !== user_id) return yield* new Errors.UsernameTaken()

  const own = yield* (yield* Store).read(Usernames, { user_id })
  const updated_at = yield* DateTime.now
  return Option.isSome(own)
    ? update(Usernames, own.value, { ...names, updated_at })
    : insert(Usernames, { id: yield* newId, user_id, ...names, created_at: updated_at, updated_at })
})

/** The names that begin with a text, for administrators who search users. */
const namesFrom = Effect.fnUntraced(function* namesFrom(typed: string, after: string, limit: number) {
  if (!/^[a-z0-9_]+$/.test(typed)) return []
  const page = {
    limit,
    order: "username",
    prefix: { field: "username", text: typed },
    ...(after !== "" && { after: { username: after, id: behindIds } }),
  } as const
  const rows = yield* (yield* Store).list(Usernames, {}, page)
  return rows.map(({ username, user_id }) => ({ name: username, user_id }))
})

const adminSetUsername = Endpoint.make({
  method: "POST",
  path: "/admin/users/set-username",
  summary: "Gives a user a username, or removes it.",
  access: { permission: "users:credentials" },
  input: Schema.Struct({ user_id: Schema.String, username: Schema.NullOr(Schema.String) }),
  output: Endpoint.Success,
  errors: [UserNotFound, Errors.InvalidUsername, Errors.UsernameTaken],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminSetUsername({ user_id, username }) {
    const names = username === null ? null : yield* namesOf(username)
    const user = yield* administeredUser(user_id)
    const unchanged = yield* ofPrincipal(user.row)
    const write = names === null ? removeAll(Usernames, { user_id }) : yield* nameWrite(user, names)
    yield* commitOrConflict([...unchanged, update(Users, user, {}), write])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

const usernameShow = Endpoint.make({
  method: "GET",
  path: "/username/show",
  summary: "The user's username, as the user typed it; null without one.",
  access: "session",
  output: Schema.Struct({ username: Schema.NullOr(Schema.String) }),
  handler: Effect.fnUntraced(function* usernameShow() {
    const { user } = yield* CurrentSession
    const own = yield* find(Usernames, { user_id: user.id })
    return Endpoint.reply({ username: Option.getOrNull(Option.map(own, ({ display_username }) => display_username)) })
  }),
})

const usernameAvailable = Endpoint.make({
  method: "GET",
  path: "/username/available",
  summary: "Whether a username is available.",
  access: "public",
  input: Named,
  output: Schema.Struct({ available: Schema.Boolean }),
  handler: Effect.fnUntraced(function* usernameAvailable({ username: typed }) {
    const names = named(typed)
    const available = Option.isSome(names) && Option.isNone(yield* find(Usernames, { username: names.value.username }))
    return Endpoint.reply({ available })
  }),
})

const ownerOf = (username: string) => find(Usernames, { username }).pipe(Effect.map(Option.map(({ user_id }) => user_id)))

const signInUsername = Endpoint.make({
  method: "POST",
  path: "/sign-in/username",
  summary: "Signs a user in by username and password.",
  access: "public",
  signsIn: "single_factor",
  methods: ["pwd"],
  input: Schema.Struct({ username: Schema.String, password: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [InvalidCredentials],
  handler: Effect.fnUntraced(function* usernameSignIn({ username: typed, password }) {
    const username = lowercased(typed)
    const signIn = Effect.gen(function* () {
      const id = Option.getOrElse(yield* ownerOf(username), () => unknownUserId)
      return yield* signInWithPassword({ id }, password)
    })
    // This endpoint declares no code for an unverified address.
    const attempt = Effect.catchTag(retryOnConflict(signIn), "email_not_verified", () => Effect.fail(new InvalidCredentials()))
    const issued = yield* countedPassword({ kind: "username", name: username, owner: ownerOf(username) })(attempt)
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Sign-in by username and password. */
export const username = Module.define({
  name: "username",
  errors: Object.values(Errors),
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Module.NoSettings,
  faults: (_, { email_password }) =>
    email_password.enabled ? [] : [{ path: [], wanted: "email_password.enabled to be true, since sign-in by username needs a password" }],
  parts: () => ({
    tables: [Usernames],
    endpoints: [usernameSet, usernameShow, usernameAvailable, signInUsername, adminSetUsername],
    userNames: namesFrom,
  }),
})
