import { Effect, type Exit, Metric } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Reply } from "../../application/service/endpoint.ts"
import type { AnyModule } from "../../application/service/module.ts"
import { codeOf } from "../../application/service/observing.ts"
import { securityOutcome, serviceFaults, signInOutcome } from "../../application/service/outcomes.ts"
import type { AuthError } from "../../domain/errors.ts"
import { fault, type Instruments } from "./instruments.ts"

/**
 * Observes every call of the service, whichever shell it came from: counts it, logs security outcomes at `info`, and opens a span. Unlike
 * `observe` of modules it looks up no session.
 */
export const observed = <R>(
  auth: Auth<R>,
  modules: ReadonlyArray<AnyModule>,
  { instruments, traces }: { readonly instruments: Instruments | undefined; readonly traces: boolean },
): Auth<R> => {
  const methods = new Map(modules.flatMap(({ name, endpoints }) => Object.keys(endpoints).map((operation) => [operation, name] as const)))

  const record = (endpoint: AnyEndpoint, exit: Exit.Exit<Reply<unknown>, AuthError>) => {
    const code = codeOf(exit)
    const method = methods.get(endpoint.name) ?? "other"
    const counts = code === "interrupted" ? [] : [instruments?.operation(endpoint.name, serviceFaults.includes(code) ? fault : code)]
    if (endpoint.signsIn !== undefined) counts.push(instruments?.signIn(method, signInOutcome(code)))
    const counted = Effect.forEach(counts, (count) => (count === undefined ? Effect.void : Metric.update(count, 1)), { discard: true })
    const type = securityOutcome(endpoint, code)
    if (type === undefined) return counted
    const line = Effect.annotateLogs(Effect.logInfo(type), { type, operation: endpoint.name, method, code })
    return Effect.andThen(counted, line)
  }

  const call: Auth<R>["call"] = (endpoint, raw) => {
    const called = auth.call(endpoint, raw)
    const spanned = traces ? Effect.withSpan(called, endpoint.name, { captureStackTrace: false }) : called
    return Effect.onExit(spanned, (exit) => record(endpoint, exit))
  }
  return { ...auth, call }
}
