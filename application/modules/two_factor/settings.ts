import { Effect, Schema } from "effect"
import { about, between, defaultName, orElse, Settings } from "../../../domain/settings.ts"
import { maxDays } from "./browsers.ts"

export const TwoFactorSettings = Schema.Struct({
  issuer: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[^:]+$/, { expected: "a name without a colon" }))).pipe(
    about(
      "The name of this service in authenticator apps, without a colon. Default: `branding.name`, or `service` if that is not configured.",
    ),
  ),
  methods: Schema.NonEmptyArray(Schema.Literals(["totp", "email", "sms"])).pipe(
    orElse(
      ["totp"],
      "What users can set up as a second factor: `totp` (codes of an app, and backup codes), `email` and `sms` (codes that are sent, [which never count after a sign-in by the same way](application/modules/two_factor/README.md#why); `sms` needs `modules.phone`). Without `totp`, apps that are set up already still count.",
    ),
  ),
  backup_code_count: between(1, 100).pipe(orElse(10, "Number of backup codes (1 to 100).")),
  required: Schema.Literals(["none", "admins", "everyone"]).pipe(
    orElse(
      "none",
      "Which users must have a second factor or a passkey before they get a session: `none`, `admins` or `everyone` ([more](docs/configuration.md#required-second-factors)).",
    ),
  ),
  remember_browser: Schema.optionalKey(
    Schema.Struct({
      days: between(1, maxDays).pipe(orElse(30, "For how many days a browser is remembered (1 to 365).")),
    }),
  ).pipe(
    about(
      "Users can have a browser remembered, in which later sign-ins need no second factor. It ends with a new password, a change of the second factor and the end of all sessions, and never counts for sensitive changes. Default: off.",
    ),
  ),
})
export type TwoFactorSettings = typeof TwoFactorSettings.Type

/** The name of this service in authenticator apps. */
export const issuerOf = ({ issuer }: TwoFactorSettings) =>
  Effect.map(Settings, ({ branding: { name } }) => issuer ?? (name === defaultName ? "service" : name.replaceAll(":", " ")))
