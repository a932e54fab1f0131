import { DateTime, Effect, Schema } from "effect"
import { attributesIn, attributeWrites } from "../../../domain/attributes/writing.ts"
import { AccountNotFound, InvalidCredentials, LastAccount, SessionNotFresh } from "../../../domain/errors.ts"
import { countedProof } from "../../../domain/limits/limits.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { conflictIfTaken, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { requireFresh, rereadSession } from "../../../domain/sessions/sessions.ts"
import { accountsOf, unlinkWrites } from "../../../domain/sign-in/linked-accounts.ts"
import { provePassword } from "../../../domain/sign-in/passwords.ts"
import { userRemovalWrites } from "../../../domain/users/before-user-removal.ts"
import { Users } from "../../../domain/users/tables.ts"
import { LinkedAccount, ProfileChanges, User, withProfile } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import { fresh } from "../../service/guards.ts"
import * as Module from "../../service/module.ts"
import { accountUnlinked, mails } from "./emails.ts"
import { events } from "./events.ts"

const updateUser = Endpoint.make({
  method: "POST",
  path: "/update-user",
  summary: "Changes the user's name, picture or language.",
  access: "session",
  impersonation: "act",
  input: ProfileChanges,
  attributes: { from: "user" },
  output: Schema.Struct({ user: User }),
  handler: Effect.fnUntraced(function* accountUpdate(changes) {
    const { user } = yield* rereadSession
    const changed = withProfile(user.row, changes, yield* DateTime.now)
    const attributes = yield* attributeWrites(user.row.id, attributesIn(changes))
    yield* conflictIfTaken((yield* Store).commit([update(Users, user, changed), ...attributes]))
    return Endpoint.reply({ user: changed })
  }, retryOnConflict),
})

const deleteUser = Endpoint.make({
  method: "POST",
  path: "/delete-user",
  summary: "Deletes the user and everything that belongs to them.",
  access: "session",
  input: Schema.Struct({ password: Schema.optionalKey(Schema.String) }),
  output: Endpoint.Success,
  errors: [InvalidCredentials, SessionNotFresh],
  removesUsers: true,
  handler: Effect.fnUntraced(function* accountDelete({ password }) {
    const removal = Effect.gen(function* () {
      const { user } = yield* rereadSession
      const isProved = yield* provePassword(user.row.id, password)
      if (!isProved) yield* requireFresh
      yield* (yield* Store).commit(yield* userRemovalWrites(user))
    })
    yield* countedProof(retryOnConflict(removal))
    return Endpoint.reply(Endpoint.succeeded, "clear")
  }),
})

const listAccounts = Endpoint.make({
  method: "GET",
  path: "/list-accounts",
  summary: "The ways to sign in that are linked to the user.",
  access: "session",
  output: Schema.Struct({ accounts: Schema.Array(LinkedAccount) }),
  handler: Effect.fnUntraced(function* accountList() {
    const { user } = yield* CurrentSession
    return Endpoint.reply({ accounts: yield* accountsOf(user.id) })
  }),
})

const unlinkAccount = Endpoint.make({
  method: "POST",
  path: "/unlink-account",
  summary: "Removes one way to sign in, unless it is the only one.",
  ...fresh,
  input: Schema.Struct({ provider_id: Schema.String }),
  output: Endpoint.Success,
  errors: [LastAccount, AccountNotFound],
  handler: Effect.fnUntraced(function* accountUnlink({ provider_id }) {
    const { user } = yield* rereadSession
    const writes = yield* unlinkWrites(user, (account) => account.provider_id === provider_id)
    if (writes.length === 0) return yield* new AccountNotFound()
    yield* (yield* Store).commit([...writes, ...(yield* notices(user.row, () => accountUnlinked))])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

const viewersAccounts = GraphField.make({
  on: "viewer",
  name: "accounts",
  summary: "The ways to sign in that are linked to the user.",
  output: Schema.Array(LinkedAccount),
  load: (viewers) => Effect.forEach(viewers, ({ user }) => accountsOf(user.id)),
})

/** Lets users change, delete and inspect their own account. */
export const account = Module.define({
  name: "account",
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Module.NoSettings,
  parts: () => ({
    endpoints: [updateUser, deleteUser, listAccounts, unlinkAccount],
    graphFields: [viewersAccounts],
    rowEvents: events,
  }),
})
