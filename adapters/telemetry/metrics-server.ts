import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { http } from "../node-http.ts"

const timeouts = { headersTimeout: 5_000, requestTimeout: 10_000 }

/** Serves `/metrics` on a listener of its own, which ends with the scope. */
export const layer = (listen: { readonly host: string; readonly port: number }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* NodeHttpServer.make(() => http.createServer(timeouts), { ...listen, gracefulShutdownTimeout: "1 second" })
      const app = yield* HttpRouter.toHttpEffect(PrometheusMetrics.layerHttp())
      yield* server.serve(app)
      yield* Effect.annotateLogs(Effect.logInfo("metrics"), { address: HttpServer.formatAddress(server.address) })
    }),
  ).pipe(Layer.provide(Layer.succeedContext(Context.empty())))
