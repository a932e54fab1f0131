import { Schema } from "effect"
import { between, orElse } from "../../domain/settings.ts"

const isHttpUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")

/** Metrics and traces. Each is off without its key. */
export const Telemetry = Schema.Struct({
  /** Metrics in the text format of Prometheus at `/metrics`, on a listener of their own. */
  metrics: Schema.Struct({
    host: Schema.NonEmptyString.pipe(orElse("127.0.0.1")),
    /** 0 is any free port. */
    port: between(0, 65_535).pipe(orElse(9464)),
  }).pipe(Schema.optionalKey),
  /** Traces by OTLP over HTTP, as JSON. */
  traces: Schema.Struct({
    /** The whole URL, such as `http://collector:4318/v1/traces`. */
    url: Schema.RedactedFromValue(
      Schema.String.check(
        Schema.makeFilter(isHttpUrl, { expected: "the URL of an OTLP collector, such as http://localhost:4318/v1/traces" }),
      ),
    ),
    /** Header fields of every export, such as an authorization. */
    headers: Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String)).pipe(orElse({})),
  }).pipe(Schema.optionalKey),
})

export type TelemetrySettings = typeof Telemetry.Type
