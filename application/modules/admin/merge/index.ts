import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { mergeEndpoints } from "./endpoints.ts"
import { mergeEvents } from "./events.ts"
import { mergeOperation } from "./moves.ts"
import { MergedUsers } from "./table.ts"

export const mergeParts = (settings: AdminSettings) =>
  partsIf(settings.merges, {
    tables: [MergedUsers],
    endpoints: mergeEndpoints(settings),
    rowEvents: mergeEvents,
    operations: [mergeOperation],
  })
