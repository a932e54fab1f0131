import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { eraseAllDue } from "./due.ts"
import { erasureEndpoints } from "./endpoints.ts"
import { erasureEvents } from "./events.ts"
import { ErasureReceipts, PendingErasures } from "./tables.ts"

export const erasureParts = ({ erasures }: AdminSettings) =>
  partsIf(erasures, {
    tables: [PendingErasures, ErasureReceipts],
    endpoints: erasureEndpoints,
    rowEvents: erasureEvents,
    background: [{ every: 60_000, run: eraseAllDue }],
  })
