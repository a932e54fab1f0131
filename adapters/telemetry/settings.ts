import { Schema } from "effect"
import { about, between, orElse } from "../../domain/settings.ts"

const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")

const Share = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 })).pipe(Schema.annotate({ expected: "a number from 0 to 1" }))

/** Metrics and traces. Each is off without its key. */
export const Telemetry = Schema.Struct({
  metrics: Schema.Struct({
    host: Schema.NonEmptyString.pipe(orElse("127.0.0.1"), about("The address at which it listens.")),
    port: between(0, 65_535).pipe(orElse(9464), about("The port; 0 is any free port.")),
  }).pipe(
    Schema.optionalKey,
    about("A listener with metrics in the format of Prometheus, at `/metrics` ([monitoring](docs/monitoring.md))."),
  ),
  traces: Schema.Struct({
    url: Schema.RedactedFromValue(
      Schema.String.check(
        Schema.makeFilter(isHttpUrl, { expected: "the URL of an OTLP collector, such as http://localhost:4318/v1/traces" }),
      ),
    ).pipe(
      about(
        "The whole URL, such as `http://collector:4318/v1/traces`. The variables of OpenTelemetry (`OTEL_EXPORTER_OTLP_ENDPOINT`, …) set it as well ([more](docs/monitoring.md#traces)).",
      ),
    ),
    sample: Share.pipe(
      orElse(1),
      about("The share of traces that is exported. A trace that a trusted proxy began follows its decision (`traceparent`)."),
    ),
    headers: Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String)).pipe(
      orElse({}),
      about("Header fields of every export, such as an authorization."),
    ),
  }).pipe(Schema.optionalKey, about("Traces by OTLP over HTTP, as JSON.")),
})

export type TelemetrySettings = typeof Telemetry.Type
