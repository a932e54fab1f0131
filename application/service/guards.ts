import { Effect } from "effect"
import { EmailPasswordDisabled, SessionNotFresh } from "../../domain/errors.ts"
import type { NeededInOrganization } from "../../domain/organizations/acting.ts"
import { requireFresh, requireStepUp } from "../../domain/sessions/sessions.ts"
import { Settings } from "../../domain/settings.ts"
import { guard } from "./endpoint.ts"

// Declarations that take the place of `access` at endpoints for sensitive changes: `Endpoint.make({ ...fresh, method: "POST", … })`.

/** Requires a session with recent authentication. */
export const fresh = { access: "session", guard: guard([SessionNotFresh], requireFresh) } as const

/** Requires a member of the organization whose role permits an action, or a key of the organization with it. */
export const forMembers = (action: string, ...of: NeededInOrganization["of"]) => ({ access: "member", needed: { action, of } }) as const

/** Requires a recent proof of identity, for changes of second factors and passkeys. */
export const steppedUp = { access: "session", guard: guard([SessionNotFresh], requireStepUp) } as const

const requirePasswords = Effect.flatMap(Settings, ({ email_password }) =>
  email_password.enabled ? Effect.void : Effect.fail(new EmailPasswordDisabled()),
)

/** Public, but refused while `email_password.enabled` is off. */
export const withPasswords = { access: "public", guard: guard([EmailPasswordDisabled], requirePasswords) } as const
