import type { AdminSettings } from "../administrators.ts"
import { mergeEndpoints } from "./endpoints.ts"
import { mergeEvents } from "./events.ts"
import { mergeOperation } from "./moves.ts"
import { MergedUsers } from "./table.ts"

const partsOf = (settings: AdminSettings) => ({
  tables: [MergedUsers],
  endpoints: mergeEndpoints(settings),
  rowEvents: mergeEvents,
  operations: [mergeOperation],
})
type MergeParts = ReturnType<typeof partsOf>

const noParts = { tables: [], endpoints: [], rowEvents: [], operations: [] }

/** What merges add to the module `admin`; nothing unless they are on. The endpoint has its type in any case. */
export const mergeParts = (settings: AdminSettings) => (settings.merges === true ? partsOf(settings) : (noParts as unknown as MergeParts))
