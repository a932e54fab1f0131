import { text } from "node:stream/consumers"
import { Effect, Option, Redacted, Schema } from "effect"
import { Prompt } from "effect/cli"
import { administratorRole } from "../../application/modules/admin/roles.ts"
import * as Users from "../../application/modules/admin/users.ts"
import { faults } from "../../application/service/faults.ts"
import { operator } from "../../domain/administration/principal.ts"
import { type AuthError, UserAlreadyExists, UserNotFound } from "../../domain/errors.ts"
import { find } from "../../domain/ports/store.ts"
import { Registration } from "../../domain/sign-in/sign-up.ts"
import { admitAnyway, admitByOperator } from "../../domain/users/admission.ts"
import * as Tables from "../../domain/users/tables.ts"
import { addressTyped } from "../../domain/values/text.ts"
import { storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { codes } from "../process/start-faults.ts"
import { type Stop, stop } from "../process/stop.ts"
import { printResult } from "./printed.ts"

// These commands need no session, so that an operator can create the first administrator.

/** The arguments of `user create`. */
export interface NewUser {
  readonly email: string
  readonly name: Option.Option<string>
  readonly admin: boolean
  readonly force: boolean
}

/** The arguments of `user ban`. */
export interface UserBan {
  readonly user: string
  readonly reason: Option.Option<string>
  readonly seconds: Option.Option<number>
}

export type UserWork = ReturnType<typeof createUser<Prompt.Environment> | typeof banUser | typeof makeAdmin>

/** What a command needs. */
export interface Demands {
  /** Whether it needs the module `admin`. */
  readonly needsAdmin?: boolean
  /** Whether it creates an embedded database that does not exist. */
  readonly createsDatabase?: boolean
}

export type Modules = Pick<Configuration, "modules">

const has = (module: string, { modules }: Modules): boolean => modules.some(({ name }) => name === module)

/** Whether users have roles and bans. */
export const hasAdmin = (configuration: Modules): boolean => has("admin", configuration)

/** Stops unless a module is configured: otherwise its tables do not exist. */
export const demandModule = (module: string, why: string) => (configuration: Modules) =>
  has(module, configuration) ? Effect.void : stop(`modules.${module}: found nothing, wanted at least {}${why}`, codes.configuration)

const demandAdmin = demandModule("admin", ", because bans and administrators need this module")

/**
 * Stops when the command would have no lasting effect: an in-memory store is lost at the end, and bans and roles need the admin module.
 * Stops as well without an embedded database: an empty one, made in a mistaken folder, would look like a database without faults.
 */
export const demandStore = Effect.fnUntraced(function* demandStore(
  { store, modules }: Pick<Configuration, "store" | "modules">,
  { needsAdmin = false, createsDatabase = false }: Demands = {},
) {
  const { isLasting, database } = storeOf(store)
  if (!isLasting) return yield* stop(`store: found ${store.kind}, wanted a store that outlives this command`, codes.configuration)
  if (needsAdmin) yield* demandAdmin({ modules })
  const folder = database?.folder
  if (folder !== undefined && !createsDatabase && !folder.exists()) return yield* stop(`There is no database in ${folder.directory}.`)
})

const { password: _, ...identity } = Registration.fields
const Identity = Schema.Struct(identity)

/** Checks the address before it prompts for the password. */
export const createUser = Effect.fnUntraced(function* createUser<R>(
  { email, name, admin, force }: NewUser,
  password: Effect.Effect<string, Stop, R>,
  json = false,
) {
  const fields = yield* valid(Identity, { email, ...(Option.isSome(name) ? { name: name.value } : {}) })
  if (Option.isSome(yield* find(Tables.Users, { email: fields.email }))) return yield* stopOnRefusal(Effect.fail(new UserAlreadyExists()))
  const admission = force ? admitAnyway(fields.email) : yield* stopOnRefusal(admitByOperator(fields.email))
  const registration = { ...fields, password: yield* password }
  const user = yield* stopOnRefusal(Users.create(admission, registration, admin ? administratorRole : undefined, operator))
  const { id, role } = user
  yield* printResult(`${user.email} is user ${id}${admin ? ", an administrator" : ""}.`, { id, email: user.email, role }, json)
})

export const banUser = Effect.fnUntraced(function* banUser({ user, reason, seconds }: UserBan, json = false) {
  const ban = yield* valid(Users.Ban, {
    ...(Option.isSome(reason) ? { reason: reason.value } : {}),
    ...(Option.isSome(seconds) ? { expires_in: seconds.value } : {}),
  })
  const { id, email } = yield* findUser(user)
  yield* stopOnRefusal(Users.ban(id, ban, operator))
  yield* printResult(`${email} is banned; all of their sessions are ended.`, { id, email, banned: true }, json)
})

export const makeAdmin = Effect.fnUntraced(function* makeAdmin({ user }: { readonly user: string }, json = false) {
  const { id, email } = yield* findUser(user)
  yield* stopOnRefusal(Users.setRole(id, administratorRole, operator))
  yield* printResult(`${email} is an administrator.`, { id, email, role: "admin" }, json)
})

/** The user with this id or address. */
export const findUser = Effect.fnUntraced(function* findUser(user: string) {
  const byId = yield* find(Tables.Users, { id: user })
  const row = Option.isSome(byId) ? byId : yield* find(Tables.Users, { email: addressTyped(user) })
  return yield* Option.match(row, { onNone: () => stopOnRefusal(Effect.fail(new UserNotFound())), onSome: Effect.succeed })
})

/** Turns a refusal into a `Stop` with its message. */
export const stopOnRefusal = <A, R>(effect: Effect.Effect<A, AuthError, R>) => Effect.mapError(effect, ({ message }) => stop(message))

/** A value from the command line. */
export const valid = <A>(schema: Schema.Codec<A, any>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), ({ issue }) => stop(faults(issue).message))

/** Reads the password from a prompt or from standard input. It is never an argument: the process list and the shell's history show these. */
export const readPassword = Effect.suspend(() => (process.stdin.isTTY ? promptTwice : firstLine))

const promptTwice = Effect.gen(function* () {
  const [first, second] = [yield* Prompt.Password({ message: "Password" }), yield* Prompt.Password({ message: "Again" })]
  if (Redacted.value(first) !== Redacted.value(second)) return yield* stop("The two passwords differ.")
  return Redacted.value(first)
}).pipe(Effect.catchTag("QuitError", () => Effect.fail(stop("No password was given."))))

const firstLine = Effect.gen(function* () {
  const [line = ""] = (yield* Effect.promise(() => text(process.stdin))).split(/\r?\n/)
  if (line === "") return yield* stop("No password was given on the first line of standard input.")
  return line
})
