import { Effect, Layer } from "effect"
import { mailerOf, smsSenderOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { derivedFrom } from "../sms/webhook.ts"

/** The configured mailer. */
export const mailer = ({ mail, pages }: Pick<Configuration, "mail" | "pages">) => mailerOf(mail).layer({ hasPages: pages !== undefined })

type Sender = Pick<Configuration, "sms" | "secrets">

/** The secrets with which the receiver of the SMS webhook verifies signatures. */
export const webhookSecrets = ({ sms, secrets }: Sender) => {
  const { signingSecrets } = smsSenderOf(sms)
  return signingSecrets === undefined ? Effect.map(secrets, derivedFrom) : Effect.succeed(signingSecrets)
}

/** The configured sender of short messages. */
export const smsSender = ({ sms, secrets }: Sender) => Layer.unwrap(Effect.map(secrets, smsSenderOf(sms).layer))
