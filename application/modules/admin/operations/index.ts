import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { operationEvents } from "./events.ts"
import { keyEndpoints } from "./keys.ts"
import { outboxEndpoints } from "./outbox.ts"
import { stateEndpoints } from "./state.ts"

/** What administrators see and repeat of the work in the background, the keys and the state of the service. */
export const operationParts = ({ operations }: AdminSettings) =>
  partsIf(operations, { endpoints: [...outboxEndpoints, ...keyEndpoints, ...stateEndpoints] as const, rowEvents: operationEvents })
