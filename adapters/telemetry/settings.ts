import { Schema } from "effect"
import { about, between, orElse } from "../../domain/settings.ts"

const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")

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
    ).pipe(about("The whole URL, such as `http://collector:4318/v1/traces`.")),
    headers: Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String)).pipe(
      orElse({}),
      about("Header fields of every export, such as an authorization."),
    ),
  }).pipe(Schema.optionalKey, about("Traces by OTLP over HTTP, as JSON.")),
})

export type TelemetrySettings = typeof Telemetry.Type
