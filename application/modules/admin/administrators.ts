import { Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/Errors.ts"
import { Email } from "../../../domain/Text.ts"
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

/** Refuses callers who are no administrators: by configuration, or by role. */
export const administratorsOnly = ({ admin_emails, admin_user_ids, require_verified_email }: AdminSettings) =>
  Effect.gen(function* () {
    const { user } = yield* CurrentSession
    if (admin_user_ids.includes(user.id)) return
    const needsProof = require_verified_email ?? (yield* Settings).email_password.require_email_verification
    if (admin_emails.includes(user.email) && (user.email_verified || !needsProof)) return
    const { role } = yield* metadataOf(user.id)
    if (role !== "admin") return yield* new Forbidden()
  })
