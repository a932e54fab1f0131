import { Context, Effect, Layer, LayerRef } from "effect"
import type { DeliveryRefused } from "../../domain/ports/delivery.ts"
import { Mailer } from "../../domain/ports/mailer.ts"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { mailerOf, smsSenderOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { derivedFrom } from "../sms/webhook.ts"
import { onReload } from "./reloadable.ts"

/** The configured mailer, until a reload replaces it. */
export const mailer = (configuration: Configuration) =>
  replaceable(Mailer, configuration, ({ mail, pages }) => mailerOf(mail).layer({ hasPages: pages !== undefined }))

type Sender = Pick<Configuration, "sms" | "secrets">

/** The secrets with which the receiver of the SMS webhook verifies signatures. */
export const webhookSecrets = ({ sms, secrets }: Sender) => {
  const { signingSecrets } = smsSenderOf(sms)
  return signingSecrets === undefined ? Effect.map(secrets, derivedFrom) : Effect.succeed(signingSecrets)
}

/** The configured sender of short messages, until a reload replaces it. */
export const smsSender = (configuration: Configuration) =>
  replaceable(SmsSender, configuration, ({ sms, secrets }) => Layer.unwrap(Effect.map(secrets, smsSenderOf(sms).layer)))

/** A sender that a reload builds anew. A message that is being sent keeps its sender, which is closed after its last message. */
const replaceable = <I, M, E, R>(
  service: Context.Service<I, { send(message: M): Effect.Effect<void, DeliveryRefused> }>,
  configuration: Configuration,
  layerOf: (configuration: Configuration) => Layer.Layer<I, E, R>,
) =>
  Layer.effect(
    service,
    Effect.gen(function* () {
      let current = configuration
      // Without `fresh`, the layer would return the sender of a message that is being sent.
      const layer = Layer.fresh(Layer.suspend(() => layerOf(current)))
      const sender = yield* LayerRef.make(layer, { preload: true, idleTimeToLive: "Infinity" })
      const replace = (next: Configuration) =>
        Effect.suspend(() => {
          current = next
          return Effect.orDie(sender.refresh)
        })
      yield* onReload((next) => Effect.as(next.secrets, replace(next)))
      return service.of({
        send: (message) =>
          sender.contextEffect.pipe(
            Effect.orDie,
            Effect.flatMap((services) => Context.get(services, service).send(message)),
            Effect.scoped,
          ),
      })
    }),
  )
