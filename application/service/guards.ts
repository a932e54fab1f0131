import { SessionNotFresh } from "../../domain/errors.ts"
import { requireFresh, requireStepUp } from "../../domain/sessions/sessions.ts"
import { guard } from "./endpoint.ts"

// Who may call endpoints for sensitive changes, in place of `access`: `Endpoint.make({ ...fresh, method: "POST", … })`.

/** Requires a session with recent authentication. */
export const fresh = { access: "session", guard: guard([SessionNotFresh], requireFresh) } as const

/** Requires a recent proof of identity, for changes of second factors and passkeys. */
export const steppedUp = { access: "session", guard: guard([SessionNotFresh], requireStepUp) } as const
