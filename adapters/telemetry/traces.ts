import { randomUUID } from "node:crypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Metric, Record, Redacted } from "effect"
import { HttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { manifest } from "../manifest.ts"
import type { Instruments } from "./instruments.ts"
import type { TelemetrySettings } from "./settings.ts"
import { withoutCauses } from "./spans.ts"

/**
 * Exports spans by OTLP. The spans of Effect's own HTTP server and client are left out: they record URLs with their queries, and the
 * client would send the ids of traces to sign-in providers.
 */
export const layer = ({ url, headers, sample }: NonNullable<TelemetrySettings["traces"]>, instruments: Instruments | undefined) =>
  Layer.mergeAll(
    withoutCauses(sample).pipe(
      Layer.provide(
        OtlpTracer.layer({
          url: Redacted.value(url),
          headers: Record.map(headers, Redacted.value),
          resource: resourceIn(process.env),
          shutdownTimeout: "5 seconds",
        }),
      ),
      Layer.provide(OtlpSerialization.layerJson),
      Layer.provide(collector(instruments)),
    ),
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
    Layer.succeed(HttpClient.TracerDisabledWhen, () => true),
    Layer.succeed(HttpClient.TracerPropagationEnabled, false),
  )

/** What the variables of OpenTelemetry say about the service takes precedence; the exporter reads them itself. */
export const resourceIn = (environment: Readonly<Record<string, string | undefined>>) => {
  const named = (environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "").split(",").map((pair) => pair.split("=")[0]?.trim())
  const isNamed = (attribute: string, variable?: string) => named.includes(attribute) || Boolean(variable && environment[variable])
  return {
    ...(isNamed("service.name", "OTEL_SERVICE_NAME") ? {} : { serviceName: "sallyport" }),
    ...(isNamed("service.version", "OTEL_SERVICE_VERSION") ? {} : { serviceVersion: manifest.version }),
    attributes: isNamed("service.instance.id") ? {} : { "service.instance.id": randomUUID() },
  }
}

/** After a failed export the exporter drops what it has and pauses for a minute, and says so only at `debug`. */
const collector = (instruments: Instruments | undefined) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      const count = instruments === undefined ? Effect.void : Metric.update(instruments.traceFault, 1)
      const report = Effect.andThen(count, Effect.logWarning("Traces could not be exported; they are dropped for a minute."))
      return HttpClient.tapError(client, () => report)
    }),
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
