import { Effect, Option, Schema } from "effect"
import { LastAccount } from "../../../domain/errors.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { unlinkOneWrites } from "../../../domain/sign-in/linked-accounts.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import { steppedUp } from "../../service/guards.ts"
import { passkeyRemoved } from "./emails.ts"
import { PasskeyNotFound } from "./errors.ts"
import { Name } from "./registration.ts"
import { Passkey, Passkeys, passkeysOf, shown } from "./table.ts"

export const passkeyList = Endpoint.make({
  method: "GET",
  path: "/passkey/list",
  summary: "The user's passkeys, the oldest first.",
  access: "session",
  output: Schema.Struct({ passkeys: Schema.Array(Passkey) }),
  handler: Effect.fnUntraced(function* passkeyList() {
    const { user } = yield* CurrentSession
    return Endpoint.reply({ passkeys: (yield* passkeysOf(user.id)).map(shown) })
  }),
})

/** A passkey by its id, if it belongs to this user. */
const ownPasskey = Effect.fnUntraced(function* ownPasskey(id: string, user_id: string) {
  const passkey = yield* (yield* Store).read(Passkeys, { id })
  if (Option.isNone(passkey) || passkey.value.row.user_id !== user_id) return yield* new PasskeyNotFound()
  return passkey.value
})

export const passkeyRename = Endpoint.make({
  method: "POST",
  path: "/passkey/rename",
  summary: "Renames one of the user's passkeys.",
  ...steppedUp,
  input: Schema.Struct({ passkey_id: Schema.String, name: Name }),
  output: Schema.Struct({ passkey: Passkey }),
  errors: [PasskeyNotFound],
  handler: Effect.fnUntraced(function* passkeyRename({ passkey_id, name }) {
    const { user } = yield* CurrentSession
    const passkey = yield* ownPasskey(passkey_id, user.id)
    yield* (yield* Store).commit([update(Passkeys, passkey, { name })])
    return Endpoint.reply({ passkey: shown({ ...passkey.row, name }) })
  }, retryOnConflict),
})

export const passkeyDelete = Endpoint.make({
  method: "POST",
  path: "/passkey/delete",
  summary: "Removes one of the user's passkeys, unless it is their only way to sign in.",
  ...steppedUp,
  input: Schema.Struct({ passkey_id: Schema.String }),
  output: Endpoint.Success,
  errors: [PasskeyNotFound, LastAccount],
  handler: Effect.fnUntraced(function* passkeyDelete({ passkey_id }) {
    const { user } = yield* rereadSession
    const passkey = yield* ownPasskey(passkey_id, user.row.id)
    const writes = yield* unlinkOneWrites(user, passkey.row.id)
    yield* (yield* Store).commit([...writes, ...(yield* notices(user.row, () => passkeyRemoved))])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

export const viewersPasskeys = GraphField.make({
  on: "viewer",
  name: "passkeys",
  summary: "The user's passkeys, the oldest first.",
  output: Schema.Array(Passkey),
  load: (viewers) => Effect.forEach(viewers, ({ user }) => Effect.map(passkeysOf(user.id), (own) => own.map(shown))),
})
