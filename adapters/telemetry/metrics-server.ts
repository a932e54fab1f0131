import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { ConfigurationFault } from "../configuration-faults.ts"
import { http } from "../node-http.ts"
import { reasonOf } from "../root-cause.ts"
import type { Instruments } from "./instruments.ts"
import { processReader } from "./process-samples.ts"

const portFault = (error: HttpServerError.ServeError) =>
  new ConfigurationFault({
    faults: [`telemetry.metrics: found ${reasonOf(error)}, wanted an address of this machine and a free port (host, port)`],
  })

const timeouts = { headersTimeout: 5_000, requestTimeout: 10_000 }

/** Serves `/metrics` on a listener of its own, which ends with the scope. */
export const layer = (
  listen: { readonly host: string; readonly port: number },
  instruments: Instruments,
  sampleReadiness: Effect.Effect<void>,
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const options = { ...listen, gracefulShutdownTimeout: "1 second" } as const
      const server = yield* Effect.mapError(
        NodeHttpServer.make(() => http.createServer(timeouts), options),
        portFault,
      )
      const read = yield* processReader(instruments)
      const app = Effect.andThen(Effect.andThen(read, sampleReadiness), yield* HttpRouter.toHttpEffect(PrometheusMetrics.layerHttp()))
      yield* server.serve(app)
      yield* Effect.annotateLogs(Effect.logInfo("metrics"), { address: HttpServer.formatAddress(server.address) })
    }),
  ).pipe(Layer.provide(Layer.succeedContext(Context.empty())))
