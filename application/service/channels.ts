import { Effect, Layer } from "effect"
import { Channels } from "../../domain/ports/channels.ts"
import type { AnyModule, ChannelServices } from "./module.ts"

/** The channels of all modules, for the outbox. */
export const layer = (modules: ReadonlyArray<Pick<AnyModule, "channels">>) =>
  Layer.effect(
    Channels,
    Effect.map(Effect.context<ChannelServices>(), (services) => {
      const channels = modules.flatMap((module) => Object.entries(module.channels))
      return Object.fromEntries(
        channels.map(([name, deliver]) => [
          name,
          (...given: Parameters<typeof deliver>) => Effect.provideContext(deliver(...given), services),
        ]),
      )
    }),
  )
