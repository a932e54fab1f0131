import { DateTime, type Duration, Effect, Option, Schema } from "effect"
import { insert, isCommitted, Store, update } from "../ports/store.ts"
import * as Table from "../ports/table.ts"

/** Work that one process at a time does for all. */
export const Leases = Table.make("lease", Schema.Struct({ id: Schema.String, holder: Schema.String, until: Schema.DateTimeUtc }), {
  key: "id",
})

/** Takes or renews a lease; false while another holder has it. A holder that ends without a word is replaced when its lease is over. */
export const holdLease = Effect.fnUntraced(function* holdLease(id: string, holder: string, duration: Duration.Duration) {
  const now = yield* DateTime.now
  const found = Option.getOrUndefined(yield* (yield* Store).read(Leases, { id }))
  if (found !== undefined && found.row.holder !== holder && DateTime.isGreaterThan(found.row.until, now)) return false
  const mine = { holder, until: DateTime.addDuration(now, duration) }
  return yield* isCommitted([found === undefined ? insert(Leases, { id, ...mine }) : update(Leases, found, mine)])
})
