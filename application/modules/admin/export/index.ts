import type { AdminSettings } from "../administrators.ts"
import { exportEndpoints } from "./endpoints.ts"
import { exportEvents } from "./events.ts"
import { ExportChunks, UserExports } from "./tables.ts"

const parts = { tables: [UserExports, ExportChunks], endpoints: exportEndpoints, rowEvents: exportEvents }
const noParts = { tables: [], endpoints: [], rowEvents: [] }

/** What exports add to the module `admin`; nothing unless they are on. The endpoints have their types in any case. */
export const exportParts = ({ exports }: AdminSettings) => (exports === true ? parts : (noParts as unknown as typeof parts))
