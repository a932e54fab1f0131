import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { operationEvents } from "./events.ts"
import { keyEndpoints } from "./keys.ts"
import { outboxEndpoints } from "./outbox.ts"

/** What administrators see and repeat of the work in the background, and the keys of the service. */
export const operationParts = ({ operations }: AdminSettings) =>
  partsIf(operations, { endpoints: [...outboxEndpoints, ...keyEndpoints] as const, rowEvents: operationEvents })
