import { DateTime, Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { millisOf } from "../../../domain/storage/new-id.ts"
import { Unsealed } from "./tables.ts"

/** Ids grow with time, so the first record without a seal is the oldest. */
export const health = Effect.gen(function* auditHealth() {
  const [oldest] = yield* (yield* Store).list(Unsealed, {}, { limit: 1, order: "id" })
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  return { seal_age_s: oldest === undefined ? 0 : Math.max(0, Math.floor((now - millisOf(oldest.id)) / 1000)) }
})
