import type { JsonObject } from "../../domain/values/json.ts"

// The environment variables of OpenTelemetry (Environment Variable Specification, OTLP Exporter Configuration) as settings of traces.

type Environment = Readonly<Record<string, string | undefined>>

/** The names of the variables, in the order in which they apply. */
export const otelNames = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  "OTEL_TRACES_SAMPLER",
] as const

/** Pairs such as `authorization=Bearer%20…,tenant=a`. */
const pairsOf = (text: string): JsonObject =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [name = "", ...value] = pair.split("=")
      return name.trim() === "" || value.length === 0 ? [] : [[name.trim(), decoded(value.join("=").trim())]]
    }),
  )

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The share of traces of a sampler, with or without regard of the parent: spans with a parent always follow it. */
const shareOf = (sampler: string, argument: string | undefined): number | undefined => {
  const [name] = sampler.split("_").slice(-1)
  if (name === "on") return 1
  if (name === "off") return 0
  return name === "traceidratio" ? Number(argument || 1) : undefined
}

const isOff = (environment: Environment) =>
  environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || environment["OTEL_TRACES_EXPORTER"] === "none"

/** The members of `telemetry.traces` that a variable sets, given those that are set already. */
export const otelSetting = (
  name: (typeof otelNames)[number],
  text: string,
  before: JsonObject,
  environment: Environment,
): JsonObject | undefined => {
  if (isOff(environment)) return undefined
  if (name === "OTEL_EXPORTER_OTLP_ENDPOINT") return { url: `${text.replace(/\/$/, "")}/v1/traces` }
  if (name === "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") return { url: text }
  // Without a collector, the others would only be a section that lacks its URL.
  if (before["url"] === undefined) return undefined
  if (name === "OTEL_TRACES_SAMPLER") {
    const sample = shareOf(text, environment["OTEL_TRACES_SAMPLER_ARG"])
    return sample === undefined ? undefined : { sample }
  }
  const { headers } = before
  return { headers: { ...Object(headers), ...pairsOf(text) } }
}
