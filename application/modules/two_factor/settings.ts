import { Effect, Schema } from "effect"
import { between, defaultName, orElse, Settings } from "../../../domain/settings.ts"

export const TwoFactorSettings = Schema.Struct({
  /**
   * The name of this service in authenticator apps. It must not contain a colon, which ends the name there. Defaults to `branding.name`
   * without colons where that is configured, else to `service`.
   */
  issuer: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[^:]+$/, { expected: "a name without a colon" }))),
  backup_code_count: between(1, 100).pipe(orElse(10)),
  /** Which users must have a second factor or a passkey to get a session. */
  required: Schema.Literals(["none", "admins", "everyone"]).pipe(orElse("none")),
})
export type TwoFactorSettings = typeof TwoFactorSettings.Type

/** The name of this service in authenticator apps. */
export const issuerOf = ({ issuer }: TwoFactorSettings) =>
  Effect.map(Settings, ({ branding: { name } }) => issuer ?? (name === defaultName ? "service" : name.replaceAll(":", " ")))
