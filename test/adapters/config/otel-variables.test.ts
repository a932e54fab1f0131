import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { load } from "../../../adapters/config/load.ts"
import { resourceIn } from "../../../adapters/telemetry/traces.ts"

const secret = "a secret for these tests only, 32+ bytes"

const traces = async (environment: Record<string, string>, file?: string) => {
  const source = { directory: file ?? import.meta.dirname, environment: { SALLYPORT_SECRET: secret, ...environment } }
  const { telemetry } = await Effect.runPromise(load(source, []))
  if (telemetry.traces === undefined) return undefined
  const { headers, sample, url } = telemetry.traces
  return {
    url: Redacted.value(url),
    sample,
    headers: Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, Redacted.value(each)])),
  }
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }
const url = "http://collector:4318/v1/traces"

describe("the variables of OpenTelemetry", () => {
  it("enable traces at the endpoint of all signals", async () => {
    expect(await traces(endpoint)).toEqual({ url, sample: 1, headers: {} })
  })

  it("prefer the endpoint of traces, as it is", async () => {
    expect(await traces({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://other/spans" })).toMatchObject({
      url: "http://other/spans",
    })
  })

  it("give headers, those of traces last", async () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a, tenant=x=y", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "tenant=b" }
    expect(await traces({ ...endpoint, ...headers })).toMatchObject({ headers: { authorization: "Bearer a", tenant: "b" } })
  })

  it.each([
    ["always_on", undefined, 1],
    ["always_off", undefined, 0],
    ["traceidratio", "0.25", 0.25],
    ["parentbased_traceidratio", "0.5", 0.5],
    ["parentbased_traceidratio", undefined, 1],
    ["jaeger_remote", "0.5", 1],
  ])("%s %s samples %s", async (sampler, argument, sample) => {
    const ratio = argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }
    expect(await traces({ ...endpoint, OTEL_TRACES_SAMPLER: sampler, ...ratio })).toMatchObject({ sample })
  })

  it("are refused with their name when they are wrong", async () => {
    const sampler = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }
    await expect(traces({ ...endpoint, ...sampler })).rejects.toThrow(/OTEL_TRACES_SAMPLER.*a number from 0 to 1/)
  })

  it.each([{ OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }])("do nothing with %o", async (off) => {
    expect(await traces({ ...endpoint, ...off })).toBeUndefined()
  })

  it("need a collector: headers alone enable nothing", async () => {
    expect(await traces({ OTEL_EXPORTER_OTLP_HEADERS: "a=b", OTEL_TRACES_SAMPLER: "always_off" })).toBeUndefined()
  })
})

describe("the resource of traces", () => {
  it("names the service, its version and this process", () => {
    const { attributes, ...named } = resourceIn({})
    expect(named).toEqual({ serviceName: "sallyport", serviceVersion: expect.any(String) })
    expect(attributes["service.instance.id"]).toMatch(/^[\da-f-]{36}$/)
    expect(resourceIn({}).attributes).not.toEqual(attributes)
  })

  it("leaves what variables name to them", () => {
    expect(resourceIn({ OTEL_SERVICE_NAME: "login", OTEL_RESOURCE_ATTRIBUTES: "service.instance.id=pod-1, service.version=2" })).toEqual({
      attributes: {},
    })
  })
})
