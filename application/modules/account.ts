import { DateTime, Effect, Option, Schema } from "effect"
import { AccountNotFound, InvalidCredentials, InvalidRequest, LastAccount, SessionNotFresh } from "../../domain/Errors.ts"
import { Text } from "../../domain/Text.ts"
import { LinkedAccount, User } from "../../domain/User.ts"
import { CurrentSession } from "../Caller.ts"
import * as Endpoint from "../Endpoint.ts"
import { NoInput, Success, succeeded } from "../Endpoint.ts"
import { signInTry } from "../Limits.ts"
import * as Module from "../Module.ts"
import { checkPassword, credentialOf } from "../Passwords.ts"
import { decide, remove, removeHeld, Store, update } from "../ports/Store.ts"
import { requireFresh, unchangedCurrent } from "../Sessions.ts"
import { Accounts, Users } from "../Tables.ts"

const updateUser = Endpoint.make({
  method: "POST",
  path: "/update-user",
  summary: "Changes the user's name or picture.",
  access: "session",
  input: Schema.Struct({ name: Schema.optionalKey(Text), image: Schema.optionalKey(Text) }),
  output: Schema.Struct({ user: User }),
  errors: [InvalidRequest],
  handler: Effect.fn("account.update")(function* (changes) {
    const update_ = Effect.gen(function* () {
      const { user } = yield* unchangedCurrent
      const changed: User = { ...user.row, ...changes, updated_at: yield* DateTime.now }
      yield* (yield* Store).commit([update(Users, user, changed)])
      return changed
    })
    return Endpoint.reply({ user: yield* decide(update_) })
  }),
})

const deleteUser = Endpoint.make({
  method: "POST",
  path: "/delete-user",
  summary: "Deletes the user and everything that belongs to them.",
  access: "session",
  input: Schema.Struct({ password: Schema.optionalKey(Schema.String) }),
  output: Success,
  errors: [InvalidRequest, InvalidCredentials, SessionNotFresh],
  handler: Effect.fn("account.delete")(function* ({ password }) {
    const { user } = yield* CurrentSession
    const removal = Effect.gen(function* () {
      const { user } = yield* unchangedCurrent
      yield* proveOwner(user.row.id, password)
      yield* (yield* Store).commit([removeHeld(Users, user)])
    })
    yield* signInTry(user.email)(decide(removal))
    return Endpoint.reply(succeeded, "clear")
  }),
})

/** The password where there is one; else a session that began a short while ago. */
const proveOwner = Effect.fnUntraced(function* (userId: string, password: string | undefined) {
  if (Option.isNone(yield* credentialOf(userId))) return yield* requireFresh
  if (password === undefined) return yield* new InvalidRequest({ message: "password: Missing key" })
  yield* checkPassword(userId, password)
})

/** The most linked accounts of one user. */
const most = 100

const accountsOf = Effect.fnUntraced(function* (userId: string) {
  return yield* (yield* Store).list(Accounts, { user_id: userId }, { limit: most, order: "created_at" })
})

const listAccounts = Endpoint.make({
  method: "GET",
  path: "/list-accounts",
  summary: "The ways to sign in that are linked to the user.",
  access: "session",
  input: NoInput,
  output: Schema.Struct({ accounts: Schema.Array(LinkedAccount) }),
  errors: [],
  handler: Effect.fn("account.list")(function* () {
    const { user } = yield* CurrentSession
    return Endpoint.reply({ accounts: yield* accountsOf(user.id) })
  }),
})

const unlinkAccount = Endpoint.make({
  method: "POST",
  path: "/unlink-account",
  summary: "Removes one way to sign in, unless it is the only one.",
  access: "session",
  input: Schema.Struct({ provider_id: Schema.String }),
  output: Success,
  errors: [InvalidRequest, LastAccount, AccountNotFound],
  handler: Effect.fn("account.unlink")(function* ({ provider_id }) {
    const unlink = Effect.gen(function* () {
      const { user } = yield* unchangedCurrent
      const accounts = yield* accountsOf(user.row.id)
      const linked = accounts.filter((account) => account.provider_id === provider_id)
      if (linked.length === 0) return yield* new AccountNotFound()
      if (linked.length === accounts.length) return yield* new LastAccount()
      const removals = linked.map(({ id }) => remove(Accounts, id))
      yield* (yield* Store).commit([update(Users, user, {}), ...removals])
    })
    yield* decide(unlink)
    return Endpoint.reply(succeeded)
  }),
})

/** What users do with their own account. */
export const account = Module.define({
  name: "account",
  settings: Module.NoSettings,
  parts: () => ({ endpoints: { updateUser, deleteUser, listAccounts, unlinkAccount } }),
})
