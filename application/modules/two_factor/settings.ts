import { Schema } from "effect"
import { between, orElse } from "../../../domain/settings.ts"

export const TwoFactorSettings = Schema.Struct({
  /** The name of this service in authenticator apps. It must not contain a colon, which ends the name there. */
  issuer: Schema.String.check(Schema.isPattern(/^[^:]+$/, { expected: "a name without a colon" })).pipe(orElse("service")),
  backup_code_count: between(1, 100).pipe(orElse(10)),
  /** Which users must have a second factor or a passkey to get a session. */
  required: Schema.Literals(["none", "admins", "everyone"]).pipe(orElse("none")),
})
export type TwoFactorSettings = typeof TwoFactorSettings.Type
