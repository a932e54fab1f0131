import { Effect, Layer, Schema } from "effect"
import { DeliveryRefused } from "../../domain/ports/delivery.ts"
import { Mailer } from "../../domain/ports/mailer.ts"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { mailAdapter, smsAdapter } from "../kinds/delivery.ts"
import { answerOf, hasMethods } from "./answer.ts"
import type { Answer, OwnMailer, OwnSmsSender } from "./ports.ts"

const isMailer = (value: unknown): value is OwnMailer => hasMethods(value, ["send"])
const isSmsSender = (value: unknown): value is OwnSmsSender => hasMethods(value, ["send"])

const label = "your own"

export const ownMailer = mailAdapter({
  kind: undefined,
  settings: Schema.declare(isMailer),
  select: (own) => ({ label, layer: () => mailerLayer(own) }),
})

export const ownSmsSender = smsAdapter({
  kind: undefined,
  settings: Schema.declare(isSmsSender),
  select: (own) => ({ label, layer: () => smsLayer(own) }),
})

const mailerLayer = (own: OwnMailer) => Layer.succeed(Mailer, { send: (mail) => delivered((signal) => own.send(mail, signal)) })
const smsLayer = (own: OwnSmsSender) => Layer.succeed(SmsSender, { send: (sms) => delivered((signal) => own.send(sms, signal)) })

const delivered = (send: (signal: AbortSignal) => Answer<void>) => Effect.mapError(answerOf(send), refused)

/** The reason has only the error's name: its message could contain the mail. */
const refused = (error: unknown): DeliveryRefused => {
  if (error instanceof DeliveryRefused) return error
  const permanent = Reflect.get(Object(error), "permanent") === true
  return new DeliveryRefused({ permanent, reason: error instanceof Error ? error.name : "rejected" })
}
