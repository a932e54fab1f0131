import { Effect, Option, Schema } from "effect"
import { Party } from "../../../../domain/events/security-event.ts"
import { Initiator } from "../../../../domain/initiator.ts"
import { Policies } from "../../../../domain/policies.ts"
import { find } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"

/** What is left of an erased user: their id, which names no person, and the number of rows by table. */
export const ErasureReceipt = Schema.Struct({
  user_id: Schema.String,
  rows: Schema.Record(Schema.String, Schema.Int),
  erased_at: Schema.DateTimeUtc,
  erased_by: Party,
})
export type ErasureReceipt = typeof ErasureReceipt.Type

/** The erased users. A restored backup revives people: the receipts name those who have to be erased again. */
export const ErasureReceipts = Table.make("erasure_receipt", ErasureReceipt, { key: "user_id" })

const PendingErasure = Schema.Struct({
  user_id: Schema.String,
  due_at: Schema.DateTimeUtc,
  initiator: Initiator,
  created_at: Schema.DateTimeUtc,
})

export type PendingErasure = typeof PendingErasure.Type

/** Erasures that wait for their time, and can be cancelled. */
export const PendingErasures = Table.make("pending_erasure", PendingErasure, {
  key: "user_id",
  indexed: ["due_at"],
  references: { user_id: Users },
  data: { personal: ["due_at", "created_at"], other: ["user_id", "initiator"] },
})

/** When a user will be erased, for their administrators; nothing if no erasure waits. */
export const waitingErasure = Effect.fnUntraced(function* waitingErasure(user_id: string) {
  if (!(yield* Policies).tables.includes(PendingErasures)) return {}
  const waiting = yield* find(PendingErasures, { user_id })
  return Option.isSome(waiting) ? { erasure_due_at: waiting.value.due_at } : {}
})
