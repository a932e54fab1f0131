import { Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/Errors.ts"
import { Email } from "../../../domain/Text.ts"
import type { User } from "../../../domain/User.ts"
import { CurrentSession } from "../../Caller.ts"
import { orElse, Settings } from "../../Settings.ts"
import { metadataOf } from "./users.ts"

export const AdminSettings = Schema.Struct({
  /** Whoever has one of these addresses is an administrator. */
  admin_emails: Schema.Array(Email).pipe(orElse([])),
  /** Whoever has one of these ids is an administrator. */
  admin_user_ids: Schema.Array(Schema.String).pipe(orElse([])),
  /** Whether an address counts only once it is verified: as `email_password.require_email_verification` when left out. */
  require_verified_email: Schema.optionalKey(Schema.Boolean),
})
export type AdminSettings = typeof AdminSettings.Type

/** Whether a user is an administrator: by configuration, or by role. */
export const isAdministrator = ({ admin_emails, admin_user_ids, require_verified_email }: AdminSettings) =>
  Effect.fnUntraced(function* (user: User) {
    if (admin_user_ids.includes(user.id)) return true
    const needsProof = require_verified_email ?? (yield* Settings).email_password.require_email_verification
    if (admin_emails.includes(user.email) && (user.email_verified || !needsProof)) return true
    const { role } = yield* metadataOf(user.id)
    return role === "admin"
  })

/** Refuses callers who are no administrators. */
export const administratorsOnly = (settings: AdminSettings) =>
  Effect.gen(function* () {
    const { user } = yield* CurrentSession
    if (!(yield* isAdministrator(settings)(user))) return yield* new Forbidden()
  })
