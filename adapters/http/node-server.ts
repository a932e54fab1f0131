import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"

/** The time that running requests have to finish after a signal to stop. */
const gracePeriod = Duration.seconds(10)

/** Listens for HTTP. A stop refuses new connections and lets running requests finish. */
export const layer = (listen: { readonly host: string; readonly port: number }) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const node = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 })
      const server = yield* NodeHttpServer.make(() => node, { ...listen, gracefulShutdownTimeout: gracePeriod })
      // A client that has not sent its whole request by then could delay the stop without limit.
      yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
      return server
    }),
  )
