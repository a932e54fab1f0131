import { DateTime, Effect, Option, Schema } from "effect"
import { find, put, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"

const Checked = Schema.Struct({
  /** What was checked. */
  id: Schema.Literals(["audit_log", "backup"]),
  /** The time of the check. */
  at: Schema.DateTimeUtc,
  is_sound: Schema.Boolean,
  /** The time of what was checked; null if it is not known. */
  made_at: Schema.NullOr(Schema.DateTimeUtc),
})
export type Checked = typeof Checked.Type

/** The last check of the audit log and of a backup, by commands. */
export const Upkeep = Table.make("upkeep", Checked, { key: "id" })

/** Notes the result of a check that has just ended. */
export const noteChecked = Effect.fnUntraced(function* noteChecked(
  id: Checked["id"],
  is_sound: boolean,
  made_at: DateTime.Utc | null = null,
) {
  const { commit } = yield* Store
  yield* Effect.orDie(commit([put(Upkeep, { id, at: yield* DateTime.now, is_sound, made_at })]))
})

/** The last check; undefined if there was none. */
export const lastChecked = (id: Checked["id"]) => Effect.map(find(Upkeep, { id }), Option.getOrUndefined)
