import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { http } from "../node-http.ts"

export interface Listen {
  readonly host: string
  readonly port: number
  /** The time that running requests have to finish once the listener is closed, seconds. */
  readonly drain: number
}

/** Longer than the 60 s after which common load balancers close idle connections: otherwise they would send requests on closed ones. */
const keepAliveTimeout = 75_000

const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000, keepAliveTimeout }

/**
 * How many services a request can add to those of the process before Effect copies the map of all services. A request adds about ten, and
 * its default of eight would cost a copy for every request.
 */
const maxAddedServices = 32

const withRoom = <A, E, R>(serving: Effect.Effect<A, E, R>) =>
  Effect.updateContext(serving, (services: Context.Context<R>) => Context.makeUnsafe<R>(services.mapUnsafe, { maxDepth: maxAddedServices }))

/** Listens for HTTP. A stop refuses new connections and lets running requests finish. */
export const layer = ({ host, port, drain }: Listen) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const node = http.createServer(timeouts)
      const server = yield* NodeHttpServer.make(() => node, { host, port, gracefulShutdownTimeout: Duration.seconds(drain) })
      // A client that has not sent its whole request by then could delay the stop without limit.
      yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
      const serve: Parameters<typeof HttpServer.make>[0]["serve"] = (app, middleware) =>
        withRoom(middleware === undefined ? server.serve(app) : server.serve(app, middleware))
      return HttpServer.make({ address: server.address, serve })
    }),
  )
