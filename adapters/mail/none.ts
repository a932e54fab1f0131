import { Effect, Layer, Schema } from "effect"
import { Mailer } from "../../domain/ports/mailer.ts"
import { mailAdapter } from "../kinds/delivery.ts"

/** Sends nothing. */
export const layer = Layer.succeed(Mailer, { send: () => Effect.void })

export const none = mailAdapter({
  kind: "none",
  settings: Schema.Struct({ kind: Schema.Literal("none") }),
  select: () => ({
    label: "none: mail is not sent",
    layer: () => layer,
    stateOf: ({ email_password }) =>
      email_password.require_email_verification
        ? Effect.fail(
            "mail is not sent, so users cannot verify an address: change mail, or turn email_password.require_email_verification off",
          )
        : Effect.succeed("mail is not sent"),
  }),
})
