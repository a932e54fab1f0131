import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"

/** How long running requests may take to finish once the process was asked to stop. */
const grace = Duration.seconds(10)

/** Listens for HTTP. At its end nobody new is let in, and requests that run may finish. */
export const layer = (listen: { readonly host: string; readonly port: number }) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const node = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 })
      const server = yield* NodeHttpServer.make(() => node, { ...listen, gracefulShutdownTimeout: grace })
      // Whoever has still not sent their request by then would hold up the end for as long as they like.
      yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
      return server
    }),
  )
