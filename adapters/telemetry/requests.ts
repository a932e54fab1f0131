import { Effect, Exit, Layer, Option } from "effect"
import { HttpTraceContext } from "effect/http"
import { proxyCheck } from "../http/client-address.ts"
import { type Arrival, type Observe, RequestObserver } from "../http/request-observer.ts"
import { HttpSettings } from "../http/settings.ts"
import type { Instruments } from "./instruments.ts"
import { Threshold } from "./threshold.ts"
import { timedBy } from "./timing.ts"

/**
 * Logs requests at `debug`, measures their duration, and opens a span that continues the trace of a trusted proxy and whose ids are in every
 * log line of the request. Without any of these, requests are not wrapped.
 */
export const layer = ({ instruments, traces }: { readonly instruments: Instruments | undefined; readonly traces: boolean }) =>
  Layer.effect(
    RequestObserver,
    Effect.gen(function* () {
      const isProxy = proxyCheck((yield* HttpSettings).trusted_proxies)
      const threshold = yield* Threshold

      const logged = <A extends { readonly status: number }, E, R>(response: Effect.Effect<A, E, R>, { request, route }: Arrival) =>
        Effect.suspend(() => {
          const begin = performance.now()
          return Effect.tap(response, ({ status }) =>
            Effect.annotateLogs(Effect.logDebug("request"), {
              method: request.method,
              route,
              status,
              duration_ms: Math.round(performance.now() - begin),
            }),
          )
        })

      const parentOf = ({ request }: Arrival) =>
        isProxy(Option.getOrNull(request.remoteAddress)) ? Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)) : undefined

      const spanned = <A extends { readonly status: number }, E, R>(
        response: Effect.Effect<A, E, R>,
        arrival: Arrival,
        onTrace: (id: string) => void,
      ) => {
        const { request, route, id, address } = arrival
        const parent = parentOf(arrival)
        const attributes = {
          "http.request.method": request.method,
          "http.route": route,
          "sallyport.request_id": id,
          ...(address === null ? {} : { "client.address": address }),
        }
        const inside = Effect.flatMap(Effect.orDie(Effect.currentSpan), ({ traceId, spanId, sampled }) => {
          if (sampled) onTrace(traceId)
          return Effect.annotateLogs(response, { trace_id: traceId, span_id: spanId })
        })
        const answered = Effect.tap(inside, ({ status }) =>
          Effect.annotateCurrentSpan({ "http.response.status_code": status, ...(status >= 500 ? { "error.type": String(status) } : {}) }),
        )
        const place = parent === undefined ? { root: true } : { parent }
        return Effect.withSpan(answered, `${request.method} ${route}`, { kind: "server", attributes, captureStackTrace: false, ...place })
      }

      const observe: Observe = (response, arrival) => {
        let trace: string | undefined
        const onTrace = (id: string) => {
          trace = id
        }
        const written = threshold.isDebug ? logged(response, arrival) : response
        const traced = traces ? spanned(written, arrival, onTrace) : written
        return instruments === undefined ? traced : timedRequest(instruments, traced, arrival, () => trace)
      }
      return { observe, when: traces || instruments !== undefined ? ("always" as const) : threshold }
    }),
  )

const timedRequest = <A extends { readonly status: number }, E, R>(
  instruments: Instruments,
  response: Effect.Effect<A, E, R>,
  { request, route }: Arrival,
  traceOf: () => string | undefined,
) =>
  timedBy((exit, seconds) => {
    const traceId = traceOf()
    const metric = instruments.request(route, request.method, Exit.isSuccess(exit) ? exit.value.status : undefined)
    if (traceId !== undefined) instruments.exemplars.keep(metric.attributes ?? {}, { traceId, seconds, at: Date.now() })
    return metric
  }, response)
