import { Schema } from "effect"
import { between, orElse } from "../../../domain/settings.ts"

export const TwoFactorSettings = Schema.Struct({
  /** What authenticator apps call this service. They take a colon for the end of the name. */
  issuer: Schema.String.check(Schema.isPattern(/^[^:]+$/, { expected: "a name without a colon" })).pipe(orElse("service")),
  backup_code_count: between(1, 100).pipe(orElse(10)),
  /** Which users get a session only once they have a second factor or a passkey. */
  required: Schema.Literals(["none", "admins", "everyone"]).pipe(orElse("none")),
})
export type TwoFactorSettings = typeof TwoFactorSettings.Type
