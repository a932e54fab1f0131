import { Effect, Layer } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AnyModule } from "../../application/service/module.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { unmatched } from "../http/guard.ts"
import { loaded } from "../loaded.ts"
import { documentPath, referencePath } from "../openapi/settings.ts"
import { pagesRoute } from "../pages/settings.ts"
import { workerNumber } from "../process/workers.ts"
import { type Instruments, makeInstruments } from "../telemetry/instruments.ts"
import * as Ports from "../telemetry/ports.ts"

export type { Observation } from "../telemetry/ports.ts"

/** The observation that the configuration enables; without metrics and traces, no layer is wrapped. */
export const observationOf = (
  auth: Pick<Auth<unknown>, "endpoints">,
  modules: ReadonlyArray<AnyModule>,
  tables: ReadonlyArray<AnyTable>,
  configuration: Configuration,
): Ports.Observation => {
  const { settings, telemetry, graphql, store } = configuration
  const labels = () => ({
    endpoints: Object.values(auth.endpoints),
    basePath: settings.base_path,
    routes: [graphql.path, `${settings.base_path}${documentPath}`, `${settings.base_path}${referencePath}`, pagesRoute, unmatched],
    methods: modules
      .filter(({ endpoints }) => Object.values<AnyEndpoint>(endpoints).some(({ signsIn }) => signsIn !== undefined))
      .map(({ name }) => name),
    tables,
    receivers: ["mail", "sms", ...modules.flatMap(({ channels }) => Object.keys(channels)), "other"],
    budgets: Object.keys(settings.rate_limit).filter((key) => key !== "enabled" && key !== "store"),
  })
  return {
    instruments: telemetry.metrics === undefined ? undefined : makeInstruments(labels()),
    traces: telemetry.traces !== undefined,
    database: storeOf(store).system,
  }
}

const isOn = ({ instruments, traces }: Ports.Observation) => instruments !== undefined || traces

/** A port that metrics and traces observe; without both, it is not wrapped. */
export const observing = <A, E, R>(observation: Ports.Observation, port: (observation: Ports.Observation) => Layer.Layer<A, E, R>) =>
  isOn(observation) ? port(observation) : Layer.empty

/** The rate limiter, which only metrics observe. */
export const observedLimiter = ({ instruments }: Ports.Observation) =>
  instruments === undefined ? Layer.empty : Ports.rateLimiter(instruments)

/** Each worker serves its own metrics, the first one at `port`, the next one at `port` + 1. */
const portOf = (metrics: { readonly host: string; readonly port: number }) => ({
  ...metrics,
  port: metrics.port === 0 ? 0 : metrics.port + (workerNumber() ?? 1) - 1,
})

/** The listener of metrics, with what it samples. */
export const metricsOf = (
  instruments: Instruments | undefined,
  modules: ReadonlyArray<AnyModule>,
  { telemetry: { metrics } }: Configuration,
) =>
  instruments === undefined || metrics === undefined
    ? Layer.empty
    : loaded(async () => {
        const [Samples, Server] = await Promise.all([import("../telemetry/samples.ts"), import("../telemetry/metrics-server.ts")])
        return Layer.unwrap(
          Effect.map(
            Samples.sampling(
              instruments,
              modules.flatMap(({ gauges }) => gauges),
            ),
            (sampleReadiness) => Server.layer(portOf(metrics), instruments, sampleReadiness),
          ),
        )
      })
