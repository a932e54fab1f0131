import { Effect, Option } from "effect"
import type { Merging } from "../../../domain/policies.ts"
import { Store, update, type Write } from "../../../domain/ports/store.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { maxPasskeys, Passkeys, passkeysOf } from "./table.ts"

/** The writes that move the passkeys of a user, with their accounts, as far as the other user has room. */
export const movedPasskeys = Effect.fnUntraced(function* movedPasskeys({ from, into }: Merging) {
  const { read } = yield* Store
  const room = maxPasskeys - (yield* passkeysOf(into)).length
  const writes: Array<Write> = []
  for (const { id } of (yield* passkeysOf(from)).slice(0, room)) {
    const [passkey, account] = [yield* read(Passkeys, { id }), yield* read(Accounts, { id })]
    if (Option.isNone(passkey) || Option.isNone(account)) continue
    const added_by = passkey.value.row.added_by ?? from
    writes.push(update(Accounts, account.value, { user_id: into }), update(Passkeys, passkey.value, { user_id: into, added_by }))
  }
  return writes
})
