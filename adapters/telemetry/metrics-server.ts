import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { ConfigurationFault } from "../configuration-faults.ts"
import { http } from "../node-http.ts"
import { reasonOf } from "../root-cause.ts"
import { openMetrics, openMetricsType } from "./exposition.ts"
import { type Instruments, requestDuration } from "./instruments.ts"
import { processReader } from "./process-samples.ts"

const portFault = (error: HttpServerError.ServeError) =>
  new ConfigurationFault({
    faults: [`telemetry.metrics: found ${reasonOf(error)}, wanted an address of this machine and a free port (host, port)`],
  })

const timeouts = { headersTimeout: 5_000, requestTimeout: 10_000 }

/** The metrics in the format that the client accepts. Only OpenMetrics has exemplars. */
const exposed = ({ exemplars }: Instruments) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const text = yield* PrometheusMetrics.format()
    return headers["accept"]?.includes(openMetricsType) === true
      ? HttpServerResponse.text(openMetrics(text, requestDuration, exemplars), {
          contentType: `${openMetricsType}; version=1.0.0; charset=utf-8`,
        })
      : HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })

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
      const sampled = Effect.andThen(read, sampleReadiness)
      yield* server.serve(yield* HttpRouter.toHttpEffect(HttpRouter.add("GET", "/metrics", Effect.andThen(sampled, exposed(instruments)))))
      yield* Effect.annotateLogs(Effect.logInfo("metrics"), { address: HttpServer.formatAddress(server.address) })
    }),
  ).pipe(Layer.provide(Layer.succeedContext(Context.empty())))
