import { text } from "node:stream/consumers"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Prompt } from "effect/cli"
import * as Users from "../../application/modules/admin/users.ts"
import { faults } from "../../application/service/faults.ts"
import type { AuthError } from "../../domain/errors.ts"
import { UserAlreadyExists, UserNotFound } from "../../domain/errors.ts"
import { find } from "../../domain/ports/store.ts"
import { Registration } from "../../domain/sign-in/sign-up.ts"
import * as Tables from "../../domain/storage/tables.ts"
import type { Configuration } from "../config/load.ts"
import { codes, Stop } from "./stop.ts"

// What operators do to users without a session: the first administrator has nobody who could make them one.

/** A new user, as the command line names them. */
export interface NewUser {
  readonly email: string
  readonly name: Option.Option<string>
  readonly admin: boolean
}

/** A ban, as the command line describes it. */
export interface UserBan {
  readonly user: string
  readonly reason: Option.Option<string>
  readonly seconds: Option.Option<number>
}

/** One of the commands below, on everything that use cases stand on. */
export type UserWork = ReturnType<typeof createUser<Prompt.Environment> | typeof banUser | typeof makeAdmin>

/** Stops where the command could change nothing that anybody sees. */
export const demandStore = Effect.fnUntraced(function* ({ store, modules }: Configuration, needsAdmin: boolean) {
  const refuse = (line: string) => new Stop({ code: codes.configuration, lines: [line] })
  if (store.kind === "memory") return yield* refuse("store: found one in memory, wanted one that outlives this command")
  if (needsAdmin && !modules.some(({ name }) => name === "admin"))
    return yield* refuse("modules.admin: found nothing, wanted {} at least: without it there are neither bans nor administrators")
})

const { password: _, ...identity } = Registration.fields
const Newcomer = Schema.Struct(identity)

/** Nobody is asked for the password of a user who cannot be. */
export const createUser = Effect.fnUntraced(function* <R>({ email, name, admin }: NewUser, password: Effect.Effect<string, Stop, R>) {
  const newcomer = yield* valid(Newcomer, { email, ...(Option.isSome(name) ? { name: name.value } : {}) })
  if (Option.isSome(yield* find(Tables.Users, { email: newcomer.email }))) return yield* inWords(Effect.fail(new UserAlreadyExists()))
  const user = yield* inWords(Users.create({ ...newcomer, password: yield* password }, admin ? "admin" : undefined))
  yield* Console.log(`${user.email} is user ${user.id}${admin ? ", an administrator" : ""}.`)
})

export const banUser = Effect.fnUntraced(function* ({ user, reason, seconds }: UserBan) {
  const ban = yield* valid(Users.Ban, {
    ...(Option.isSome(reason) ? { reason: reason.value } : {}),
    ...(Option.isSome(seconds) ? { expires_in: seconds.value } : {}),
  })
  const { id, email } = yield* named(user)
  yield* inWords(Users.ban(id, ban))
  yield* Console.log(`${email} is banned; all of their sessions have ended.`)
})

export const makeAdmin = Effect.fnUntraced(function* ({ user }: { readonly user: string }) {
  const { id, email } = yield* named(user)
  yield* inWords(Users.setRole(id, "admin"))
  yield* Console.log(`${email} is an administrator.`)
})

/** The user with this id or address. */
const named = Effect.fnUntraced(function* (user: string) {
  const byId = yield* find(Tables.Users, { id: user })
  const found = Option.isSome(byId) ? byId : yield* find(Tables.Users, { email: user.trim().toLowerCase() })
  return yield* Option.match(found, { onNone: () => inWords(Effect.fail(new UserNotFound())), onSome: Effect.succeed })
})

const stop = (line: string) => new Stop({ code: codes.failed, lines: [line] })

/** Refusals are told in their own words. */
const inWords = <A, R>(effect: Effect.Effect<A, AuthError, R>) => Effect.mapError(effect, ({ message }) => stop(message))

const valid = <A>(schema: Schema.Codec<A, any>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), ({ issue }) => stop(faults(issue)))

/** Typed unseen and twice on a terminal, else the first line of standard input: arguments stand in the process list and in the shell's history. */
export const askedPassword = Effect.suspend(() => (process.stdin.isTTY ? typed : piped))

const typed = Effect.gen(function* () {
  const [first, second] = [yield* Prompt.Password({ message: "Password" }), yield* Prompt.Password({ message: "Again" })]
  if (Redacted.value(first) !== Redacted.value(second)) return yield* stop("The two passwords are not the same.")
  return Redacted.value(first)
}).pipe(Effect.catchTag("QuitError", () => Effect.fail(stop("No password was given."))))

const piped = Effect.gen(function* () {
  const [line = ""] = (yield* Effect.promise(() => text(process.stdin))).split(/\r?\n/)
  if (line === "") return yield* stop("No password was given: its place is the first line of standard input.")
  return line
})
