import { Effect, Schema } from "effect"
import { about, between, defaultName, orElse, Settings } from "../../../domain/settings.ts"

export const TwoFactorSettings = Schema.Struct({
  issuer: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[^:]+$/, { expected: "a name without a colon" }))).pipe(
    about(
      "The name of this service in authenticator apps, without a colon. Default: `branding.name`, or `service` if that is not configured.",
    ),
  ),
  backup_code_count: between(1, 100).pipe(orElse(10, "Number of backup codes (1 to 100).")),
  required: Schema.Literals(["none", "admins", "everyone"]).pipe(
    orElse(
      "none",
      "Which users must have a second factor or a passkey before they get a session: `none`, `admins` or `everyone` ([more](docs/configuration.md#required-second-factors)).",
    ),
  ),
})
export type TwoFactorSettings = typeof TwoFactorSettings.Type

/** The name of this service in authenticator apps. */
export const issuerOf = ({ issuer }: TwoFactorSettings) =>
  Effect.map(Settings, ({ branding: { name } }) => issuer ?? (name === defaultName ? "service" : name.replaceAll(":", " ")))
