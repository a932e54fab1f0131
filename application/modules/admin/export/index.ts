import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { exportEndpoints } from "./endpoints.ts"
import { exportEvents } from "./events.ts"
import { ExportChunks, UserExports } from "./tables.ts"

export const exportParts = ({ exports }: AdminSettings) =>
  partsIf(exports, { tables: [UserExports, ExportChunks], endpoints: exportEndpoints, rowEvents: exportEvents })
