import { Array, Effect, Layer } from "effect"
import type { Configuration } from "../config/load.ts"
import { loaded } from "../loaded.ts"
import * as ConsoleMail from "../mail/console.ts"
import * as NoMail from "../mail/none.ts"
import * as Own from "../own/delivery.ts"
import * as ConsoleSms from "../sms/console.ts"
import * as NoSms from "../sms/none.ts"
import * as TwilioSms from "../sms/twilio.ts"
import * as WebhookSms from "../sms/webhook.ts"

/** The configured mailer. */
export const mailer = ({ mail, pages }: Pick<Configuration, "mail" | "pages">) => {
  if (mail.kind === undefined) return Own.mailerLayer(mail)
  if (mail.kind === "smtp") return loaded(async () => Layer.orDie((await import("../mail/smtp.ts")).layer(mail)))
  return mail.kind === "console" ? ConsoleMail.layer({ hasPages: pages !== undefined }) : NoMail.layer
}

type Sender = Pick<Configuration, "sms" | "secrets">

/** The secrets with which the receiver of the SMS webhook verifies signatures. */
export const webhookSecrets = ({ sms, secrets }: Sender) =>
  sms.kind === "webhook" && sms.secret !== undefined
    ? Effect.succeed(Array.ensure(sms.secret))
    : Effect.map(secrets, WebhookSms.derivedFrom)

/** The configured sender of short messages. */
export const smsSender = ({ sms, secrets }: Sender) => {
  if (sms.kind === undefined) return Own.smsLayer(sms)
  if (sms.kind === "twilio") return TwilioSms.layer(sms)
  if (sms.kind === "webhook")
    return Layer.unwrap(Effect.map(webhookSecrets({ sms, secrets }), (secret) => Layer.orDie(WebhookSms.layer({ ...sms, secret }))))
  return sms.kind === "console" ? ConsoleSms.layer : NoSms.layer
}
