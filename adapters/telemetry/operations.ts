import { Context, Effect, type Exit } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Reply } from "../../application/service/endpoint.ts"
import type { AnyModule } from "../../application/service/module.ts"
import { codeOf } from "../../application/service/observing.ts"
import { securityOutcome, serviceFaults, signInOutcome } from "../../application/service/outcomes.ts"
import type { AuthError } from "../../domain/errors.ts"
import { fault, type Instruments } from "./instruments.ts"
import { Threshold } from "./threshold.ts"

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

  const record = (endpoint: AnyEndpoint, exit: Exit.Exit<Reply<unknown>, AuthError>, services: Context.Context<never>) => {
    const code = codeOf(exit)
    const method = methods.get(endpoint.name) ?? "other"
    if (code !== "interrupted")
      instruments?.operation(endpoint.name, serviceFaults.includes(code) ? fault : code)?.updateUnsafe(1, services)
    if (endpoint.signsIn !== undefined) instruments?.signIn(method, signInOutcome(code)).updateUnsafe(1, services)
    const type = securityOutcome(endpoint, code)
    if (type === undefined) return Effect.void
    return Effect.annotateLogs(Effect.logInfo(type), { type, operation: endpoint.name, method, code })
  }

  const isObserved = instruments !== undefined || traces
  const call: Auth<R>["call"] = (endpoint, raw) =>
    Effect.contextWith((services: Context.Context<R>) => {
      const called = auth.call(endpoint, raw)
      if (!isObserved && !Context.get(services, Threshold).isInfo) return called
      const spanned = traces ? Effect.withSpan(called, endpoint.name, { captureStackTrace: false }) : called
      return Effect.onExit(spanned, (exit) => record(endpoint, exit, services))
    })
  return { ...auth, call }
}
