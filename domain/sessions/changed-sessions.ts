import type { Write } from "../ports/store.ts"
import { Users } from "../users/tables.ts"
import { Sessions } from "./tables.ts"

/** Whether a table has rows that a copy of a session contains. */
export const isOfSessions = (table: string): boolean => table === Sessions.name || table === Users.name

/** The ids of the sessions and users that a write changes or removes: copies of them are out of date. No copy has a new row before. */
export const changedIds = (write: Write): ReadonlyArray<string> => {
  if (!isOfSessions(write.table.name) || write._tag === "insert" || write._tag === "check") return []
  if (write._tag === "put") return [String(write.row["id"])]
  if (write._tag === "removeAll") return Object.values(write.where).map(String)
  return write._tag === "removeEach" ? write.keys.map(String) : [String(write.key)]
}
