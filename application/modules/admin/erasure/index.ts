import type { AdminSettings } from "../administrators.ts"
import { eraseAllDue } from "./due.ts"
import { erasureEndpoints } from "./endpoints.ts"
import { erasureEvents } from "./events.ts"
import { ErasureReceipts, PendingErasures } from "./tables.ts"

const parts = {
  tables: [PendingErasures, ErasureReceipts],
  endpoints: erasureEndpoints,
  rowEvents: erasureEvents,
  background: [{ every: 60_000, run: eraseAllDue }],
}
const noParts = { tables: [], endpoints: [], rowEvents: [], background: [] }

/** What erasures add to the module `admin`; nothing unless they are on. The endpoints have their types in any case. */
export const erasureParts = ({ erasures }: AdminSettings) => (erasures === true ? parts : (noParts as unknown as typeof parts))
